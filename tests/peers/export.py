"""Writes scikit-learn's diabetes data: two inputs in their own units, and the target."""
import sys
import sklearn
from sklearn.datasets import load_diabetes

d = load_diabetes(scaled=False)
names = list(d.feature_names)
with open(sys.argv[1] + "/diabetes.tsv", "w") as out:
    print(f"# scikit-learn {sklearn.__version__}, data set diabetes, unscaled; licence BSD-3-clause", file=out)
    print("# B. Efron et al. (2004), Annals of Statistics 32, 407-499", file=out)
    print("bmi\ts5\ttarget", file=out)
    for row, y in zip(d.data, d.target):
        print(f"{row[names.index('bmi')]:.10g}\t{row[names.index('s5')]:.10g}\t{y:.10g}", file=out)
