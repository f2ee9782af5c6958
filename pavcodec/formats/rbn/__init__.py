"""Richard's Bridge Notation and its inline form."""
