"""Files of numpy, `.npy`: one array with a row for each board."""
