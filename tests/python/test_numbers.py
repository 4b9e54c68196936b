"""Every number of the package is the one that Lua computes, to the bit."""

import os
from pathlib import Path

import numpy as np
import pytest
import vesicle as ves

root = ves.rng(20211118)
w = root.stream("python", "weights").uniform(40)
W = np.array([[0.4, 0.3, 0.2, 0.1], [0.1, 0.1, 0.7, 0.1], [0.25, 0.25, 0, 0.5]])
seen = set()


def stream(*name):
    return root.stream("python", *name)


@pytest.fixture(scope="module")
def lua():
    lines = Path(os.environ["LUA_RESULTS"]).read_text().splitlines()
    return {line.split()[0]: np.array([float.fromhex(word) for word in line.split()[1:]]) for line in lines}


@pytest.fixture
def same(lua):
    def compare(name, *values):
        seen.add(name)
        flat = np.concatenate([np.ravel(value).astype(float) for value in values])
        np.testing.assert_array_equal(flat.view(np.uint64), lua[name].view(np.uint64), name)

    return compare


def test_streams(same):
    same("uniform", stream("uniform", 3, 0.5).uniform(7))
    same("uniform", stream("uniform", np.float64(3.0), np.float64(0.5)).uniform(7))
    same("uniform_one", stream(-7, 2.5e300).uniform())
    same("normal", stream("normal").normal(2, 0.5, 50))
    same("beta", stream("beta").beta(0.3, 2, 50))
    same("bernoulli", stream("bernoulli").bernoulli(0.3, 50))
    same("integer", stream("integer").integer(2**53, 50))
    same("permutation", stream("permutation").permutation(20) + 1)
    same("negative_seed", ves.rng(-5).stream("caf\u00e9", 3.0).uniform(3))
    moved = stream("moved")
    moved.uniform(10)
    same("moved", moved.normal(0, 1, 3), moved.cursor)
    assert stream("3").uniform() != stream(3).uniform()
    again = stream("normal")
    assert [again.normal(2, 0.5) for _ in range(50)] == stream("normal").normal(2, 0.5, 50).tolist()
    assert again.seek(0).normal(2, 0.5) == stream("normal").normal(2, 0.5)


def test_releases(same):
    same("analytic", ves.release.analytic(w), ves.release.analytic(W))
    A, B = stream("A").uniform(30) * 5 + 0.01, stream("B").uniform(30) * 5
    same("epistemic", *ves.release.epistemic(A, B))
    same("epistemic_printed", *ves.release.epistemic(A, B, "printed"))
    same("epistemic_sites", *ves.release.epistemic(A, B, sites=5))
    same("epistemic_one", *ves.release.epistemic(2, 3))
    Q = ves.release.analytic(W)
    for kind in ("none", "sum", "count", "participation"):
        same("normalise_" + kind, ves.release.normalise(Q, [1, 0.4, 1e-4], kind))
    same("combine", ves.release.combine(ves.release.epistemic(W + 1, W)[0], Q))


def test_learning(same):
    rng = stream("learn")
    for rule in ("raw", "subtract", "rescale", "power", "variable", "subset", "expected", "amplitude"):
        same("learn_" + rule, ves.release.learn(w, rule=rule, iterations=500, rng=rng))
    same("learn_rows", ves.release.learn(W, psi=2.5, algorithm=1, rate=0.05, decay=100, start=0.4, floor=0.01,
                                         ceiling=0.9, iterations=700, rng=rng))
    same("learn_trace", *ves.release.learn(w, iterations=60, trace=20, start=(0.5, 0.2), rng=rng))
    same("learn_order", ves.release.learn(W, rule="amplitude", order="amplitude", rate=0.1, decay=50, rate_floor=0.02,
                                          start=W, iterations=700, rng=rng))
    same("learn_cursor", rng.cursor)


def test_pooled_learning(same):
    rng, code = stream("pool"), ves.code(3, -1, 1, 0.5)
    same("pooled", ves.release.learn_pooled(W, [-1, 0.2, 0.9], code=code, iterations=300, rng=rng))
    same("pooled_matrix", ves.release.learn_pooled(W, [[1, 0, 0], [0.2, 0.7, 0]], active=0.1, psi=3, iterations=200,
                                                   start=(0.5, 0.2), rng=rng))
    same("pooled_amplitude",
         ves.release.learn_pooled(W, [0, 1], code=code, rule="amplitude", iterations=300, rng=rng), rng.cursor)


def test_draws(same):
    rng = stream("sample")
    same("sample", ves.sample(w, ves.release.analytic(w), draws=500, rng=rng) + 1)
    empty = ves.sample(w, w * 0.01, draws=500, rng=rng)
    same("sample_empty", empty + 1)
    assert empty.min() == -1 and empty.dtype == np.int64
    same("exact", *ves.winner.exact(w, w))
    same("exact_multi", *ves.winner.exact(W, ves.release.analytic(W), [1, 0.4, 1e-4]))


def test_codes(same):
    for spacing in ("ends", "bins", "open"):
        code = ves.code(9, -1, 2, 0.3, spacing)
        y = code.encode([-0.3, 1.1])
        same("code_" + spacing, code.centers, y, code.encode(0.7), code.mean(y), code.decode(y), code.decode(y, grid=50))
        assert code.decode(y[0]) == code.decode(y)[0]


def test_networks(same):
    code = ves.code(30, -3, 3, 0.25)
    xs, ys = stream("xs").normal(0, 1, 300), stream("ys").normal(0, 1, 300)
    net = ves.network(code, code, rng=stream("network"), rate=0.8)
    net.observe(xs, ys).observe(0.5, 0.25, salience=3).observe(xs, xs, salience=stream("salience").uniform(300))
    same("network", net.A, net.B, net.weights(), net.variance(), net.rows)
    single = ves.network(code, code, prior_a=0.1, prior_b=(0.2, 0.3), rng=stream("priors"))
    same("priors", single.A, single.B)
    Q = ves.release.analytic(net.weights())
    phi, _ = ves.release.epistemic(net.A, net.B)
    rng = stream("draws")

    def sampled(name, x, release, shift=0, **options):
        drawn = net.sample(x, release, rng=rng, **{"draws": 400, **options})
        same(name, drawn.values + shift, drawn.empty, drawn.attempts)

    sampled("draw_winner", 0.3, Q)
    sampled("draw_index", 0.3, Q, 1, readout="index", normaliser="count")
    sampled("draw_rescaled", -1, ves.release.combine(phi, Q), rescale=phi)
    sampled("draw_redraw", 0.3, Q * 0.05, normaliser="none")
    sampled("draw_mean", 0.3, Q, draws=300, readout="mean")
    sampled("draw_decode", 0.3, Q * 0.05, draws=100, readout="decode", normaliser="none")
    sampled("draw_activity", 0.3, Q, draws=20, readout="activity")
    sampled("draw_decode_wide", 0.3, Q, draws=100, readout="decode", width=0.7)
    sampled("draw_mean_skip", 0.3, Q * 0.05, draws=300, readout="mean", empty="skip")
    sampled("draw_skip", code.encode(1), Q * 0.05, empty="skip", active=0.1)
    phi, _ = ves.release.epistemic(net.A, net.B, sites=4)
    both = ves.release.combine(phi, Q)
    sampled("draw_sites", 0.3, both, rescale=phi, sites=4, draws=200)
    sampled("draw_sites_mean", -1, both, rescale=phi, sites=4, draws=200, readout="mean", empty="skip")
    held = net.sample(0.3, both * 0.2, rescale=phi, sites=4, hold=10, draws=200, rng=rng, normaliser="sum")
    same("draw_held", *held)
    sampled("draw_stages", 0.3, Q, stages=2, draws=200)
    sampled("draw_stages_decode", 0.3, Q * 0.3, stages=2, draws=100, readout="decode")
    sampled("draw_stages_given", 0.3, Q, 1, stages=2, draws=200, empty="skip", readout="index",
            input_release=np.full(30, 0.4))
    sampled("draw_stages_sites", 0.3, both, rescale=phi, sites=4, stages=2, draws=200)
    nothing = net.sample(np.zeros(30), Q, stages=2, empty="skip", draws=5, rng=stream("nothing"))
    assert nothing.values.size == 0 and nothing.empty == 1 and np.isnan(nothing.within)


def test_several_inputs(same):
    rng, x, multi = stream("several"), [1e-4, 1, 0.4], ves.multi
    same("mixture", multi.mixture(W, x), multi.two_stage_exact(W, x), multi.mixture(W, x, active=0.5))
    drawn = multi.two_stage(W, x, draws=300, rng=rng)
    same("two_stage", drawn.winners + 1, drawn.via + 1)
    winners, state = multi.two_stage_learn(W, x, draws=300, rng=rng)
    same("stages_learn", winners + 1, *state)
    before = [part.copy() for part in state]
    winners, on = multi.two_stage_learn(W, x, draws=300, state=state, order="amplitude", rng=rng)
    same("stages_learn_on", winners + 1, *on)
    assert all((part == old).all() for part, old in zip(state, before))  # it is not written to
    winners, state = multi.two_stage_learn(W, x, rate=0.1, decay=50, rate_floor=0.02, active=0, rng=rng)
    same("stages_learn_rate", winners + 1, *state)
    same("several_cursor", rng.cursor)


def test_chains(same):
    rng, code, middle = stream("layers"), ves.code(30, -3, 3, 0.25), ves.code(12, -2, 2, 0.3)
    xs, ys = stream("xs").normal(0, 1, 300), stream("ys").normal(0, 1, 300)
    below = ves.network(code, middle, rng=rng).observe(xs, ys)
    above = ves.network(middle, code, rng=rng).observe(ys, xs)
    chain, half = ves.chain(below, above), ves.release.analytic(above.weights()) * 0.5

    def passed(name, x, shift=0, **options):
        drawn = chain.sample(x, rng=rng, **{"draws": 200, **options})
        same(name, drawn.values + shift, drawn.winners + 1, drawn.empty, drawn.attempts)

    passed("chain", 0.3)
    passed("chain_stages", 0.3, stages=2, hand_on="activity", readout="mean")
    passed("chain_skip", 0.3, 1, release=["analytic", half], empty="skip", readout="index", normaliser="none")
    passed("chain_decode", code.encode(-1), draws=100, release=["analytic", half], empty="skip", readout="decode")
    same("chain_exact", *chain.exact(0.3, stages=2))
    same("chain_exact_skip", *chain.exact(0.3, release=["analytic", half], empty="skip", active=0.5))
    same("chain_cursor", rng.cursor)


def test_spikes(same):
    rng, x = stream("spikes"), [1e-4, 1, 0.4]

    def spiked(name, w, **options):
        drawn = ves.spike.sample(w, ves.release.analytic(w), draws=200, rng=rng, **options)
        same(name, drawn.index + 1, *drawn[1:])
        return drawn.index

    first = spiked("spikes", w)
    assert (first == ves.sample(w, ves.release.analytic(w), draws=200, rng=stream("spikes"))).all()  # [eq:spike-order]
    spiked("spikes_late", w, delay=2, strength=20, decay=8, noise=0.5, jitter=0.3, sites=3, membrane=15, synapse=4,
           refractory=3, threshold=9, window=50)
    spiked("spikes_several", W, x=x, gain=40, delay=1)
    spiked("spikes_active", W, x=x, active=0.5, threshold=12)
    same("spikes_cursor", rng.cursor)


def test_scores(same):
    sample = stream("score").normal(0, 1, 101)
    same("scores", ves.score.crps(sample, 0.3), ves.score.pit(sample, sample[6]))
    same("coverage", *ves.score.coverage(sample, 1.2, 0.8))
    r = [0.1, 0.2, 0.3, 0.4]
    same("distances", ves.score.total_variation(r, W[0]), ves.score.kl(r, W[0]))


def test_nothing_was_left_out(lua):
    assert seen == set(lua)
