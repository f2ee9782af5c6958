"""Collections that many machines make in parts, each part a range of the index and one file."""
