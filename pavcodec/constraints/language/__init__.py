"""From a text to expressions, scripts and actions, and errors with carets."""
