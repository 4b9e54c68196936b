--- # Solved and unsolved equations
---
--- Appendix B derives the best exponent for equal weights from an integral, and describes the release at convergence
--- by an implicit equation (`09_exponent_analysis`). The first, it says, is solvable in closed form; the second cannot
--- be put in explicit form. Both can be checked.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "09_implicit_equation", title = "Which equations of Appendix B have a solution in closed form",
  params = {
    n = { 100, range = { 5, 500 }, about = "weights" },
    many = { 1000, about = "weights of the larger case" },
    psi = { 4.4, range = { 1, 20 }, about = "the original's exponent for 100 equal weights" },
  },
}
local P = E.params
local appendix = "Appendix B, Unbiased mean adjustment"

--- ## The integral
---
--- The error of a constant exponent,
--- $$\epsilon(\psi) = \int_1^n \left( \left( \frac{n-i+1}{2(n-i)+1} \right)^{\psi} - \frac{1}{n-i+1} \right)^2 di,$$
--- [app:exponent-error] is with $u = 1/(2(n-i)+1)$ made of integrals of $((1+u)/2)^a\,u^{-m}$ from $1/(2n-1)$ to 1:
--- an elementary function for rational $\psi$, and for any $\psi$ the binomial series (a hypergeometric function).

local function closed_form(n, psi)
  local function integral(a, m)
    local sum, binomial = 0, 1
    for k = 0, 4000 do
      local e = k - m + 1
      sum = sum + binomial * (e == 0 and math.log(2 * n - 1) or (1 - (2 * n - 1) ^ -e) / e)
      binomial = binomial * (a - k) / (k + 1)
    end
    return sum / 2 ^ (a + 1)
  end
  return integral(2 * psi, 2) - 2 * integral(psi - 1, 1) + 1 - 1 / n
end
local points = { { P.n, 2 }, { P.n, P.psi }, { P.many, 2 }, { P.many, P.psi } }
E:statement {
  id = "integral-closed-form", where = appendix, kind = "mathematical", proof = "prop:small",
  says = "The error integral is solvable in closed form.", breaks = "exponent.error=sum",
  quantity = "closed form less numerical integral, at two sizes and two exponents", criterion = is.each(is.near(1e-9)),
  at = { "n=100,psi=2", "n=100,psi=4.4", "n=1000,psi=2", "n=1000,psi=4.4" },
  cells = { printed = { stats.collect(points, function(c)
    return closed_form(c[1], c[2]) - ves.exponent.error(c[1], c[2])
  end), exact = true } },
}

--- ## The implicit equation
---
--- The release of rank $i$ at convergence is the root of $(1/((n-i)q+1))^\psi = q$ [app:exponent-equilibrium]. For
--- $\psi = 4$ this reads $z^5 - z^4 - (n-i) = 0$ with $z = (n-i)\,q + 1$. For rank 1 of 100 that polynomial is
--- irreducible modulo 5 and a quadratic times a cubic modulo 13, so its Galois group is that of all permutations of
--- five roots, and there is no formula in radicals. Factors of $z^5 - z^4 - c$ modulo $p$ are counted by trying all.

local function factors(c, p)
  local linear, quadratic = 0, 0
  for b = 0, p - 1 do
    if (b ^ 5 - b ^ 4 - c) % p == 0 then linear = linear + 1 end
    for a = 0, p - 1 do
      local rest = { 1, -1, 0, 0, 0, -c }
      for k = 1, 4 do
        rest[k + 1], rest[k + 2] = (rest[k + 1] - a * rest[k]) % p, (rest[k + 2] - b * rest[k]) % p
      end
      if rest[5] == 0 and rest[6] == 0 then quadratic = quadratic + 1 end
    end
  end
  return linear, quadratic
end
local z = 99 * ves.exponent.equilibrium(100, 4)[1] + 1
local linear5, quadratic5 = factors(99, 5)
local linear13, quadratic13 = factors(99, 13)
E:statement {
  id = "implicit-no-explicit", where = appendix, kind = "mathematical", proof = "prop:small",
  says = "The implicit equation for the release at convergence cannot be put in explicit form.",
  quantity = "psi = 4: the polynomial at the solved release; its linear and quadratic factors modulo 5, modulo 13",
  at = { "polynomial", "linear-5", "quadratic-5", "linear-13", "quadratic-13" },
  criterion = is.each { is.near(1e-9), is.exact(), is.exact(), is.exact(), is.exact(1) },
  breaks = "exponent.equilibrium=halved",
  cells = { printed = { { z ^ 5 - z ^ 4 - 99, linear5, quadratic5, linear13, quadratic13 }, exact = true } },
  note = "no formula in radicals for psi = 4; for psi = 1, 2 and 3 there is one",
}

E:finish()
