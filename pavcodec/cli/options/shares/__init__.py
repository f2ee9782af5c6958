"""The options that decide how often deals of some kind are drawn: levels, mixes, weights."""
