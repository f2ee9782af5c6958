"""Files of boards: what is in them, and conversions and pages of them."""
