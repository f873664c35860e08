"""Public names as lines of text: signatures, attributes, words, commands and options."""

import ast
import dataclasses
import inspect
import re
import typing
from importlib import import_module

import capcurve

PRIVATE = ("self", "cls")


def list_lines():
    """Yield a line for every public name of the package and of the shell."""
    for name in capcurve.__all__:
        yield from describe(name, getattr(capcurve, name))
    for module in capcurve.MODULES:
        for name, value in vars(getattr(capcurve, module)).items():
            if name[0] != "_" and name not in capcurve.__all__ and is_own(value, module):
                yield from describe(f"{module}.{name}", value)
    yield from list_options()


def is_own(value, module):
    """Whether a value is a function or class that a module defines."""
    return getattr(value, "__module__", None) == f"capcurve.{module}"


def describe(name, value):
    """Yield the lines of a function or of a class and its members."""
    if not inspect.isclass(value):
        yield from describe_call(name, value)
        return
    if issubclass(value, Exception):
        yield f"{name}: {', '.join(base.__name__ for base in value.__bases__)}"
    elif is_made_by_users(value):
        yield from describe_call(name, value)
    else:
        yield name
    for member in sorted(list_members(value)):
        found = getattr(value, member, None)
        if callable(found) and not inspect.isclass(found):
            yield from describe_call(f"{name}.{member}", found)
        else:
            yield f"{name}.{member}"


def is_made_by_users(kind):
    """Whether users call a class; the other ones are results of functions."""
    return (
        kind is capcurve.Scorer
        or hasattr(kind, "_fields")  # a named tuple, which is unpacked in this order
        or not dataclasses.is_dataclass(kind)
    )


def list_members(kind):
    """List the public methods, properties and attributes of a class."""
    own = [each for each in kind.__mro__ if each.__module__.startswith("capcurve")]
    names = {name for each in own for name in vars(each)}
    if dataclasses.is_dataclass(kind):
        names |= {field.name for field in dataclasses.fields(kind)}
    names |= {name for each in own for name in list_documented(each)}
    return {name for name in names if name[0] != "_"}


def list_documented(kind):
    """List the attributes that the docstring of a class promises."""
    text = inspect.cleandoc(kind.__doc__ or "")
    pattern = r"^Attributes\n-+\n(.*?)(?=^[^\n]+\n-+$|\Z)"
    section = re.search(pattern, text, re.MULTILINE | re.DOTALL)
    heads = re.findall(
        r"^(\w[\w, ]*?)(?: :.*)?$", section[1] if section else "", re.MULTILINE
    )
    return {name for head in heads for name in head.split(", ")}


# -- Calls ---------------------------------------------------------------------------------


def describe_call(name, value):
    """Yield the signature of a function, and the words that its arguments may be."""
    call = value.__init__ if inspect.isclass(value) else getattr(value, "__func__", value)
    names = getattr(inspect.unwrap(call), "__globals__", {})
    found = [
        each
        for each in inspect.signature(value).parameters.values()
        if each.name not in PRIVATE
    ]
    parameters = [
        each.replace(annotation=each.empty)
        for parameter in found
        for each in spread(parameter, names)
    ]
    yield f"{name}{spell(parameters)}"
    for each in found:
        words = read_words(each.annotation, names)
        if words:
            yield f"{name}({each.name}=): {', '.join(map(repr, words))}"


def spread(parameter, names):
    """Yield a parameter, or the keywords of a typed dictionary that it stands for."""
    if parameter.kind is not parameter.VAR_KEYWORD:
        yield parameter
        return
    kind = str(parameter.annotation).removeprefix("Unpack[").removesuffix("]")
    options = names.get(kind) or getattr(import_module("capcurve._plot.options"), kind)
    for name in options.__annotations__:
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=...)


class Spelled:
    """A default whose text is read again as Python."""

    def __init__(self, value):
        """Take a default."""
        self.value = value

    def __repr__(self):
        """Return a name for a class, dots for what has no text."""
        if inspect.isclass(self.value):
            return self.value.__name__
        text = repr(self.value)
        return "..." if text[0] == "<" or self.value is ... else text


def spell(parameters):
    """Return the text of a signature."""
    return str(
        inspect.Signature(
            [
                each
                if each.default is each.empty
                else each.replace(default=Spelled(each.default))
                for each in parameters
            ]
        )
    )


def read_words(annotation, names):
    """Return the words that an annotation allows, sorted."""
    try:
        kind = eval(annotation, dict(names)) if isinstance(annotation, str) else annotation  # noqa: S307 -- our own text
    except (NameError, TypeError, AttributeError):  # names that only type checkers import
        return []
    return sorted(set(find_words(kind)))


def find_words(kind):
    """Yield the strings of every ``Literal`` in a type."""
    if typing.get_origin(kind) is typing.Literal:
        yield from (word for word in typing.get_args(kind) if isinstance(word, str))
        return
    for each in typing.get_args(kind):
        yield from find_words(each)


# -- Options -------------------------------------------------------------------------------

GAP = "  "  # between the parts of the line of an option


def list_options():
    """Yield a line for each argument and option of every command."""
    from capcurve._cli.commands import capcurve as command

    yield from describe_command("capcurve", command)


def describe_command(name, command):
    """Yield the lines of a command and of the commands below it."""
    import click

    yield f"$ {name}"
    for parameter in command.params:
        yield f"$ {name}{GAP}{describe_option(parameter)}"
    if isinstance(command, click.Group):
        for each in command.list_commands(None):
            below = command.get_command(None, each)
            yield from describe_command(f"{name} {each}", below)


def describe_option(parameter):
    """Return the spellings of an option, its values, and how it is given."""
    import click

    is_option = parameter.param_type_name == "option"
    spellings = [*parameter.opts, *parameter.secondary_opts]
    parts = [", ".join(spellings) if is_option else parameter.name.upper()]
    if not getattr(parameter, "is_flag", False):
        parts.append(
            "|".join(map(str, parameter.type.choices))
            if isinstance(parameter.type, click.Choice)
            else "VALUE"
        )
    default = parameter.default
    if isinstance(default, str | int | float) and default is not False:
        parts.append(f"default {default}")
    parts += ["required"] * parameter.required
    parts += ["repeatable"] * (parameter.multiple if is_option else parameter.nargs == -1)
    return GAP.join(parts)


# -- What two records differ in ------------------------------------------------------------


def compare(recorded, present):
    """Return what users of the recorded names lose, and the names that are new."""
    before, now = (
        {find_key(line): line for line in lines} for lines in (recorded, present)
    )
    breaks = [
        f"{flaw}: {before[key]}"
        for key in before
        for flaw in find_breaks(before[key], now.get(key))
    ]
    return breaks, [now[key] for key in now if now[key] != before.get(key)]


def find_key(line):
    """Return the name that a line is about, without what may change."""
    if line.startswith("$ "):
        command, *parts = line.split(GAP)
        return (command, max(parts[0].split(", "), key=len) if parts else "")
    return re.match(r"[\w.]+(\(\w+=\):)?", line)[0]


def find_breaks(before, now):
    """Yield what is lost between two lines about the same name."""
    if now is None:
        yield "removed"
    elif before.startswith("$ "):
        yield from find_breaks_of_option(before, now)
    elif re.match(r"[\w.]+(\(\w+=\))?: ", before):
        words, left = (set(line.split(": ")[1].split(", ")) for line in (before, now))
        yield from (f"{word} removed" for word in sorted(words - left))
    elif "(" in before and "(" not in now:
        yield "no longer called"
    elif "(" in before:
        yield from find_breaks_of_call(read_call(before), read_call(now))
    elif "(" in now:
        yield "became a method"


def read_call(line):
    """Read a signature as positional names, all names with defaults, and those required."""
    _, _, rest = line.partition("(")
    arguments = ast.parse(f"def _({rest}: ...").body[0].args
    by_place = [each.arg for each in [*arguments.posonlyargs, *arguments.args]]
    defaults = dict.fromkeys([*by_place, *(each.arg for each in arguments.kwonlyargs)])
    ends = by_place[len(by_place) - len(arguments.defaults) :]
    given = [*zip(ends, arguments.defaults, strict=True)]
    given += zip(
        [each.arg for each in arguments.kwonlyargs], arguments.kw_defaults, strict=True
    )
    defaults |= {name: ast.unparse(value) for name, value in given if value is not None}
    return by_place, defaults


def find_breaks_of_call(before, now):
    """Yield what a call that was right would meet."""
    (places, defaults), (places_now, defaults_now) = before, now
    for name, default in defaults.items():
        if name not in defaults_now:
            yield f"`{name}` removed"
        elif default is not None and defaults_now[name] != default:
            yield f"default of `{name}` is {defaults_now[name] or 'gone'}"
    if places_now[: len(places)] != places:
        yield f"positional arguments are ({', '.join(places_now)})"
    for name in defaults_now.keys() - defaults.keys():
        if defaults_now[name] is None:
            yield f"`{name}` required"
        elif name in places_now:
            yield f"`{name}` may be passed by position: make it keyword-only"


def find_breaks_of_option(before, now):
    """Yield what a command line that was right would meet."""
    (spellings, *parts), (spellings_now, *parts_now) = (
        line.split(GAP)[1:] or [""] for line in (before, now)
    )
    for spelling in sorted(set(spellings.split(", ")) - set(spellings_now.split(", "))):
        yield f"{spelling} removed"
    yield from find_breaks_of_values(read_values(parts), read_values(parts_now))
    defaults, defaults_now = (
        {each for each in side if each.startswith("default ")}
        for side in (parts, parts_now)
    )
    if defaults != defaults_now:
        yield f"was {', '.join(defaults) or 'without default'}"
    if "required" in parts_now and "required" not in parts:
        yield "required"
    if "repeatable" in parts and "repeatable" not in parts_now:
        yield "no longer repeatable"


def read_values(parts):
    """Return the words that an option takes: {'VALUE'} for any, none for a flag."""
    return {
        word for part in parts if part == "VALUE" or "|" in part for word in part.split("|")
    }


def find_breaks_of_values(before, now):
    """Yield the values that an option no longer takes."""
    if not before and now:
        yield "requires a value"
    elif before and not now:
        yield "takes no value"
    elif now != {"VALUE"}:
        yield from (f"{word} removed" for word in sorted(before - now))
