"""Owners of many layouts: rows of cards, packed hands, holdings and tallies."""
