"""The articles' own methods: case listings, and the dealer of 1999."""
