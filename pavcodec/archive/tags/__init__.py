"""The tags of boards, coded by columns as bytes."""
