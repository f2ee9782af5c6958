"""Mixes of conditions: by weights, in an even order, with chosen shares."""
