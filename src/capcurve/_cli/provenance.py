"""What a command read, with which options and versions."""

import click

from capcurve._cli.invocation import find_invocation
from capcurve._files.open import READERS, Origin
from capcurve._report.options import Facts
from capcurve._report.provenance import describe_provenance, make_plain


def describe_run(origin: Origin | None) -> Facts:
    """Describe the command that runs: its line, options, files, versions and time."""
    invocation = find_invocation(click.get_current_context())
    given = invocation.given
    told = describe_provenance(
        {
            "command": invocation.command,
            "options": make_plain(
                {"format" if each == "form" else each: given[each] for each in given}
            ),
            **({} if origin is None else origin.facts),
            "libraries": READERS if origin is None else origin.libraries,
        }
    )
    del told["call"]
    return told | {"seed": given.get("seed")}
