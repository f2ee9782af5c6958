"""The loops of each numbering: owners to numbers and back."""
