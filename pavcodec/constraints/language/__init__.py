"""The parser of the language: texts to expressions, scripts and actions; errors with carets."""
