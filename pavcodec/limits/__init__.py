"""Memory limits, and a cache of limited size."""
