"""Drawings of layouts: as text, as HTML and as SVG."""
