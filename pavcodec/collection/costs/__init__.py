"""The hours and the money that a collection costs, by a simulation of failing workers."""
