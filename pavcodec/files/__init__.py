"""Files of all formats: output that is complete or absent, closing, text, compression."""
