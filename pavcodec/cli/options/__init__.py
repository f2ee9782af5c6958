"""Options that commands share: conditions, seeds and codes."""
