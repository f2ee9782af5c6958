"""The compiled loops of counting: diagrams, products, and the words of a model."""
