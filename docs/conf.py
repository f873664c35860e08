"""Settings of the documentation site, which `make docs` builds."""

import os
from importlib.metadata import version as find_version

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
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["recipes/README.md"]

# -- Text ----------------------------------------------------------------------------------
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header", "config.cache"]

# -- Code that runs while the site is built ------------------------------------------------
nb_execution_mode = "auto"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
os.environ["COLUMNS"] = "88"  # terminal screens fit the page

# -- Reference -----------------------------------------------------------------------------
autosummary_generate = True
autodoc_typehints = "none"  # numpydoc sections say the types
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# -- Pages ---------------------------------------------------------------------------------
html_theme = "pydata_sphinx_theme"
html_static_path = ["_static"]
html_css_files = ["site.css", "notebooks.css"]
html_theme_options = {
    "logo": {"text": "capcurve"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_show_sourcelink = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
