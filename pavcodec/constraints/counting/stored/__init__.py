"""Models in files and in memory, so that none is made twice."""
