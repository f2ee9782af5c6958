"""Commands on odds and statistics."""
