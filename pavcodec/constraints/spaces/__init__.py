"""The deals of a condition: counted, or drawn by rejection."""
