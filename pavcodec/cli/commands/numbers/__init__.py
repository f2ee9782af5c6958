"""Commands for numbers and codes of layouts."""
