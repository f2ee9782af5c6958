"""Commands for archives."""
