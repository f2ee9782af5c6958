"""Limits of memory and threads, and a cache of limited size."""
