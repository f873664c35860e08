"""The designs in words and formulas, with which a reader can simulate a cell again."""

DESIGNS = """\
## Designs

Names of rows say what is drawn; here is how. z is always a new standard normal number,
independent of all others, Φ the standard normal distribution function, and a higher
score ranks earlier. The code is in `benchmarks/coverage_grid` (`designs.py`,
`measures.py`, `new_questions.py`). The rows of one table are simulated by
`PYTHONPATH=benchmarks python -m coverage_grid --only "AR, clusters"`.

**Sizes.** *20 of 400* are 20 events and 380 non-events; *about 20 of 1000* draws the
number of events: binomial, at least 2. *A score without any relation to the outcome* is
z for all rows. *margin at its edge*: the margin is the true difference.

**Scores.** Non-events are z, unless something else is said.

- *normal AR r*: events are d + z, where d = √2 Φ⁻¹((r + 1) / 2). *event sd q*: they are
  d + q z, where d = √(1 + q²) Φ⁻¹((r + 1) / 2).
- *lognormal AR r*: the exponential of normal scores of this AR. All results depend on the
  order of scores alone, so this is no other shape, but *normal AR r* once more with fresh
  random numbers.
- *exponential AR r*: non-events are exponential with mean 1, events with mean
  (1 + r) / (1 - r). *mirrored*: events are the negative of the first, non-events of the
  second.
- *Student's t3 shifted by x*: t with 3 degrees of freedom; x is added to those of
  events.
- *10 % of events undetectable, AR 0.97 of the others*: with this chance the score of an
  event is z, otherwise that of *normal AR 0.97*. *hidden among the best*: it is
  -2.5 + 0.5 z with this chance.
- *grades*: the number of cut-offs below a normal score. *5 grades*: -0.5, 0.5, 1.3, 2;
  of scores of AR 0.6 (then AR 0.57 of the grades) or 0.85 (0.82). *7 grades*: -2/3, 0,
  2/3, 4/3, 2, 8/3; of AR 0.6 (0.58). *6 grades, 70 % in the best*: 0.524, 0.9, 1.3,
  1.8, 2.4; of AR 0.8 (0.76) or 0.95 (0.94).
  *last grade but one*: the share that leaves out the last grade and 3 % of the one
  above.

**Weights.** *weights exp(b score)*: the weight of a row is exp(b s + 0.5 z), where s is
its score. The true values are those of the weighted population: normal scores with mean
m and standard deviation q have mean m + b q² there. Of two scores of the same rows s is
their mean. With clusters z is one for each obligor.

**Clusters.** *30 of 300* are 30 obligors in default and 270 others. Each has one score;
all of its facilities have this score and outcome, and AR is that of facilities. The
number of facilities of an obligor is

- *equal sizes*: 3;
- *geometric sizes*: k with probability (1/3) (2/3)^(k - 1), from 1 on, 3 on average;
- *lognormal sizes*: exp(0.3 + 1.2 z), rounded up;
- *related sizes*: 1 + Poisson with mean exp(0.5 s), so that obligors with a higher
  score have more;
- *both sizes*: 1 + Poisson with mean exp(0.5 s + z): related to the score, and very
  unequal besides.

*facilities default one by one*: the number of facilities is k with probability 1/2^k.
Each facility has two values, x and x', each √0.4 z + √0.6 z, of which the first z is
the same for all facilities of an obligor. Its score is 0.6 x + 0.8 x', and it defaults
if x is above Φ⁻¹(1 - rate), where the rate is 0.1.

**Two and more scores of the same rows.** *correlation c*: the score of a model is
√c z + √(1 - c) z, of which the first z is the same for all models; events have it times
their sd, plus the d of the model's AR. *obligors of geometric sizes* and *7 grades* are
as above.

**Two samples.** Both are drawn from the design, or one from each. At initial
validation, *AUC then known* is the true one with a variance of 0, *20 events then* are
of 400 rows, 50 of 500, 100 of 1000, 500 of 5000, 1000 of 10000; *20 events now* of 400,
100 of 1000, 500 of 5000.

**Amounts.** *lognormal losses*, *95 % zeros of n, severity sd q*: a row has no loss
with this chance, and its score is z; otherwise the loss is exp(q z), and the score
1.2 + 0.4 z + √(1 - 0.4²) z, with the first z that of the loss. A second score is drawn
anew for the same losses. *large losses ranked low*, *correlation c*: the same with c in
place of 0.4. *loss rates*, *correlation c*: the rate is that quantile of the beta
distribution with parameters 0.6 and 1.2 whose level is (Φ(z) - p) / (1 - p), where p is
the share of zeros, and 0 for levels below 0. The score is c z + √(1 - c²) z, with the
first z that of the rate; exposures are exp(z). Samples with less than two losses do not
count.

**Class labels.** The score of a row for its own label is that of an event, for each
other label z.

**Right PDs.** *20 of 1000 expected, log-odds sd q*: the probability p of a row has
log-odds a + q z, with a such that p is 20 / 1000 on average, and the event occurs with
probability p. Samples with less than two events or non-events do not count. *7 grades*:
z is replaced by the number of the seven grades' cut-offs below z + 0.5, less 2, with
the same a.

**Change, and a reference portfolio.** Six grades, both samples with n rows; grades are
drawn by their shares, events by their rates. At first the shares are 10, 25, 30, 20, 10
and 5 %, the rates 1, 2, 4, 8, 16 and 30 %. *mix changes*: the shares become 30, 30, 20,
10, 6 and 4 %, which are also those of the reference portfolio. *ranking changes*: with
these shares the rates become 3, 4, 6, 8, 12 and 20 %. *both change*: shares and rates.

**Planned power.** The plan is made for the true values; the test is that of a sample of
this size, or of two, whose sizes are both given where they differ.

**Segments.** *20 events* are of 400 rows in each of 5 segments and of 200 in each of 8,
*50 events* of 500; *20 to 200 events* are 20, 40, 60, 100 and 200, each of ten times as
many rows. For the pooled AR the score of segment i = 0, 1, 2, ... is 0.5 i higher.
"""
