"""In, the arguments of `python -m interpreter`; out, what `cardscript` does with them."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
