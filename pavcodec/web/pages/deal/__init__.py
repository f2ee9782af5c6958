"""The page Deal: its form and its routes."""
