"""What people paste: a number, a code, a deal in a format, or hands as people type them."""
