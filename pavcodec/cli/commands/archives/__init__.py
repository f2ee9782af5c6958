"""Commands on archives."""
