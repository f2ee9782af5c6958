"""Decision diagrams, and how expressions become diagrams."""
