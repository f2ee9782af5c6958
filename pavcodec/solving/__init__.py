"""Double dummy: the tricks of deals by a solver, one contract or many."""
