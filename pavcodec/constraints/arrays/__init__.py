"""The values of expressions for many layouts at once."""
