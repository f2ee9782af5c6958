"""The compiled loops of each numbering: owners to numbers and back."""
