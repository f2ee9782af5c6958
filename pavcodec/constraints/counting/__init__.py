"""Exact counting: what of a condition is counted, and the plan for the rest.

A `Condition` compiles its parts to decision diagrams, layered automata (`automaton`, `compile`),
and multiplies these to a counting model, which counts, ranks and draws (`model`, of `pairs` of
nodes). `turns` counts without a model. Where the whole is too large, the plan of a `condition`
decides what is counted, by what is `implied` for few hands. `recent` shares models in a process.
"""
