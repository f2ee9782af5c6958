"""Many layouts to text and back."""
