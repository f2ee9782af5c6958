"""What people see beside an answer: lines on the error stream, and a bar on a terminal."""
