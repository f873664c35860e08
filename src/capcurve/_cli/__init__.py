"""Command line: parse the arguments, call the library, print the results."""
