"""Diagrams of boards: text that is read and written, pages and pictures."""
