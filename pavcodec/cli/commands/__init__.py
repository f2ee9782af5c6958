"""The commands, in the groups of the help."""
