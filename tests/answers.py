"""Read what commands print as JSON."""

import json


def read_results(output):
    """Return the results in the JSON of a command."""
    return json.loads(output)["results"]
