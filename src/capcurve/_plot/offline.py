"""A chart that shows itself without a network."""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path
from typing import Any

import altair as alt

from capcurve._plot.safe_json import write_json
from capcurve._plot.still_chart import STILL, make_still

# Read on white and on black; where the page gives it a colour, the text takes that.
INK = "#767676"
CONFIG: dict[str, dict[str, Any]] = {
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "domainColor": "#8a8a8a",
        "tickColor": "#8a8a8a",
        "gridColor": "#8a8a8a",
        "labelFontSize": 12,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
    },
    "legend": {
        "labelColor": INK,
        "labelFontSize": 12,
        "layout": {"bottom": {"direction": "vertical", "anchor": "start"}},
    },
    "title": {"color": INK, "fontSize": 15},
    "text": {"color": INK, "fontSize": 12},
    "view": {"stroke": None},
}
# No link to a web site; what is drawn can be saved.
EMBED: dict[str, Any] = {
    "renderer": "svg",
    "actions": {"export": True, "source": False, "compiled": False, "editor": False},
}
MIME = f"application/vnd.vegalite.v{alt.SCHEMA_VERSION.lstrip('v').split('.')[0]}.json"
STYLE = """\
.capcurve-chart svg .mark-text text { fill: currentColor; }
.capcurve-chart .vega-bind { color: inherit; display: flex; gap: .6em; }
.capcurve-chart .vega-bind input { width: 20em; max-width: 60vw; }
.capcurve-chart { font: 13px system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
"""
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 1.5rem; color: CanvasText; background: Canvas; }}
@media (prefers-color-scheme: dark) {{
  .capcurve-chart [stroke="#0072B2"] {{ stroke: #2a8fd0; }}
  .capcurve-chart [fill="#0072B2"] {{ fill: #2a8fd0; }}
}}
</style>
</head>
<body>
{fragment}
</body>
</html>
"""
FRAGMENT = """\
<div class="capcurve-chart" id="{name}"></div>
<style>
{style}</style>
<script>
(() => {{
  const loaded = "capcurveVegaEmbed";
  if (!window[loaded]) {{
    const {{ vegaEmbed, vega, vegaLite }} = window;
    (() => {{
{library}
    }})();
    window[loaded] = window.vegaEmbed;
    Object.assign(window, {{ vegaEmbed, vega, vegaLite }});
  }}
  // The same chart may stand on the page already.
  const empty = [...document.querySelectorAll("#{name}")].find((each) => !each.firstChild);
  window[loaded](empty, {spec}, {options});
}})();
</script>
"""


class Offline(alt.TopLevelMixin):
    """A chart that shows itself, and is saved, with all scripts that it needs."""

    title: Any

    def to_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the specification, with colours that can be read on white and on black.

        The user's theme and configuration come first. Within another chart, such as one
        that stands beside it, that other chart decides.
        """
        spec: dict[str, Any] = super().to_dict(*args, **kwargs)
        if "$schema" in spec:  # it is the whole chart
            config = spec.setdefault("config", {})
            if "background" not in config:
                spec.setdefault("background", "transparent")
            for part, values in CONFIG.items():
                config[part] = {**values, **config.get(part, {})}
            spec.setdefault("usermeta", {}).setdefault("embedOptions", EMBED)
        return spec

    def to_html(self, *args: Any, **kwargs: Any) -> str:
        """Return a page that needs no network; with options, the page that Altair makes."""
        if args or kwargs:
            return str(super().to_html(*args, **kwargs))
        return PAGE.format(title=escape(self.text), fragment=self.make_fragment())

    def save(self, fp: Any, *args: Any, **kwargs: Any) -> None:
        """Save the chart; an HTML page needs no network unless ``inline=False``.

        Images leave the slider out, with the values where it stands.
        """
        ending = str(getattr(fp, "name", fp)).rpartition(".")[2]
        form = args[0] if args else kwargs.get("format")
        if (form or ending) in STILL:
            super(Offline, make_still(self)).save(fp, *args, **kwargs)
        elif (form or ending) != "html":
            super().save(fp, *args, **kwargs)
        elif len(args) > 1 or not kwargs.keys() <= {"format"}:
            super().save(fp, *args, **{"inline": True, **kwargs})
        elif hasattr(fp, "write"):
            fp.write(self.to_html())
        else:
            Path(fp).write_text(self.to_html(), encoding="utf-8")

    @property
    def text(self) -> str:
        """The title as text."""
        title = self.title.text if isinstance(self.title, alt.TitleParams) else self.title
        return "Chart" if title is alt.Undefined else str(title)

    def _repr_mimebundle_(self, *args: Any, **kwargs: Any) -> Any:
        """Show the chart in a notebook, unless the user has chosen a renderer of Altair."""
        if alt.renderers.active != "default":
            still: Any = make_still(self) if alt.renderers.active in STILL else self
            return super(Offline, still)._repr_mimebundle_(*args, **kwargs)
        bundle = {
            MIME: self.to_dict(),
            "text/html": self.make_fragment(),
            "text/plain": repr(self),
        }
        return bundle, {MIME: {"embed_options": EMBED}}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    def make_fragment(self) -> str:
        """Return HTML to be placed into a page, with all scripts."""
        spec = write_json(self.to_dict())
        return FRAGMENT.format(
            name=f"capcurve-chart-{zlib.crc32(spec.encode()):08x}",
            style=STYLE,
            library=read_chart_library(),
            spec=spec,
            options=write_json(EMBED),
        )


class OfflineChart(Offline, alt.LayerChart):
    """An Altair chart that shows itself, and is saved, with all scripts that it needs."""


class OfflinePanels(Offline, alt.ConcatChart):
    """Altair charts side by side, with all scripts that they need."""


@cache
def read_chart_library() -> str:
    """Return the JavaScript bundle of Vega-Lite, which draws the charts."""
    import vl_convert

    bundle: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]
    return bundle.replace("</script", "<\\/script")


def escape(text: str) -> str:
    """Write a text for HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;")
