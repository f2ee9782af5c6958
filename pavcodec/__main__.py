"""Run the command line with `python -m pavcodec`."""

import sys

from pavcodec.cli import main

if __name__ == "__main__":
    sys.exit(main())
