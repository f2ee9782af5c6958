"""Numbers of one and two 64-bit words in compiled loops."""
