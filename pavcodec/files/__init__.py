"""Files as they come and go: complete or absent, closed in time, text, compressed."""
