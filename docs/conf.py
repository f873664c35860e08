"""Settings of the documentation site, which `make docs` builds."""

import os
import sys
from importlib.metadata import version as find_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "capcurve"
author = "the capcurve developers"
copyright = author  # noqa: A001 -- the name that Sphinx reads
version = release = find_version("capcurve")
html_title = "capcurve"

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    # in _extensions
    "benchmark_tables",
    "command_pages",
    "doi_links",
    "hidden_members",
    "light_pages",
    "mathml",
    "name_links",
    "plain_signatures",
    "plain_text",
    "search_words",
    "sharp_pictures",
    "shell_lines",
    "site_pictures",
    "whole_streams",
    "word_breaks",
]
exclude_patterns = ["recipes/README.md", "_*"]
templates_path = ["_templates"]
default_role = "py:obj"  # `name` in a docstring leads to the page of that name

# -- Text ----------------------------------------------------------------------------------
myst_enable_extensions = [
    "attrs_block",
    "attrs_inline",
    "colon_fence",
    "deflist",
    "dollarmath",
]
myst_dmath_double_inline = True
myst_dmath_allow_space = False  # "$ capcurve" is a prompt
myst_dmath_allow_digits = False
myst_heading_anchors = 4
suppress_warnings = ["config.cache", "myst.header"]

# -- Code that runs while the site is built ------------------------------------------------
nb_execution_mode = "auto"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = False  # whole_streams does, without breaking lines
os.environ["COLUMNS"] = "88"  # terminal screens fit the page
os.environ["MATPLOTLIBRC"] = str(Path(__file__).parent)  # pictures of cells are sharp

# -- Reference -----------------------------------------------------------------------------
autosummary_generate = True
# Names that differ in case only are one file on some systems.
autosummary_filename_map = {"capcurve.report": "capcurve.report-function"}
autodoc_typehints = "none"  # numpydoc sections say the types
autodoc_member_order = "groupwise"
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
toc_object_entries_show_parents = "hide"

# -- Pages ---------------------------------------------------------------------------------
# Where the site stands, for cards that other sites show: they need whole addresses.
html_baseurl = os.environ.get("CAPCURVE_SITE", "")
html_theme = "pydata_sphinx_theme"
html_static_path = ["_static"]
html_search_scorer = str(Path(__file__).parent / "search_scorer.js")
html_css_files = ["site.css", "notebooks.css"]
html_js_files = [("open_page.js", {"defer": "defer"})]
html_theme_options = {
    "logo": {"text": "capcurve"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "show_prev_next": True,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_sidebars = {"index": [], "pictures": []}
html_show_sourcelink = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
