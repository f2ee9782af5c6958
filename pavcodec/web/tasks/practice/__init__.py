"""Practice: boards of situations, and their files."""
