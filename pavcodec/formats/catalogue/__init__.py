"""The formats there are, and which module reads and writes each."""
