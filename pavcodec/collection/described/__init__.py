"""Plans of collections in words, for messages."""
