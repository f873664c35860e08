"""Let the search find pages by the words that people type, such as Gini for AR."""

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

RATIO = "Gini, gini coefficient, gini score, AR, accuracy ratio, power statistic, Somers D"
CURVE = "CAP curve, cumulative gains, gain chart, gains chart, power curve, Lorenz curve"
WORDS = {
    "accuracy_ratio_score": f"{RATIO}, normalised gini, normalized gini, 2 AUC - 1",
    "accuracy_ratio_interval": f"{RATIO}, confidence interval, DeLong, bootstrap, BCa",
    "accuracy_ratio_test": f"{RATIO}, compare two AUC, champion challenger, DeLong",
    "accuracy_ratio_test_initial": f"{RATIO}, ECB, initial validation, backtest",
    "accuracy_ratio_scorer": f"{RATIO}, GridSearchCV, make_scorer, cross_val_score",
    "gain_capture": f"{RATIO}, yardstick, group by, segment",
    "gain_curve": f"{CURVE}, yardstick",
    "cap_curve": f"{CURVE}, cumulative accuracy profile",
    "CapCurve": f"{CURVE}, {RATIO}, cumulative accuracy profile",
    "CAPCurveDisplay": f"{CURVE}, plot, chart, matplotlib",
    "LiftCurveDisplay": "lift chart, lift curve, cumulative lift, plot",
    "LorenzCurveDisplay": "ordered Lorenz curve, Gini index, Frees, loss ratio, plot",
    "plot_panels": "facet, facet_wrap, ggplot, small multiples, subplots",
    "plan_test": "power.roc.test, sample size, power of a test",
    "plan_from_sample": "power.roc.test, sample size, power of a test",
    "KSDisplay": "KS plot, Kolmogorov-Smirnov, KS chart",
    "gains_table": "decile table, gains chart, lift table, ks table, captured response",
    "GainsTable": "decile table, lift table, ks table, captured response",
    "capture_rate_score": "recall at k, captured response, capture at 20, accuracy at 50",
    "response_rate_score": "precision at k, hit rate, event rate, default rate",
    "lift_score": "lift at 10 percent, top decile lift",
    "ks_interval": "KS statistic, Kolmogorov-Smirnov",
    "somers_d_score": "Somers D, gAUC, LGD, CCF, concordance, somers2, SomersDelta",
    "somers_d_from_table": "Somers D, gAUC, generalised AUC, LGD, ECB",
    "DoubleLift": "double lift chart, model comparison, insurance pricing",
    "CapSketch": "streaming, t-digest, histogram, approximate Gini, merge",
    "BinnedCurve": "big data, histogram, approximate Gini, out of core",
    "random_band": "random model, chance, significance, uninformative score",
}


def add_words(app: Sphinx, doctree: nodes.document) -> None:
    """Add the keywords of a page of the reference; the search reads them."""
    name = app.env.docname.removeprefix("reference/generated/capcurve.")
    if name in WORDS and name != app.env.docname:
        doctree.insert(0, nodes.meta("", name="keywords", content=WORDS[name]))


def index_keywords(app: Sphinx, doctree: nodes.document) -> None:
    """Make index entries of the keywords of a page, which the search puts first."""
    words = [
        word.strip()
        for meta in doctree.findall(nodes.meta)
        if meta.get("name") == "keywords"
        and not app.env.docname.startswith("reference/gen")
        for word in meta["content"].split(",")
    ]
    entries = [("single", word, "", "main", None) for word in words]
    doctree.insert(0, addnodes.index(entries=entries))


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the words when a page was read."""
    app.connect("doctree-read", add_words)
    app.connect("doctree-read", index_keywords)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
