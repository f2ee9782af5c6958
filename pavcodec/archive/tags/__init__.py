"""The tags of boards as columns of bytes."""
