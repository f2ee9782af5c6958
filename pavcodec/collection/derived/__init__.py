"""Collections that are made from the parts of others: converted, packed, searched and solved."""
