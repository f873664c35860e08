"""Sources of the methods of a report."""

from typing import NamedTuple

from capcurve._report.options import Facts


class Source(NamedTuple):
    """A publication."""

    authors: str
    year: int
    title: str
    publication: str
    doi: str | None = None

    def describe(self, section: str | None = None) -> Facts:
        """Return the fields, and the section that is meant."""
        return {**self._asdict(), "section": section}


def format_reference(source: Facts) -> str:
    """Write a source as one line of a list of references."""
    doi = "" if source["doi"] is None else f" doi:{source['doi']}"
    return (
        f"{source['authors']} ({source['year']}). {source['title']}. "
        f"{source['publication']}.{doi}"
    )


BOX = Source(
    "Box, G. E. P.",
    1954,
    "Some theorems on quadratic forms applied in the study of analysis of variance "
    "problems, I",
    "The Annals of Mathematical Statistics 25(2), 290-302",
    "10.1214/aoms/1177728786",
)
BROWN = Source(
    "Brown, L. D., Cai, T. T., DasGupta, A.",
    2001,
    "Interval estimation for a binomial proportion",
    "Statistical Science 16(2), 101-133",
    "10.1214/ss/1009213286",
)
CLOPPER = Source(
    "Clopper, C. J., Pearson, E. S.",
    1934,
    "The use of confidence or fiducial limits illustrated in the case of the binomial",
    "Biometrika 26(4), 404-413",
    "10.2307/2331986",
)
DELONG = Source(
    "DeLong, E. R., DeLong, D. M., Clarke-Pearson, D. L.",
    1988,
    "Comparing the areas under two or more correlated receiver operating characteristic "
    "curves: a nonparametric approach",
    "Biometrics 44(3), 837-845",
    "10.2307/2531595",
)
ECB = Source(
    "European Central Bank",
    2019,
    "Instructions for reporting the validation results of internal models: IRB Pillar I "
    "models for credit risk",
    "ECB Banking Supervision",
)
EFRON = Source(
    "Efron, B.",
    1987,
    "Better bootstrap confidence intervals",
    "Journal of the American Statistical Association 82(397), 171-185",
    "10.1080/01621459.1987.10478410",
)
EFRON_TIBSHIRANI = Source(
    "Efron, B., Tibshirani, R. J.",
    1993,
    "An introduction to the bootstrap",
    "Chapman and Hall, New York",
    "10.1201/9780429246593",
)
ENGELMANN = Source(
    "Engelmann, B., Hayden, E., Tasche, D.",
    2003,
    "Testing rating accuracy",
    "Risk 16(1), 82-86",
)
FAY = Source(
    "Fay, M. P., Feuer, E. J.",
    1997,
    "Confidence intervals for directly standardized rates: a method based on the gamma "
    "distribution",
    "Statistics in Medicine 16(7), 791-801",
    "10.1002/(SICI)1097-0258(19970415)16:7<791::AID-SIM500>3.0.CO;2-#",
)
GOKTAS = Source(
    "Goktas, A., Isci, O.",
    2011,
    "A comparison of the most commonly used measures of association for doubly ordered "
    "square contingency tables via simulation",
    "Metodoloski zvezki 8(1), 17-37",
    "10.51936/milh5641",
)
GU = Source(
    "Gu, J., Ghosal, S., Roy, A.",
    2008,
    "Bayesian bootstrap estimation of ROC curve",
    "Statistics in Medicine 27(26), 5407-5420",
    "10.1002/sim.3366",
)
HOEFFDING = Source(
    "Hoeffding, W.",
    1963,
    "Probability inequalities for sums of bounded random variables",
    "Journal of the American Statistical Association 58(301), 13-30",
    "10.1080/01621459.1963.10500830",
)
HOLM = Source(
    "Holm, S.",
    1979,
    "A simple sequentially rejective multiple test procedure",
    "Scandinavian Journal of Statistics 6(2), 65-70",
)
JANES = Source(
    "Janes, H., Pepe, M. S.",
    2009,
    "Adjusting for covariate effects on classification accuracy using the "
    "covariate-adjusted receiver operating characteristic curve",
    "Biometrika 96(2), 371-382",
    "10.1093/biomet/asp002",
)
LANCASTER = Source(
    "Lancaster, H. O.",
    1961,
    "Significance tests in discrete distributions",
    "Journal of the American Statistical Association 56(294), 223-234",
    "10.1080/01621459.1961.10482105",
)
MIETTINEN = Source(
    "Miettinen, O., Nurminen, M.",
    1985,
    "Comparative analysis of two rates",
    "Statistics in Medicine 4(2), 213-226",
    "10.1002/sim.4780040211",
)
NEWCOMBE = Source(
    "Newcombe, R. G.",
    2006,
    "Confidence intervals for an effect size measure based on the Mann-Whitney statistic. "
    "Part 2: asymptotic methods and evaluation",
    "Statistics in Medicine 25(4), 559-573",
    "10.1002/sim.2324",
)
OBUCHOWSKI = Source(
    "Obuchowski, N. A.",
    1997,
    "Nonparametric analysis of clustered ROC curve data",
    "Biometrics 53(2), 567-578",
    "10.2307/2533958",
)
SCHECHTMAN = Source(
    "Schechtman, E., Yitzhaki, S.",
    1987,
    "A measure of association based on Gini's mean difference",
    "Communications in Statistics - Theory and Methods 16(1), 207-231",
    "10.1080/03610928708829359",
)
VAN_KLAVEREN = Source(
    "van Klaveren, D., Gonen, M., Steyerberg, E. W., Vergouwe, Y.",
    2016,
    "A new concordance measure for risk prediction models in external validation settings",
    "Statistics in Medicine 35(23), 4136-4152",
    "10.1002/sim.6997",
)
WELCH = Source(
    "Welch, B. L.",
    1951,
    "On the comparison of several mean values: an alternative approach",
    "Biometrika 38(3/4), 330-336",
    "10.1093/biomet/38.3-4.330",
)
WILSON = Source(
    "Wilson, E. B.",
    1927,
    "Probable inference, the law of succession, and statistical inference",
    "Journal of the American Statistical Association 22(158), 209-212",
    "10.2307/2276774",
)
NAMED = {"Clopper and Pearson (1934)": CLOPPER, "Fay and Feuer (1997)": FAY}


def list_sources(method: Facts) -> list[Facts]:
    """List the source of a method, and those that its text names."""
    named = [source.describe() for name, source in NAMED.items() if name in method["text"]]
    return named if method["source"] is None else [method["source"], *named]
