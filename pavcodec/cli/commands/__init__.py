"""Commands that do more than ask their question, and those that have none."""
