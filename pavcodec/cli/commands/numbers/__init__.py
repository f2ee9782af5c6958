"""Commands on numbers and codes of layouts."""
