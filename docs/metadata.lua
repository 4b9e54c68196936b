-- metadata: who, what, when and under which licence, in one place.
--
-- `make metadata` writes CITATION.cff, codemeta.json, .zenodo.json and ro-crate-metadata.json from this
-- table; nothing of it is typed anywhere else. The version is the Makefile's.

return {
  name = "vesicle",
  title = "vesicle: locally learned synaptic dropout for complete Bayesian inference, a reproducible implementation",
  abstract = "A C core with an embedded Lua runtime that implements and checks the model of McKee, Crandell, "
    .. "Chaudhuri and O'Reilly (2021), in which the random failure of synapses samples from the distributions a "
    .. "network has learned.",
  message = "If you use this software, please cite it, and the paper whose model it implements.",
  authors = { { name = "The vesicle developers" } },
  date = "2026-11-16",
  license = "GPL-3.0-or-later",
  license_name = "GNU General Public License v3.0 or later",
  keywords = { "Bayesian inference", "synaptic failure", "dropout", "population code", "reproducible research" },
  languages = { "C", "Lua" },
  systems = { "Linux", "macOS" },
  status = "active",
  requirements = { "GSL", "Lua 5.4", "Random123", "SQLite", "libedit", "libmd" },
  paper = {
    title = "Locally Learned Synaptic Dropout for Complete Bayesian Inference",
    authors = {
      { family = "McKee", given = "Kevin L." }, { family = "Crandell", given = "Ian C." },
      { family = "Chaudhuri", given = "Rishidev" }, { family = "O'Reilly", given = "Randall C." },
    },
    year = 2021,
    arxiv = "2111.09780",
  },
}
