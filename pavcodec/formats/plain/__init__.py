"""Lines of deals and of numbers, one by one and in batches; functions that other rooms use."""
