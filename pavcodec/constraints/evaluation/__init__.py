"""The definition of the language: the value of an expression for a deal."""
