"""The values of expressions for many layouts, computed with arrays."""
