"""Draw the CAP curve of a random forest on the breast cancer data of scikit-learn."""

from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from capcurve import CAPCurveDisplay

rows, benign = load_breast_cancer(return_X_y=True)
malignant = 1 - benign  # the event that a screening should find
train_rows, test_rows, train, test = train_test_split(
    rows, malignant, test_size=0.5, stratify=malignant, random_state=0
)
forest = RandomForestClassifier(100, criterion="entropy", random_state=0)
forest.fit(train_rows, train)

display = CAPCurveDisplay.from_estimator(forest, test_rows, test, mark=0.5)
curve = display.curve
print(f"accuracy ratio        {curve.accuracy_ratio:.4f}")
print(f"captured at 50 %      {curve.capture_rate_at(0.5):.2%}")
print(f"share to capture 90 % {curve.population_share_for(0.9):.2%}")

auc = roc_auc_score(test, forest.predict_proba(test_rows)[:, 1])
assert abs(curve.accuracy_ratio - (2 * auc - 1)) < 1e-12

picture = Path("random_forest.png")
display.figure_.savefig(picture)
plt.close(display.figure_)
print(f"picture written to {picture.resolve()}")
