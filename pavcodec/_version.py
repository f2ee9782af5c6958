"""The version, in one place: read by the build, the package and the command line."""

__version__ = "1.0.0"
