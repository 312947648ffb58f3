"""``tilescope`` and ``python -m tilescope``."""

import sys


def main() -> int:
    """Run the command line. Ctrl-C ends it quietly, while the first modules are imported too."""
    try:
        from tilescope import main as command_line

        return command_line.main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
