"""Views: owners as the arrays that learning environments and solvers have, and back."""
