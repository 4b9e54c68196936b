# Writes the data sets of datasets.tsv that R packages carry: Rscript export.R FOLDER LARGE_FOLDER
folders <- commandArgs(TRUE)
sets <- read.delim("tests/peers/datasets.tsv", comment.char = "#")
homes <- c("r-cran-mass" = "MASS", "r-cran-quantreg" = "quantreg", "r-cran-ggplot2" = "ggplot2",
           "r-cran-cardata" = "carData", "r-base-core" = "datasets")
for (i in seq_len(nrow(sets))) {
  s <- sets[i, ]
  if (!(s$package %in% names(homes)) || s$set %in% c("faithful", "mcycle")) next # those two are in the tree
  home <- homes[[s$package]]
  got <- new.env()
  data(list = s$set, package = home, envir = got)
  columns <- c(s$x1, if (!is.na(s$x2)) s$x2, s$y)
  d <- na.omit(as.data.frame(get(s$set, envir = got))[, columns])
  stopifnot(nrow(d) == s$rows)
  file <- file.path(folders[if (s$rows > 10000) 2 else 1], paste0(s$set, ".tsv"))
  writeLines(c(paste0("# R package ", home, " ", packageVersion(home), ", data set ", s$set, "; licence ", s$licence),
               paste0("# ", s$source)), file)
  suppressWarnings(write.table(d, file, append = TRUE, sep = "\t", quote = FALSE, row.names = FALSE))
}
