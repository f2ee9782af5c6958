"""Decision diagrams, and the compiler from expressions to diagrams.

`diagram` has the rules of the automata, their products, and the basic functions of the cards;
`compile` turns each node of an expression into a diagram by these.
"""
