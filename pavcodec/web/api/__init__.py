"""The JSON interface: a route for each task."""
