"""Lines of deals and of numbers, one by one and in batches; parts that other rooms use."""
