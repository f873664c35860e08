"""The door for arrays, after scikit-learn's habits."""
