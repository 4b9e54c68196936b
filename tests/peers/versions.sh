#!/bin/sh
# Versions of the peers, as comment lines of their table.
/usr/bin/python3 -W ignore -c '
import platform, numpy, scipy, sklearn, statsmodels, torch
print("# python", platform.python_version() + ", numpy", numpy.__version__ + ", scipy", scipy.__version__ + ", scikit-learn",
      sklearn.__version__ + ", torch", torch.__version__ + ", statsmodels", statsmodels.__version__)'
Rscript -e 'cat("# R ", format(getRversion()), paste0(", ", sapply(c("quantreg", "MASS", "ggplot2", "carData"),
  function(p) paste(p, format(packageVersion(p))))), "\n", sep = "")'
