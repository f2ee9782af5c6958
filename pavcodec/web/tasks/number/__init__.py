"""Numbers and codes to deals and back, facts of deals, and endings with their lines of play."""
