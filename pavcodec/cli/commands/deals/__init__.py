"""Commands that deal and count."""
