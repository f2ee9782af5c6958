"""Scripts: `check` tells where other programs differ, and `report` has the actions of a run."""
