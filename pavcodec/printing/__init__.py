"""Pages to print: hand records, hands for players, tables and notes, as HTML and as PDF."""
