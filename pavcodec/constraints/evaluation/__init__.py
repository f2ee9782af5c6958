"""What an expression means: its value for a deal."""
