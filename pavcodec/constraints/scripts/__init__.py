"""Scripts: checks for other programs, and what actions print."""
