"""Files of records, as boards and by path."""
