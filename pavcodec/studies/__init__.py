"""The methods of Pavlicek's articles: case listings, and the dealer of 1999."""
