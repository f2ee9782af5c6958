"""Counting models: products of diagrams, their ranks and their sizes."""
