"""The output of commands: streams, tables, figures, progress bars, and checks of output files."""
