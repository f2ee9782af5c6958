"""What commands print and write: streams, tables, figures, progress."""
