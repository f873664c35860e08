"""What type checkers are told; that it is true is tested in `tests/typing`."""

import ast
import inspect

from capcurve._frames import frame_verb


def test_a_library_that_is_not_installed_takes_the_data_of_no_other():
    """Its classes would be any type, so data are told apart by methods alone."""
    tree = ast.parse(inspect.getsource(frame_verb))
    arguments = [node for node in ast.walk(tree) if isinstance(node, ast.arg)]
    kinds = [ast.unparse(each.annotation) for each in arguments if each.arg == "data"]
    assert len(kinds) == 6
    assert not [kind for kind in kinds if kind.startswith(("pd.", "pl.", "pa."))]
