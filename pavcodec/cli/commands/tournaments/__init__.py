"""Commands on tournaments."""
