"""Commands on files of any format that are more than their question."""
