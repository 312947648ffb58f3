"""``python -m tilescope``."""

import sys

from tilescope.main import main

if __name__ == "__main__":
    sys.exit(main())
