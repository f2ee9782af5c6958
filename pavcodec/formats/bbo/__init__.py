"""The formats of Bridge Base Online: LIN and the hand viewer."""
