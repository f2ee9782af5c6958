"""Commands on files of any format."""
