"""``python -m capcurve`` and the ``capcurve`` command."""

from capcurve._cli.run import main, run

__all__ = ["main", "run"]

if __name__ == "__main__":
    run()
