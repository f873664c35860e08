"""Render the facts of a report as one self-contained HTML page."""

import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files

from capcurve._plot.safe_json import write_json
from capcurve._report.capture_notes import list_capture_notes, list_few_notes
from capcurve._report.chart_data import list_chart_data
from capcurve._report.charts import list_views
from capcurve._report.control_characters import escape_all_controls
from capcurve._report.curve_svg import draw_picture
from capcurve._report.gates import count_verdicts
from capcurve._report.group_findings import say_absent, say_few_in_groups, say_hollow
from capcurve._report.group_svg import draw_forest, draw_trend
from capcurve._report.group_tables import (
    list_tips,
    read_groups,
    tabulate_groups,
    tabulate_rest,
)
from capcurve._report.infinite_scores import name_infinite_scores
from capcurve._report.interval_methods import FREE
from capcurve._report.left_out_findings import say_several_reasons
from capcurve._report.model_colors import write_model_colors
from capcurve._report.options import Facts
from capcurve._report.page_format import (
    write_count,
    write_interval,
    write_lift,
    write_number,
    write_percent,
    write_ratio_interval,
    write_share,
)
from capcurve._report.page_parts import (
    TOPICS,
    find_author,
    link_reference,
    list_contents,
    list_provenance,
    list_tables,
    write_source,
)
from capcurve._report.page_table import Drawn, break_name
from capcurve._report.page_tables import (
    Words,
    choose_cutoffs,
    choose_words,
    name_level,
    needs_statistics,
    pick,
)
from capcurve._report.period_labels import label_periods
from capcurve._report.phrases import SPLIT_ROWS, is_few, say_negative
from capcurve._report.power_findings import list_power_notes
from capcurve._report.prose import choose_prose
from capcurve._report.ratio_axis import choose_shape
from capcurve._report.svg import icon
from capcurve._report.untested_groups import has_clusters, list_untested

SCRIPTS = ("curves.js", "tips.js", "tables.js", "saving.js")
KINDS = ("segments", "periods")
FILTERS = {
    "number": write_number,
    "ratio_interval": write_ratio_interval,
    "percent": write_percent,
    "count": write_count,
    "share": write_share,
    "lift": write_lift,
    "interval": write_interval,
    "source": write_source,
    "verdicts": count_verdicts,
    "reference": link_reference,
    "name": break_name,
    "negative": say_negative,
}


def render_page(facts: Facts) -> str:
    """Render the page template with the facts, the charts and the scripts."""
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    cutoffs = choose_cutoffs(facts["models"])
    facts = escape_all_controls(label_periods(name_infinite_scores(facts)))
    words, prose = choose_words(facts), choose_prose(facts)
    environment.filters |= FILTERS | {
        "cutoff": lambda score, number: cutoffs[number](score),
        "prose": prose,
    }
    scripts = "\n".join(map(read_resource, SCRIPTS))
    script = f'"use strict";\n(() => {{\n{scripts}}})();\n'
    tips = {kind: [list_tips(each, words) for each in facts[kind]] for kind in KINDS}
    template = environment.from_string(read_resource("page.html.j2"))
    page: str = template.render(
        **facts | {kind: list(list_sections(facts, kind, words)) for kind in KINDS},
        author=find_author(facts["meta"]),
        capture_notes=list_capture_notes(facts),
        contents=list_contents(facts),
        embedded=write_json(list_chart_data(facts, cutoffs) | {"tips": tips}),
        has_statistics=needs_statistics(facts),
        gains_notes=[*[SPLIT_ROWS] * has_split_rows(facts), *list_few_notes(facts)],
        free=FREE,
        level=name_level(facts),
        power_notes=list_power_notes(facts["power"]),
        provenance_items=list_provenance(facts["provenance"]),
        script=script,
        script_hash=hash_script(script),
        several_reasons=say_several_reasons(facts["rows"]),
        shapes=list_shapes(len(facts["models"])),
        style=write_style(facts),
        tables=list_tables(facts, words, prose),
        time=show_time(facts["provenance"]["time"]),
        topics=TOPICS,
        views=list(draw_views(facts)),
        words=words,
    )
    return page


def read_resource(name: str) -> str:
    """Read a text file of this package."""
    return files("capcurve._report").joinpath(name).read_text("utf-8")


def hash_script(script: str) -> str:
    """Hash the script, so that the browser runs no other one."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def write_style(facts: Facts) -> str:
    """Write the style sheet, with the colours of the models and the heads of print."""
    title = facts["title"].replace("\\", "\\\\").replace('"', '\\"').replace("<", "\\3c ")
    version = facts["provenance"]["versions"]["capcurve"]
    font = "font: 8pt system-ui, 'Segoe UI', Roboto, Arial, sans-serif; color: #444;"
    heads = {
        "top-left": f'"{title}"',
        "bottom-left": f'"capcurve {version}, {show_time(facts["provenance"]["time"])}"',
        "bottom-right": 'counter(page) " / " counter(pages)',
    }
    boxes = " ".join(
        f"@{place} {{ content: {content}; {font} }}" for place, content in heads.items()
    )
    page = f"@page {{ size: A4; margin: 18mm 14mm 16mm; {boxes} }}\n"
    colors = write_model_colors(len(facts["models"]))
    return f"{colors}{read_resource('page.css')}{page}"


def list_shapes(n_models: int) -> list[Drawn]:
    """Draw the point of each model for legends."""
    return [
        Drawn(icon(choose_shape(number), "50%", "50%", f"point m{number}"))
        for number in range(n_models)
    ]


def has_split_rows(facts: Facts) -> bool:
    """Whether rows are shared by bands, so that counts are fractions."""
    if facts["outcome"] != "events" or facts["sample"]["weights"] == "sampling":
        return False
    rows = (row for model in facts["models"] for row in model["gains"])
    return any(not row[name].is_integer() for row in rows for name in ("n", "n_events"))


def show_time(time: str) -> str:
    """Write a time as people read it."""
    return time.replace("T", " ").replace("+00:00", " UTC")


def draw_views(facts: Facts) -> Iterator[Facts]:
    """Draw the views of the curves."""
    for view in list_views(facts):
        label = f"{view.picture.title}. {view.caption} Tables give the same numbers."
        svg = draw_picture(view.picture, label, view.lines_each)
        yield view._asdict() | {"svg": Drawn(svg)}


def list_sections(facts: Facts, kind: str, words: Words) -> Iterator[Facts]:
    """Draw the charts of segments or of periods, and make their tables."""
    for section in facts[kind]:
        groups = read_groups(section)
        label = (
            f"Accuracy ratio with its interval by {section['by']}. A table gives the "
            "same numbers."
        )
        models = [model for row in section["wide"] for model in row["models"]]
        few = list(filter(is_few, section["groups"]))
        timed = section.get("in_time_order", False)
        svg = (draw_trend if timed else draw_forest)(groups, label)
        added = {
            "svg": Drawn(svg),
            "table": tabulate_groups(section, words),
            "rest": tabulate_rest(section),
            "untested": list_untested(section, in_clusters=has_clusters(facts)),
            "has_arrows": "arrow" in svg,
            "few": say_hollow(few) if few else "",
            "why_few": {
                model: say_few_in_groups(section, model)
                for model in pick(section["total"], "model")
            },
            "has_undefined": any(each["accuracy_ratio"] is None for each in models),
            "absent": say_absent(section) if section.get("absent") else "",
        }
        yield {"trend": [], "in_time_order": False} | section | added
