"""Show the CAP curve of five observations, and the curves of random classifiers."""

import numpy as np

from capcurve import CapCurve, cap_curve, perfect_cap_curve

scores = [0.2, 0.6, 0.8, 0.7, 0.4]
outcomes = [1, 0, 1, 1, 0]

share, captured, thresholds = cap_curve(outcomes, scores)
assert np.allclose(share, [0, 0.2, 0.4, 0.6, 0.8, 1])
assert np.allclose(captured, [0, 1 / 3, 2 / 3, 2 / 3, 2 / 3, 1])

curve = CapCurve.from_predictions(outcomes, scores)
rows, events = share * curve.total_weight, captured * curve.total_target
assert np.allclose(rows, [0, 1, 2, 3, 4, 5])
assert np.allclose(events, [0, 1, 2, 2, 2, 3])

print("threshold   share   captured   rows   events")
for point in zip(thresholds, share, captured, rows, events, strict=True):
    print("{:9.1f}   {:5.1f}   {:8.3f}   {:4.0f}   {:6.0f}".format(*point))

perfect = perfect_cap_curve(outcomes)
assert np.allclose(perfect.population_share, [0, 0.6, 1])
assert np.allclose(perfect.capture_rate, [0, 1, 1])
random = cap_curve(outcomes, np.zeros(5))  # an uninformative score: the diagonal
assert random.capture_rate.tolist() == random.population_share.tolist() == [0, 1]
print(f"accuracy ratio {curve.accuracy_ratio:.3f}\n")

print("the curves of random classifiers approach the diagonal")
rng = np.random.default_rng(0)
distances = []
for n_rows in (500, 1_000, 5_000, 10_000):
    guesses = [
        CapCurve.from_predictions(rng.random(n_rows) < 0.3, rng.random(n_rows))
        for _ in range(50)
    ]
    distance = np.mean(
        [np.abs(guess.capture_rate - guess.population_share).max() for guess in guesses]
    )
    distances.append(distance)
    print(f"{n_rows:6,} rows: on average, the largest distance is {distance:.3f}")
assert distances == sorted(distances, reverse=True)
assert distances[-1] < distances[0] / 3
