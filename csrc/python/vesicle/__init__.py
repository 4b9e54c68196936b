"""vesicle: synaptic failure as Bayesian inference. The core of the project, from Python.

    import vesicle as ves

    w = [0.4, 0.3, 0.2, 0.1]
    q = ves.release.analytic(w)
    p, nothing = ves.winner.exact(w, q)
    winners = ves.sample(w, q, draws=10000, rng=ves.rng(20211118))

Names are those of the Lua library, and so are all numbers, to the bit: a stream of one seed and
name gives the same draws in both. Only positions differ: they count from 0 here and from 1 there.
"""

from . import multi, release, score, spike, winner
from .population import Code
from .population import Code as code
from .library import core
from .layering import Chain
from .layering import Chain as chain
from .layers import Drawn, Network
from .layers import Network as network
from .stream import Stream, rng
from .tables import read_journal, read_table
from .winner import sample

__version__: str = core.ves_version().decode()

__all__ = ["Chain", "Code", "Drawn", "Network", "Stream", "chain", "code", "multi", "network", "read_journal", "read_table", "release",
           "rng", "sample", "score", "spike", "winner"]
