"""Exact counting: what of a condition is counted, and the plan for the rest.

A `Condition` compiles its parts to decision diagrams (room `diagrams`) and multiplies these to a
counting model (room `models`), which counts, ranks and draws. `plan` decides what is counted where
the whole is too large, by what `implied` derives for few hands. `recent` shares the models of a
process, and `weighing` counts with weights.
"""
