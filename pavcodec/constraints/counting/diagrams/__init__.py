"""Decision diagrams, and the compiler from expressions to diagrams."""
