"""Convert many layouts to text and back."""
