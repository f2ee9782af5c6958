"""The archive: collections of deals in the fewest bits, safe and searchable."""

__all__: list[str] = []
