-- programs: who does the reference job. This project from Lua comes first, with all of the processor's instructions
-- and without AVX-512; then its C core alone, the strongest
-- program we could write of each kind, and a bound, which only learns.
--
-- name, as tables have it; kind: "ours", "peer" or "bound"; command, with %d for the seed; probe: a command that
-- fails where the program cannot run; missing: the Debian packages that it needs; version: a command that tells it.

return function(build)
  local one_thread = "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "
  local python = one_thread .. "NUMBA_CACHE_DIR=" .. build .. "/bench/numba /usr/bin/python3 tests/bench/peers/"
  local r = one_thread .. "BENCH_CACHE=" .. build .. "/bench env -u MAKEFLAGS Rscript tests/bench/peers/"
  local function compiled(name) return build .. "/bench/" .. name .. " %d" end
  local function version(module)
    return "/usr/bin/python3 -c 'import " .. module .. "; print(" .. module .. ".__version__)'"
  end
  local function has(modules) return "/usr/bin/python3 -c 'import " .. modules .. "' 2>&1" end

  -- Debian keeps the libraries of linear algebra in folders, of which a program takes the one it is told.
  local folders = "/usr/lib/x86_64-linux-gnu/"
  local blas, openblas = folders .. "blas", folders .. "openblas-pthread"
  local with_openblas = "LD_LIBRARY_PATH=" .. openblas .. " "
  local has_openblas = "test -e " .. openblas .. "/libblas.so.3"

  return {
    { name = "vesicle", kind = "ours", command = build .. "/vesicle run tests/bench/job.lua --seed %d" },
    { name = "vesicle, AVX2", kind = "ours",
      command = "VES_SIMD=avx2 " .. build .. "/vesicle run tests/bench/job.lua --seed %d" },
    { name = "core", kind = "ours", command = compiled "core" },
    { name = "C best", kind = "peer", command = compiled "best", version = "gcc -dumpfullversion" },
    { name = "C best, Philox", kind = "peer", command = compiled "best_philox" },
    { name = "C literal", kind = "peer", command = compiled "literal" },
    { name = "numba", kind = "peer", command = python .. "by_numba.py %d", probe = has "numba",
      missing = "python3-numba", version = version "numba" },
    { name = "NumPy", kind = "peer", command = "LD_LIBRARY_PATH=" .. blas .. " " .. python .. "by_numpy.py %d",
      probe = has "numpy", missing = "python3-numpy", version = version "numpy" },
    { name = "NumPy, OpenBLAS", kind = "peer", command = with_openblas .. python .. "by_numpy.py %d product",
      probe = has "numpy" .. " && " .. has_openblas, missing = "python3-numpy libopenblas0-pthread" },
    { name = "torch", kind = "peer", command = python .. "by_torch.py %d", probe = has "torch",
      missing = "python3-torch", version = version "torch" },
    { name = "R, Rcpp", kind = "peer", command = r .. "by_rcpp.R %d", probe = "Rscript -e 'library(Rcpp)' 2>&1",
      missing = "r-base-core r-cran-rcpp", version = "Rscript -e 'cat(as.character(packageVersion(\"Rcpp\")))'" },
    { name = "R", kind = "peer", command = with_openblas .. r .. "by_r.R %d", probe = "Rscript --version 2>&1",
      missing = "r-base-core", version = "Rscript -e 'cat(as.character(getRversion()))'" },
    { name = "bound", kind = "bound", command = compiled "bound" },
    { name = "bound, float", kind = "bound", command = compiled "bound_float" },
    { name = "bound, no ties", kind = "bound", command = compiled "bound_ties", wrong = true },
  }
end
