"""Sets of files that `deal` writes together: splits, and a data card beside them."""
