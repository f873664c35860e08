"""Scripts for type checkers are not collected, as importing them would run them."""

collect_ignore = ["frames.py", "mistakes.py", "user.py"]
