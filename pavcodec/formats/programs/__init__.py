"""The formats of programs that deal, solve and play."""
