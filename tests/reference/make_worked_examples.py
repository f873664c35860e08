"""Generate worked_examples.json: small data sets with exact (rational) answers.

Everything is brute-force pair enumeration with fractions.Fraction; no sorting
tricks, no cumulative sums shared with a library implementation. Conventions:
  score: higher = riskier (CAP sorts descending); y: 1 = event/default, 0 = not.
  sign kernel s_ij = sign(score_i - score_j), i over events, j over non-events.
Run:  python make_worked_examples.py [--check]   (--check needs numpy, scipy, sklearn)
"""

from fractions import Fraction as F
import itertools
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def sgn(a, b):
    return (a > b) - (a < b)


def fr(x):
    return {"exact": str(F(x)), "float": float(F(x))}


def frlist(xs):
    return {"exact": [str(F(x)) for x in xs], "float": [float(F(x)) for x in xs]}


def pts(points):
    return {"x": frlist([p[0] for p in points]), "y": frlist([p[1] for p in points])}


# ---------------------------------------------------------------- CAP + AR
def cap_points(score, mass, value):
    """mass: contribution to x axis, value: contribution to y axis; by distinct score, descending."""
    W, V = sum(mass), sum(value)
    out = [(F(0), F(0))]
    for t in sorted(set(score), reverse=True):
        x = sum((m for s, m in zip(score, mass) if s >= t), F(0)) / W
        y = sum((v for s, v in zip(score, value) if s >= t), F(0)) / V
        out.append((x, y))
    return out


def area(points):
    return sum(
        ((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(points, points[1:])), F(0)
    )


def interp(points, x):
    for a, b in zip(points, points[1:]):
        if a[0] <= x <= b[0] and b[0] > a[0]:
            return a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0])
    raise ValueError


def envelope(score, y, w, x, best):
    """CAP height at x when inside each tie block events come first (best) or last (worst)."""
    n = len(score)
    key = lambda i: (-score[i], -y[i] if best else y[i])
    order = sorted(range(n), key=key)
    W = sum(w)
    WD = sum((w[i] for i in order if y[i] == 1), F(0))
    p = [(F(0), F(0))]
    for i in order:
        p.append((p[-1][0] + w[i] / W, p[-1][1] + (w[i] / WD if y[i] == 1 else 0)))
    return interp(p, x)


def binary_block(score, y, w=None, at=(F(1, 10), F(1, 5), F(1, 2))):
    n = len(y)
    weighted = w is not None
    w = [F(1)] * n if w is None else [F(v) for v in w]
    score = [F(s) for s in score]
    D = [i for i in range(n) if y[i] == 1]
    N = [i for i in range(n) if y[i] == 0]
    WD, WN = sum((w[i] for i in D), F(0)), sum((w[j] for j in N), F(0))
    conc = sum((w[i] * w[j] for i in D for j in N if score[i] > score[j]), F(0))
    disc = sum((w[i] * w[j] for i in D for j in N if score[i] < score[j]), F(0))
    tie = sum((w[i] * w[j] for i in D for j in N if score[i] == score[j]), F(0))
    tot = WD * WN
    AR = (conc - disc) / tot
    AUC = (conc + tie / 2) / tot
    pi = WD / (WD + WN)
    cp = cap_points(score, w, [w[i] * y[i] for i in range(n)])
    A = area(cp)
    Aperf = 1 - pi / 2
    assert AR == 2 * AUC - 1 == (A - F(1, 2)) / (Aperf - F(1, 2))
    assert A == pi / 2 + (1 - pi) * AUC
    # ROC points and KS by distinct threshold
    ks = F(0)
    ksg = F(0)
    roc = [(F(0), F(0))]
    for t in sorted(set(score), reverse=True):
        tpr = sum((w[i] for i in D if score[i] >= t), F(0)) / WD
        fpr = sum((w[j] for j in N if score[j] >= t), F(0)) / WN
        roc.append((fpr, tpr))
        ks = max(ks, abs(tpr - fpr))
        ksg = max(ksg, tpr - fpr)
    dev = max(abs(q[1] - q[0]) for q in cp)
    assert dev == (1 - pi) * ks
    out = {
        "n_events": len(D),
        "n_nonevents": len(N),
        "weight_events": fr(WD),
        "weight_nonevents": fr(WN),
        "event_rate": fr(pi),
        "pairs": {"concordant": fr(conc), "discordant": fr(disc), "tied": fr(tie)},
        "cap_points": pts(cp),
        "roc_points": pts(roc),
        "area_cap": fr(A),
        "area_perfect": fr(Aperf),
        "area_random": fr(F(1, 2)),
        "accuracy_ratio": fr(AR),
        "auc": fr(AUC),
        "unnormalised_gini": fr(2 * A - 1),
        "ar_ties_best_case": fr((conc + tie - disc) / tot),
        "ar_ties_worst_case": fr((conc - tie - disc) / tot),
        "ks": fr(ks),
        "ks_positive_part": fr(ksg),
        "max_cap_minus_diagonal": fr(dev),
        "capture_rate": {},
        "lift": {},
    }
    for x in at:
        c = interp(cp, x)
        out["capture_rate"][str(x)] = {
            "expected": fr(c),
            "best_tie_order": fr(envelope(score, y, w, x, True)),
            "worst_tie_order": fr(envelope(score, y, w, x, False)),
        }
        out["lift"][str(x)] = fr(c / x)
    # structural components on the AR (sign) scale, weighted by the other class
    v10 = [sum((w[j] * sgn(score[i], score[j]) for j in N), F(0)) / WN for i in D]
    v01 = [sum((w[i] * sgn(score[i], score[j]) for i in D), F(0)) / WD for j in N]
    out["placements_ar_scale"] = {"events": frlist(v10), "nonevents": frlist(v01)}
    m, k = len(D), len(N)
    var = {}
    if not weighted:
        if m > 1 and k > 1:
            S10 = sum((v - AR) ** 2 for v in v10) / (m - 1)
            S01 = sum((v - AR) ** 2 for v in v01) / (k - 1)
            dl = S10 / m + S01 / k
            # EHT by explicit enumeration of the three probabilities
            s = [[sgn(score[i], score[j]) for j in N] for i in D]
            p_ne = F(sum(v * v for r in s for v in r), m * k)
            p_ddn = F(
                sum(
                    s[a][j] * s[b][j]
                    for a in range(m)
                    for b in range(m)
                    if a != b
                    for j in range(k)
                ),
                m * (m - 1) * k,
            )
            p_nnd = F(
                sum(
                    s[i][a] * s[i][b]
                    for a in range(k)
                    for b in range(k)
                    if a != b
                    for i in range(m)
                ),
                k * (k - 1) * m,
            )
            eht_auc = (
                p_ne
                + (m - 1) * p_ddn
                + (k - 1) * p_nnd
                - 4 * (m + k - 1) * (AUC - F(1, 2)) ** 2
            ) / (4 * (m - 1) * (k - 1))
            # closed form from row/column sums, and the two-way ANOVA identity
            R = [sum(r) for r in s]
            C = [sum(s[i][j] for i in range(m)) for j in range(k)]
            T = sum(v * v for r in s for v in r)
            S = sum(R)
            closed = (
                sum(c * c for c in C)
                + sum(r * r for r in R)
                - T
                - F((m + k - 1) * S * S, m * k)
            ) / F(m * k * (m - 1) * (k - 1))
            assert closed == 4 * eht_auc
            mse = sum(
                (s[i][j] - v10[i] - v01[j] + AR) ** 2 for i in range(m) for j in range(k)
            ) / F((m - 1) * (k - 1))
            assert dl - mse / (m * k) == closed
            # Bamber / Hanley-McNeil non-parametric (biased plug-in) variance of AUC
            plug = (
                p_ne
                + (m - 1) * p_ddn
                + (k - 1) * p_nnd
                - 4 * (m + k - 1) * (AUC - F(1, 2)) ** 2
            ) / (4 * m * k)
            q1, q2 = AUC / (2 - AUC), 2 * AUC**2 / (1 + AUC)
            hm = (AUC * (1 - AUC) + (m - 1) * (q1 - AUC**2) + (k - 1) * (q2 - AUC**2)) / (
                m * k
            )
            var = {
                "P_D_ne_ND": fr(p_ne),
                "P_D_D_ND": fr(p_ddn),
                "P_ND_ND_D": fr(p_nnd),
                "eht_var_auc": fr(eht_auc),
                "eht_var_ar": fr(4 * eht_auc),
                "delong_S10_ar_scale": fr(S10),
                "delong_S01_ar_scale": fr(S01),
                "delong_var_ar": fr(dl),
                "delong_var_auc": fr(dl / 4),
                "somers_d_asymptotic_var_ar": fr(
                    sum((v - AR) ** 2 for v in v10) / m**2
                    + sum((v - AR) ** 2 for v in v01) / k**2
                ),
                "interaction_mean_square": fr(mse),
                "plugin_var_auc": fr(plug),
                "hanley_mcneil_1982_var_auc": fr(hm),
                "mann_whitney_U": fr(AUC * m * k),
            }
        else:
            var = {
                "note": "fewer than two events or two non-events: variance undefined (library: nan/None)"
            }
    else:
        # sampling/importance weights: Hajek (sandwich) variance with m/(m-1) per class
        if m > 1 and k > 1:
            a = sum((w[i] ** 2 * (v - AR) ** 2 for i, v in zip(D, v10)), F(0)) / WD**2
            b = sum((w[j] ** 2 * (v - AR) ** 2 for j, v in zip(N, v01)), F(0)) / WN**2
            var = {
                "weighted_sandwich_var_ar": fr(a * F(m, m - 1) + b * F(k, k - 1)),
                "weighted_sandwich_var_ar_no_ssc": fr(a + b),
            }
        if all(v.denominator == 1 for v in w) and WD > 1 and WN > 1:
            S10 = sum((w[i] * (v - AR) ** 2 for i, v in zip(D, v10)), F(0)) / (WD - 1)
            S01 = sum((w[j] * (v - AR) ** 2 for j, v in zip(N, v01)), F(0)) / (WN - 1)
            var["frequency_weights_delong_var_ar"] = fr(S10 / WD + S01 / WN)
    out["variance"] = var
    return out


# ------------------------------------------------------- paired comparison
def paired_block(s1, s2, y):
    n = len(y)
    D = [i for i in range(n) if y[i] == 1]
    N = [i for i in range(n) if y[i] == 0]
    m, k = len(D), len(N)
    K = []
    for s in (s1, s2):
        K.append([[sgn(F(s[i]), F(s[j])) for j in N] for i in D])
    AR = [F(sum(map(sum, A)), m * k) for A in K]
    v10 = [[F(sum(A[i]), k) for i in range(m)] for A in K]
    v01 = [[F(sum(A[i][j] for i in range(m)), m) for j in range(k)] for A in K]

    def dl(a, b):
        return sum((v10[a][i] - AR[a]) * (v10[b][i] - AR[b]) for i in range(m)) / F(
            (m - 1) * m
        ) + sum((v01[a][j] - AR[a]) * (v01[b][j] - AR[b]) for j in range(k)) / F(
            (k - 1) * k
        )

    def eht(a, b):
        A, B = K[a], K[b]
        p0 = F(sum(A[i][j] * B[i][j] for i in range(m) for j in range(k)), m * k)
        p1 = F(
            sum(
                A[p][j] * B[q][j]
                for p in range(m)
                for q in range(m)
                if p != q
                for j in range(k)
            ),
            m * (m - 1) * k,
        )
        p2 = F(
            sum(
                A[i][p] * B[i][q]
                for p in range(k)
                for q in range(k)
                if p != q
                for i in range(m)
            ),
            k * (k - 1) * m,
        )
        return (p0 + (m - 1) * p1 + (k - 1) * p2 - (m + k - 1) * AR[a] * AR[b]) / F(
            (m - 1) * (k - 1)
        )

    res = {
        "ar_model_1": fr(AR[0]),
        "ar_model_2": fr(AR[1]),
        "difference_1_minus_2": fr(AR[0] - AR[1]),
    }
    for name, f in (("delong", dl), ("eht", eht)):
        v = f(0, 0) + f(1, 1) - 2 * f(0, 1)
        chi2 = (AR[0] - AR[1]) ** 2 / v if v > 0 else None
        res[name] = {
            "var_1": fr(f(0, 0)),
            "var_2": fr(f(1, 1)),
            "cov_12": fr(f(0, 1)),
            "var_difference": fr(v),
            "chi2_1df": fr(chi2) if chi2 is not None else None,
            "p_two_sided": math.erfc(math.sqrt(float(chi2) / 2))
            if chi2 is not None
            else None,
        }
    return res


# -------------------------------------------- non-binary outcomes, general
def general_block(score, y, w=None):
    """Normalised Gini (Gini correlation) and Somers' D(score|y)/gAUC by pair enumeration."""
    n = len(y)
    w = [F(1)] * n if w is None else [F(v) for v in w]
    s, y = [F(v) for v in score], [F(v) for v in y]
    W = sum(w)
    num = den = P = Q = T = F(0)
    for i, j in itertools.combinations(range(n), 2):
        c = w[i] * w[j]
        dy, ds = sgn(y[i], y[j]), sgn(s[i], s[j])
        num += c * abs(y[i] - y[j]) * dy * ds
        den += c * abs(y[i] - y[j])
        P += c * (dy * ds > 0)
        Q += c * (dy * ds < 0)
        T += c * (dy != 0 and ds == 0)
    ng = num / den
    D = (P - Q) / (P + Q + T)
    cp = cap_points(s, w, [a * b for a, b in zip(w, y)])
    pf = cap_points(y, w, [a * b for a, b in zip(w, y)])
    g, gp = 2 * area(cp) - 1, 2 * area(pf) - 1
    assert ng == g / gp

    # influence-function variance (general, weighted): IF_i = 2 (h_i - theta g_i) / Dn
    def if_var(kern_n, kern_d, theta):
        Dn = (
            sum((w[i] * w[j] * kern_d(i, j) for i in range(n) for j in range(n)), F(0))
            / W**2
        )
        tot = F(0)
        for i in range(n):
            h = sum((w[j] * kern_n(i, j) for j in range(n)), F(0)) / W
            gg = sum((w[j] * kern_d(i, j) for j in range(n)), F(0)) / W
            tot += w[i] ** 2 * (2 * (h - theta * gg) / Dn) ** 2
        return tot / W**2

    vg = if_var(
        lambda i, j: (y[i] - y[j]) * sgn(s[i], s[j]), lambda i, j: abs(y[i] - y[j]), ng
    )
    vd = if_var(
        lambda i, j: sgn(y[i], y[j]) * sgn(s[i], s[j]), lambda i, j: int(y[i] != y[j]), D
    )
    return {
        "concentration_points": pts(cp),
        "perfect_points": pts(pf),
        "gini_score": fr(g),
        "gini_perfect": fr(gp),
        "normalised_gini": fr(ng),
        "normalised_gini_if_variance": fr(vg),
        "pairs_untied_on_y": {
            "concordant": fr(P),
            "discordant": fr(Q),
            "tied_on_score": fr(T),
        },
        "somers_d_score_given_y": fr(D),
        "gauc": fr((D + 1) / 2),
        "somers_d_if_variance": fr(vd),
        "gauc_if_variance": fr(vd / 4),
    }


def gauc_table(tab):
    """Rows = realised class (conditioning), columns = predicted grade, counts."""
    I, J = len(tab), len(tab[0])
    n = sum(map(sum, tab))
    r = [sum(t) for t in tab]
    A = [
        [
            sum(tab[k][l] for k in range(I) for l in range(J) if (k - i) * (l - j) > 0)
            for j in range(J)
        ]
        for i in range(I)
    ]
    Dm = [
        [
            sum(tab[k][l] for k in range(I) for l in range(J) if (k - i) * (l - j) < 0)
            for j in range(J)
        ]
        for i in range(I)
    ]
    P = sum(tab[i][j] * A[i][j] for i in range(I) for j in range(J))
    Q = sum(tab[i][j] * Dm[i][j] for i in range(I) for j in range(J))
    wr = n * n - sum(v * v for v in r)
    D = F(P - Q, wr)
    ss = sum(
        tab[i][j] * (wr * (A[i][j] - Dm[i][j]) - (P - Q) * (n - r[i])) ** 2
        for i in range(I)
        for j in range(J)
    )
    return {
        "P": P,
        "Q": Q,
        "w_r": wr,
        "somers_d": fr(D),
        "gauc": fr((D + 1) / 2),
        "var_somers_d": fr(F(4 * ss, wr**4)),
        "var_gauc": fr(F(ss, wr**4)),
    }


def cluster_block(score, y, cl):
    n = len(y)
    score = [F(s) for s in score]
    D = [i for i in range(n) if y[i] == 1]
    N = [i for i in range(n) if y[i] == 0]
    m, k = len(D), len(N)
    AR = F(sum(sgn(score[i], score[j]) for i in D for j in N), m * k)
    v = {}
    for i in D:
        v[i] = F(sum(sgn(score[i], score[j]) for j in N), k)
    for j in N:
        v[j] = F(sum(sgn(score[i], score[j]) for i in D), m)
    ids = sorted(set(cl))
    a = {c: sum((v[i] - AR for i in D if cl[i] == c), F(0)) for c in ids}
    b = {c: sum((v[j] - AR for j in N if cl[j] == c), F(0)) for c in ids}
    I10 = len({cl[i] for i in D})
    I01 = len({cl[j] for j in N})
    I = len(ids)
    S10 = F(I10, (I10 - 1) * m) * sum(x * x for x in a.values())
    S01 = F(I01, (I01 - 1) * k) * sum(x * x for x in b.values())
    S11 = F(I, I - 1) * sum(a[c] * b[c] for c in ids)
    ob = S10 / m + S01 / k + 2 * S11 / (m * k)
    psi = [a[c] / m + b[c] / k for c in ids]
    return {
        "accuracy_ratio": fr(AR),
        "I": I,
        "I10": I10,
        "I01": I01,
        "obuchowski_var_ar": fr(ob),
        "obuchowski_var_auc": fr(ob / 4),
        "influence_cluster_var_ar_no_ssc": fr(sum(x * x for x in psi)),
        "influence_cluster_var_ar_ssc": fr(F(I, I - 1) * sum(x * x for x in psi)),
    }


def sketch_block(score, y, edges):
    """Bounds when only per-bin (events, non-events) counts are kept; bins ordered, higher bin = riskier."""
    score = [F(s) for s in score]
    edges = [F(e) for e in edges]
    b = [sum(s >= e for e in edges) for s in score]
    nb = len(edges) + 1
    d = [sum(1 for q, yy in zip(b, y) if q == r and yy == 1) for r in range(nb)]
    k = [sum(1 for q, yy in zip(b, y) if q == r and yy == 0) for r in range(nb)]
    Dt, Nt = sum(d), sum(k)
    base = sum(d[r] * (sum(k[:r]) - sum(k[r + 1 :])) for r in range(nb))
    amb = sum(d[r] * k[r] for r in range(nb))
    pure = [len({s for s, q in zip(score, b) if q == r}) <= 1 for r in range(nb)]
    amb2 = sum(d[r] * k[r] for r in range(nb) if not pure[r])
    den = Dt * Nt
    true = F(
        sum(
            sgn(score[i], score[j])
            for i in range(len(y))
            if y[i] == 1
            for j in range(len(y))
            if y[j] == 0
        ),
        den,
    )
    out = {
        "bin_events": d,
        "bin_nonevents": k,
        "ar_mid": fr(F(base, den)),
        "ar_lower": fr(F(base - amb, den)),
        "ar_upper": fr(F(base + amb, den)),
        "half_width": fr(F(amb, den)),
        "single_valued_bins": pure,
        "ar_lower_with_minmax": fr(F(base - amb2, den)),
        "ar_upper_with_minmax": fr(F(base + amb2, den)),
        "ar_true": fr(true),
    }
    assert F(base - amb2, den) <= true <= F(base + amb2, den)
    return out


def multiclass_block(prob, y, classes):
    n = len(y)
    per = []
    for c, cls in enumerate(classes):
        yy = [1 if v == cls else 0 for v in y]
        s = [F(p[c]) for p in prob]
        D = [i for i in range(n) if yy[i]]
        N = [i for i in range(n) if not yy[i]]
        per.append(F(sum(sgn(s[i], s[j]) for i in D for j in N), len(D) * len(N)))
    freq = [F(sum(v == c for v in y), n) for c in classes]
    return {
        "per_class": frlist(per),
        "macro": fr(sum(per) / len(per)),
        "macro_weighted": fr(sum(a * b for a, b in zip(per, freq))),
    }


def hyper_block(n, D, k):
    tot = math.comb(n, k)
    pmf = [
        F(math.comb(D, h) * math.comb(n - D, k - h), tot) if 0 <= k - h <= n - D else F(0)
        for h in range(D + 1)
    ]
    mean = sum(F(h, D) * p for h, p in enumerate(pmf))
    var = sum((F(h, D) - mean) ** 2 * p for h, p in enumerate(pmf))
    assert mean == F(k, n) and var == F(k, n) * (1 - F(k, n)) * F(n - D, D * (n - 1))
    return {
        "n": n,
        "events": D,
        "k": k,
        "pmf_of_captured_events": frlist(pmf),
        "mean_capture": fr(mean),
        "var_capture": fr(var),
    }


def null_block(n, D):
    """Exact permutation distribution of AR and KS without ties, by enumerating all positions of the events."""
    ar, ks = {}, {}
    N = n - D
    for pos in itertools.combinations(range(n), D):  # rank 0 = riskiest
        pos = set(pos)
        td = tn = 0
        s = 0
        best = F(0)
        for r in range(n):
            if r in pos:
                s += (N - tn) - tn
                td += 1
            else:
                tn += 1
            best = max(best, abs(F(td, D) - F(tn, N)))
        a = F(s, D * N)
        ar[a] = ar.get(a, 0) + 1
        ks[best] = ks.get(best, 0) + 1
    tot = math.comb(n, D)
    mean = sum(a * c for a, c in ar.items()) / tot
    var = sum((a - mean) ** 2 * c for a, c in ar.items()) / tot
    assert mean == 0 and var == F(n + 1, 3 * D * N)
    f = lambda dct: {
        "value": frlist(sorted(dct)),
        "prob": frlist([F(dct[v], tot) for v in sorted(dct)]),
    }
    return {
        "n": n,
        "events": D,
        "ar_distribution": f(ar),
        "ks_distribution": f(ks),
        "var_ar_null": fr(var),
    }


def build():
    ex = []

    def binary(id_, desc, score, y, w=None, **kw):
        inp = {"score": [str(s) for s in score], "y": list(y)}
        if w is not None:
            inp["weight"] = [str(v) for v in w]
        ex.append(
            {
                "id": id_,
                "kind": "binary",
                "description": desc,
                "input": inp,
                "expected": binary_block(score, y, w, **kw),
            }
        )

    binary("b1_no_ties", "five borrowers, no ties", [5, 4, 3, 2, 1], [1, 0, 1, 0, 0])
    binary(
        "b2_mixed_ties",
        "eight borrowers, two mixed tie blocks",
        ["0.9", "0.8", "0.8", "0.7", "0.5", "0.5", "0.5", "0.2"],
        [1, 1, 0, 0, 1, 0, 0, 0],
    )
    grades = [(4, 3, 1), (3, 2, 4), (2, 1, 6), (1, 0, 5)]
    sc, yy = [], []
    for g, d, k in grades:
        sc += [g] * (d + k)
        yy += [1] * d + [0] * k
    binary(
        "b3_rating_grades",
        "four rating grades (grade 4 worst), 6 defaults among 22",
        sc,
        yy,
    )
    binary(
        "b4_weights",
        "exposure / sampling weights, one mixed tie block",
        [6, 5, 5, 4, 3, 2, 1],
        [1, 0, 1, 1, 0, 0, 0],
        ["2", "1/2", "1", "3/2", "1", "2", "4"],
    )
    binary(
        "b5_frequency_weights",
        "integer weights; must equal b5r (rows repeated) for AR and frequency-weight DeLong",
        [3, 3, 2, 2, 1],
        [1, 0, 1, 0, 0],
        [2, 1, 1, 3, 4],
    )
    binary(
        "b5r_rows_repeated",
        "b5 with rows repeated",
        [3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1],
        [1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0],
    )
    binary(
        "b6_perfect",
        "perfect separation: AR 1, every variance estimate is 0",
        [6, 5, 4, 3, 2, 1],
        [1, 1, 0, 0, 0, 0],
    )
    binary(
        "b7_constant_score",
        "one tie block: AR 0, CAP is the diagonal, tie bounds are -1 and 1",
        [1, 1, 1, 1, 1],
        [1, 0, 0, 1, 0],
    )
    binary(
        "b8_reversed", "perfectly wrong ranking: AR -1", [1, 2, 3, 4, 5], [1, 1, 0, 0, 0]
    )
    binary(
        "b9_single_event",
        "one default: AR defined, variance undefined",
        [4, 3, 3, 2, 1],
        [0, 1, 0, 0, 0],
    )
    binary(
        "b10_negative_with_ties",
        "AR below zero, with ties",
        [1, 1, 2, 2, 3, 3, 4, 4],
        [1, 1, 0, 1, 0, 0, 1, 0],
    )
    ex.append(
        {
            "id": "p1_paired",
            "kind": "paired",
            "description": "two models on the same ten borrowers",
            "input": {
                "score_1": ["10", "9", "8", "7", "6", "5", "4", "3", "2", "1"],
                "score_2": ["7", "10", "9", "4", "8", "3", "6", "5", "2", "1"],
                "y": [1, 1, 0, 1, 0, 1, 0, 0, 0, 0],
            },
            "expected": paired_block(
                [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
                [7, 10, 9, 4, 8, 3, 6, 5, 2, 1],
                [1, 1, 0, 1, 0, 1, 0, 0, 0, 0],
            ),
        }
    )
    a = [3, 3, 2, 2, 1, 1, 3, 2, 1]
    b = [3, 2, 2, 1, 1, 1, 2, 3, 2]
    yy = [1, 1, 1, 0, 0, 0, 0, 0, 0]
    ex.append(
        {
            "id": "p2_paired_ties",
            "kind": "paired",
            "description": "two three-grade systems on the same nine borrowers (ties)",
            "input": {"score_1": a, "score_2": b, "y": yy},
            "expected": paired_block(a, b, yy),
        }
    )
    for id_, desc, a, b in [
        (
            "p3_degenerate_difference",
            "four rows: AR differs by 1, DeLong Var(difference) is 0 and EHT is -1; no test possible, guard the division",
            [6, 3, 2, 5],
            [5, 0, 1, 6],
        ),
        (
            "p4_negative_eht_difference",
            "EHT variance of the difference is negative while DeLong is positive: guard the square root",
            [0, 1, 0, 2],
            [1, 3, 0, 2],
        ),
    ]:
        yy = [1, 1, 0, 0]
        ex.append(
            {
                "id": id_,
                "kind": "paired",
                "description": desc,
                "input": {"score_1": a, "score_2": b, "y": yy},
                "expected": paired_block(a, b, yy),
            }
        )
    for id_, desc, s, y, w in [
        (
            "g1_lgd",
            "continuous outcome (LGD), ties in score and in outcome",
            ["0.6", "0.6", "0.4", "0.3", "0.3", "0.1"],
            ["0.9", "0.5", "0.5", "0.2", "0", "0"],
            None,
        ),
        (
            "g2_lgd_ead_weighted",
            "g1 with exposure weights (loss capture ratio)",
            ["0.6", "0.6", "0.4", "0.3", "0.3", "0.1"],
            ["0.9", "0.5", "0.5", "0.2", "0", "0"],
            [1, 2, 1, 3, 1, 2],
        ),
        (
            "g3_binary_as_general",
            "b2 through the general formulas: normalised Gini = Somers' D = AR",
            ["0.9", "0.8", "0.8", "0.7", "0.5", "0.5", "0.5", "0.2"],
            [1, 1, 0, 0, 1, 0, 0, 0],
            None,
        ),
        (
            "g4_ordinal",
            "three ordered outcome classes",
            [4, 3, 3, 2, 2, 1, 1],
            [2, 2, 1, 1, 0, 1, 0],
            None,
        ),
    ]:
        ex.append(
            {
                "id": id_,
                "kind": "general",
                "description": desc,
                "input": {
                    "score": [str(v) for v in s],
                    "y": [str(v) for v in y],
                    **({"weight": w} if w else {}),
                },
                "expected": general_block(s, y, w),
            }
        )
    for id_, desc, tab in [
        (
            "t1_gauc_table",
            "gAUC from a contingency table; rows realised LGD class (conditioning), columns predicted grade",
            [[8, 3, 1], [3, 6, 4], [1, 2, 7]],
        ),
        (
            "t2_gauc_binary",
            "two realised classes: gAUC = AUC of b3 with its Somers' D asymptotic variance",
            [[5, 6, 4, 1], [0, 1, 2, 3]],
        ),
    ]:
        ex.append(
            {
                "id": id_,
                "kind": "gauc_table",
                "description": desc,
                "input": {"table": tab},
                "expected": gauc_table(tab),
            }
        )
    s, y, c = (
        [6, 5, 4, 4, 3, 2, 2, 1],
        [1, 0, 1, 0, 1, 0, 0, 0],
        ["A", "A", "B", "B", "C", "C", "D", "E"],
    )
    ex.append(
        {
            "id": "c1_clusters",
            "kind": "clustered",
            "description": "obligor clusters mixing events and non-events",
            "input": {"score": s, "y": y, "cluster": c},
            "expected": cluster_block(s, y, c),
        }
    )
    s = ["0.91", "0.84", "0.77", "0.62", "0.55", "0.55", "0.41", "0.38", "0.22", "0.05"]
    y = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
    ex.append(
        {
            "id": "s1_sketch",
            "kind": "binned_bounds",
            "description": "bins split at 0.25, 0.5, 0.6, 0.8",
            "input": {"score": s, "y": y, "edges": ["0.25", "0.5", "0.6", "0.8"]},
            "expected": sketch_block(s, y, ["0.25", "0.5", "0.6", "0.8"]),
        }
    )
    prob = [
        ["0.7", "0.2", "0.1"],
        ["0.5", "0.3", "0.2"],
        ["0.2", "0.5", "0.3"],
        ["0.3", "0.3", "0.4"],
        ["0.1", "0.2", "0.7"],
        ["0.3", "0.6", "0.1"],
    ]
    y = ["a", "a", "b", "b", "c", "a"]
    ex.append(
        {
            "id": "m1_multiclass",
            "kind": "multiclass",
            "description": "one-vs-rest AR, macro and prevalence-weighted",
            "input": {"prob": prob, "y": y, "classes": ["a", "b", "c"]},
            "expected": multiclass_block(prob, y, ["a", "b", "c"]),
        }
    )
    ex.append(
        {
            "id": "h1_random_band",
            "kind": "hypergeometric",
            "description": "captured events in the top k under a random ordering",
            "input": {"n": 10, "events": 3, "k": 4},
            "expected": hyper_block(10, 3, 4),
        }
    )
    ex.append(
        {
            "id": "h2_null_distribution",
            "kind": "null",
            "description": "exact null distribution of AR and KS, 8 borrowers, 3 events, no ties",
            "input": {"n": 8, "events": 3},
            "expected": null_block(8, 3),
        }
    )
    e3 = next(e for e in ex if e["id"] == "b3_rating_grades")["expected"]
    s2 = F(e3["variance"]["delong_var_auc"]["exact"])
    auc = F(e3["auc"]["exact"])
    init = F(9, 10)
    S = float(init - auc) / math.sqrt(s2)
    ex.append(
        {
            "id": "e1_ecb_pd",
            "kind": "ecb_auc_test",
            "description": "ECB (2019) PD test: current = b3, AUC at initial validation 0.90 (taken as fixed)",
            "input": {"current": "b3_rating_grades", "auc_init": "9/10"},
            "expected": {
                "auc_current": fr(auc),
                "variance_s2": fr(s2),
                "S": S,
                "p_value": 0.5 * math.erfc(S / math.sqrt(2)),
            },
        }
    )
    return ex


def check(ex):
    import numpy as np
    from scipy import stats
    from sklearn.metrics import roc_auc_score

    n = 0
    for e in ex:
        if e["kind"] == "binary":
            s = np.array([float(F(v)) for v in e["input"]["score"]])
            y = np.array(e["input"]["y"])
            w = (
                np.array([float(F(v)) for v in e["input"]["weight"]])
                if "weight" in e["input"]
                else None
            )
            auc = roc_auc_score(y, s, sample_weight=w)
            assert abs(auc - e["expected"]["auc"]["float"]) < 1e-12, e["id"]
            assert abs(2 * auc - 1 - e["expected"]["accuracy_ratio"]["float"]) < 1e-12
            n += 1
            if w is None:
                d = stats.somersd(
                    y, s
                )  # nan for a constant score; AR is 0 by the AUC definition
                assert (
                    np.isnan(d.statistic)
                    or abs(d.statistic - e["expected"]["accuracy_ratio"]["float"]) < 1e-12
                ), (e["id"], d)
                u = stats.mannwhitneyu(s[y == 1], s[y == 0]).statistic
                assert abs(u / ((y == 1).sum() * (y == 0).sum()) - auc) < 1e-12
                ks = stats.ks_2samp(s[y == 1], s[y == 0]).statistic
                assert abs(ks - e["expected"]["ks"]["float"]) < 1e-12
                v = e["expected"]["variance"]
                if "delong_var_auc" in v:  # midrank DeLong (Sun & Xu)
                    x, z = s[y == 1], s[y == 0]
                    m, k = len(x), len(z)
                    rz, rx, ry = (
                        stats.rankdata(np.r_[x, z]),
                        stats.rankdata(x),
                        stats.rankdata(z),
                    )
                    v10, v01 = (rz[:m] - rx) / k, 1 - (rz[m:] - ry) / m
                    dl = v10.var(ddof=1) / m + v01.var(ddof=1) / k
                    assert abs(dl - v["delong_var_auc"]["float"]) < 1e-12
                    n += 1
        if e["kind"] == "hypergeometric":
            i = e["input"]
            pm = stats.hypergeom(i["n"], i["events"], i["k"]).pmf(range(i["events"] + 1))
            assert np.allclose(pm, e["expected"]["pmf_of_captured_events"]["float"])
            n += 1
        if e["kind"] == "gauc_table":
            r = stats.somersd(np.array(e["input"]["table"]))
            assert abs(r.statistic - e["expected"]["somers_d"]["float"]) < 1e-12
            n += 1
        if e["kind"] == "general" and "weight" not in e["input"]:
            s = [float(F(v)) for v in e["input"]["score"]]
            y = [float(F(v)) for v in e["input"]["y"]]
            assert (
                abs(
                    stats.somersd(y, s).statistic
                    - e["expected"]["somers_d_score_given_y"]["float"]
                )
                < 1e-12
            )
            rk = lambda a: stats.rankdata(a)
            c = np.cov(y, rk(s))[0, 1] / np.cov(y, rk(y))[0, 1]
            assert abs(c - e["expected"]["normalised_gini"]["float"]) < 1e-12
            n += 1
        if e["kind"] == "multiclass":
            P = np.array([[float(F(v)) for v in r] for r in e["input"]["prob"]])
            y = np.array(e["input"]["y"])
            a = roc_auc_score(y, P, multi_class="ovr", average="macro")
            b = roc_auc_score(y, P, multi_class="ovr", average="weighted")
            assert abs(2 * a - 1 - e["expected"]["macro"]["float"]) < 1e-12
            assert abs(2 * b - 1 - e["expected"]["macro_weighted"]["float"]) < 1e-12
            n += 1
    for e in ex:
        if e["kind"] == "paired":  # independent: midrank DeLong covariance with numpy
            y = np.array(e["input"]["y"])
            V = []
            for k in ("score_1", "score_2"):
                s = np.array([float(F(v)) for v in e["input"][k]])
                x, z = s[y == 1], s[y == 0]
                rz = stats.rankdata(np.r_[x, z])
                m = len(x)
                V.append(
                    (
                        2 * (rz[:m] - stats.rankdata(x)) / len(z) - 1,
                        2 * (1 - (rz[m:] - stats.rankdata(z)) / m) - 1,
                    )
                )
                assert abs(V[-1][0].mean() - (2 * roc_auc_score(y, s) - 1)) < 1e-12
            cov = np.cov(V[0][0], V[1][0])[0, 1] / len(V[0][0]) + np.cov(V[0][1], V[1][1])[
                0, 1
            ] / len(V[0][1])
            assert abs(cov - e["expected"]["delong"]["cov_12"]["float"]) < 1e-12
            n += 1
    by = {e["id"]: e["expected"] for e in ex}
    assert (
        by["b5_frequency_weights"]["variance"]["frequency_weights_delong_var_ar"]
        == by["b5r_rows_repeated"]["variance"]["delong_var_ar"]
    )
    assert (
        by["b5_frequency_weights"]["accuracy_ratio"]
        == by["b5r_rows_repeated"]["accuracy_ratio"]
    )
    assert by["t2_gauc_binary"]["gauc"] == by["b3_rating_grades"]["auc"]
    assert (
        by["t2_gauc_binary"]["var_somers_d"]
        == by["b3_rating_grades"]["variance"]["somers_d_asymptotic_var_ar"]
    )
    assert (
        by["g3_binary_as_general"]["normalised_gini"]
        == by["g3_binary_as_general"]["somers_d_score_given_y"]
        == by["b2_mixed_ties"]["accuracy_ratio"]
    )
    assert (
        by["g3_binary_as_general"]["somers_d_if_variance"]
        == by["g3_binary_as_general"]["normalised_gini_if_variance"]
        == by["b2_mixed_ties"]["variance"]["somers_d_asymptotic_var_ar"]
    )
    print("checks passed:", n, "examples against sklearn/scipy, plus cross identities")


if __name__ == "__main__":
    ex = build()
    doc = {
        "conventions": {
            "score": "higher = riskier; the CAP is read from the highest score down",
            "y": "1 = event (default), 0 = non-event; kind 'general' takes any non-negative number",
            "exact": "rational number as text, e.g. 2/3; float = nearest double",
            "variance": "delong/eht/somers values are for AR unless the key ends in _auc; Var(AR) = 4 Var(AUC)",
            "capture_rate": "CAP height at that share of the weighted population; linear inside a tie block (expected value under random tie order)",
        },
        "examples": ex,
    }
    with open(os.path.join(HERE, "worked_examples.json"), "w") as f:
        json.dump(doc, f, indent=1)
        f.write("\n")
    print(len(ex), "examples written")
    if "--check" in sys.argv:
        check(ex)
