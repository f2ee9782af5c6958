"""The formats of clubs and of dealing machines."""
