"""The workers: they run tasks, in processes of their own, with limits."""
