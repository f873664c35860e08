"""The ``capcurve`` command: parse, call public functions, print; no arithmetic."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np

from capcurve import __version__, _output, files
from capcurve._input import Array, Label, TargetType
from capcurve.curve import CapCurve
from capcurve.datasets import make_portfolio
from capcurve.display import CAPCurveDisplay, CurveDisplay, LiftCurveDisplay
from capcurve.exceptions import CapcurveError
from capcurve.table import GainsTable

CAPTURED_AT = {"10": 0.1, "20": 0.2, "50": 0.5}
PICTURES = (".png", ".svg", ".pdf")

Command = Callable[..., None]


class Ranking(NamedTuple):
    """The options that say what is ranked by what."""

    file: str
    truth: str
    estimate: tuple[str, ...]
    weight: str | None
    pos_label: str | None
    target_type: TargetType
    ascending: bool
    na: tuple[str, ...]
    decimal_comma: bool


def ranking_options(command: Command) -> Command:
    """Add the options of `Ranking` to a command."""
    options = (
        click.argument("file"),
        click.option("--truth", required=True, help="Column of the outcome."),
        click.option(
            "--estimate",
            required=True,
            multiple=True,
            help="Column of a score; repeatable.",
        ),
        click.option("--weight", help="Column of weights."),
        click.option("--pos-label", help="Value of the outcome that is the event."),
        click.option(
            "--target-type",
            type=click.Choice(["auto", "binary", "continuous"]),
            default="auto",
            help="Whether the outcome is an event or an amount.",
        ),
        click.option("--ascending", is_flag=True, help="Rank low scores first."),
        click.option("--na", multiple=True, help="A further text for a missing value."),
        click.option("--decimal-comma", is_flag=True, help="Numbers are written 0,5."),
    )
    for option in reversed(options):
        command = option(command)
    return command


format_option = click.option(
    "--format",
    "form",
    type=click.Choice(_output.FORMATS),
    default="text",
    help="How to print.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="capcurve")
def capcurve() -> None:
    """Cumulative accuracy profiles and the accuracy ratio.

    Data go to stdout and messages to stderr. Exit code 2: usage or input.
    """


@capcurve.command()
@click.option(
    "--output-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="Folder for the picture.",
)
@format_option
def demo(output_dir: Path, form: str) -> None:
    """Score a generated loan portfolio and draw its curve.

    Example: capcurve demo
    """
    loans = make_portfolio()
    curve = CapCurve.from_predictions(loans["default"], loans["champion_pd"])
    say(f"{len(loans['default']):,} generated loans, ranked by champion_pd")
    click.echo(_output.render([score_row("champion_pd", curve)], form))
    say("gains table in ten bands")
    click.echo(_output.render(gains_rows(curve), form))
    output_dir.mkdir(parents=True, exist_ok=True)
    picture = output_dir / "cap.png"
    draw({"champion_pd": curve}, picture, mark=(0.1, 0.5), shade=True)
    say(f"picture in {picture.resolve()}")


@capcurve.command()
@ranking_options
@format_option
def score(form: str, **options: Any) -> None:
    """Print AR, KS, capture and lift, a row for each estimate.

    Example: capcurve score loans.csv --truth default --estimate pd
    """
    curves = read_curves(Ranking(**options))
    rows = [score_row(name, curve) for name, curve in curves.items()]
    click.echo(_output.render(rows, form), nl=False)


@capcurve.command()
@ranking_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="Picture to write: .png, .svg or .pdf.",
)
@click.option("--mark", type=float, multiple=True, help="Share to read off, such as 0.5.")
@click.option("--shade", is_flag=True, help="Fill between random and perfect.")
@click.option("--lift", is_flag=True, help="Draw lift instead.")
def plot(
    output: Path, mark: tuple[float, ...], *, shade: bool, lift: bool, **options: Any
) -> None:
    """Draw a curve for each estimate, with the random and the perfect line.

    Example: capcurve plot loans.csv --truth default --estimate pd -o cap.png
    """
    if output.suffix.lower() not in PICTURES:
        raise CapcurveError(
            f"--output must end in {', '.join(PICTURES)}, got {str(output)!r}"
        )
    if not output.parent.is_dir():
        raise CapcurveError(f"--output: there is no folder {str(output.parent)!r}")
    curves = read_curves(Ranking(**options))
    draw(
        curves,
        output,
        kind=LiftCurveDisplay if lift else CAPCurveDisplay,
        mark=mark,
        shade=shade,
    )
    say(f"picture in {output}")


def say(message: str) -> None:
    """Print a message where data do not go."""
    click.echo(message, err=True)


def read_curves(ranking: Ranking) -> dict[str, CapCurve]:
    """Read a file and make the curve of each estimate."""
    columns = read_complete_rows(ranking)
    truth = columns[ranking.truth]
    curves = {}
    for estimate in ranking.estimate:
        files.refuse_text(columns[estimate], estimate)
        try:
            curve = CapCurve.from_predictions(
                truth,
                columns[estimate],
                sample_weight=None if ranking.weight is None else columns[ranking.weight],
                pos_label=label_like(truth, ranking.pos_label),
                target_type=ranking.target_type,
                descending=not ranking.ascending,
            )
        except CapcurveError as error:
            raise CapcurveError(in_options(str(error), ranking, estimate)) from error
        if curve.accuracy_ratio < 0:
            say(
                f"capcurve: note: the AR of {estimate!r} is negative, so the score may be "
                "reversed; --ascending ranks low scores first"
            )
        curves[estimate] = curve
    return curves


def read_complete_rows(ranking: Ranking) -> dict[str, Array]:
    """Read the columns and leave out rows with a missing value, saying how many."""
    names = [ranking.truth, *ranking.estimate]
    names += [ranking.weight] if ranking.weight else []
    columns = files.read_file(
        ranking.file,
        names,
        missing=(*files.MISSING_TEXTS, *ranking.na),
        decimal="," if ranking.decimal_comma else ".",
    )
    missing = {name: files.missing_rows(column) for name, column in columns.items()}
    incomplete = np.logical_or.reduce(list(missing.values()))
    if incomplete.all():
        raise CapcurveError(f"{ranking.file} has no rows with all of: {', '.join(columns)}")
    if incomplete.any():
        counts = ", ".join(
            f"{name} {rows.sum():,}" for name, rows in missing.items() if rows.any()
        )
        say(
            f"capcurve: note: left out {incomplete.sum():,} of {len(incomplete):,} rows "
            f"with a missing value ({counts})"
        )
    return {name: np.ma.getdata(column)[~incomplete] for name, column in columns.items()}


def label_like(truth: Array, label: str | None) -> Label | None:
    """Read the label as the outcome's column was read: as text or as a number."""
    if label is None or truth.dtype.kind == "O":
        return label
    if truth.dtype.kind == "b":
        return {"true": True, "1": True, "false": False, "0": False}.get(
            label.lower(), label
        )
    return float(label) if files.is_number(label) else label


def in_options(message: str, ranking: Ranking, estimate: str) -> str:
    """Name the command's options where a message names arguments."""
    names = {
        "`y_true`": f"column {ranking.truth!r}",
        "`y_score`": f"column {estimate!r}",
        "`sample_weight`": f"column {ranking.weight!r}",
        "`target_type='continuous'`": "--target-type continuous",
        "`pos_label`": "--pos-label",
    }
    for argument, option in names.items():
        message = message.replace(argument, option)
    return message


def score_row(name: str, curve: CapCurve) -> dict[str, Any]:
    """List the numbers of one estimate."""
    return {
        "estimate": name,
        "accuracy_ratio": curve.accuracy_ratio,
        "ks": curve.ks,
        **{f"capture_{at}": curve.capture_rate_at(x) for at, x in CAPTURED_AT.items()},
        "lift_10": curve.lift_at(CAPTURED_AT["10"]),
        "worst_ties": curve.tie_bounds.worst,
        "best_ties": curve.tie_bounds.best,
        "n": whole(curve.total_weight),
        "n_events": whole(curve.total_target),
        "response_rate": curve.response_rate,
    }


def gains_rows(curve: CapCurve) -> list[dict[str, Any]]:
    """List the bands of the gains table."""
    columns = GainsTable.from_curve(curve).to_dict()
    cells = zip(*(column.tolist() for column in columns.values()), strict=True)
    return [
        {**named, "n": whole(named["n"]), "n_events": whole(named["n_events"])}
        for named in (dict(zip(columns, row, strict=True)) for row in cells)
    ]


def whole(count: float) -> float:
    """Write a count without a fraction as an integer."""
    return int(count) if count.is_integer() else count


def draw(
    curves: Mapping[str, CapCurve],
    path: Path,
    *,
    kind: type[CurveDisplay] = CAPCurveDisplay,
    **options: Any,
) -> None:
    """Draw curves on one axes and write the picture."""
    from capcurve._drawing import new_figure

    figure = new_figure()
    axes = figure.subplots()
    for name, curve in curves.items():
        kind(curve, name=name).plot(axes, **options)
    files.write_whole(path, lambda draft: figure.savefig(draft, dpi=150))
