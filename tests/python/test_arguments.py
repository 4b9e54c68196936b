"""Wrong arguments: each is a ValueError that names function, argument, value and expectation."""

import signal
import threading
import time

import numpy as np
import pytest
import vesicle as ves

rng = ves.rng(1)
code = ves.code(5, 0, 1, 0.2)
net = ves.network(code, code, rng=rng)
Q = ves.release.analytic(net.weights())
WRONG = [
    (lambda: ves.rng("seed"), r"rng: 'seed' = 'seed': expected an integer in"),
    (lambda: ves.rng(2**63), r"rng: 'seed' = 9223372036854775808: expected an integer in"),
    (lambda: rng.stream(), r"stream.stream: 'name' is missing"),
    (lambda: rng.stream(float("nan")), r"stream.stream: 'name' = nan: expected a finite number"),
    (lambda: rng.stream(True), r"stream.stream: 'name' = True"),
    (lambda: rng.uniform(0), r"stream.uniform: 'n' = 0: expected an integer in \[1, "),
    (lambda: rng.uniform(2.5), r"stream.uniform: 'n' = 2.5"),
    (lambda: rng.normal(5), r"stream.normal: 'sd' = None: expected a number >= 0, since n comes last"),
    (lambda: rng.normal(0, -1), r"stream.normal: 'sd' = -1: expected a number >= 0"),
    (lambda: rng.beta(0, 1), r"stream.beta: 'a' = 0: expected a number in \[1e-100, 1e100\]"),
    (lambda: rng.bernoulli(1.5), r"stream.bernoulli: 'p' = 1.5: expected a number in \[0, 1\]"),
    (lambda: ves.release.analytic([1, -2]), r"release.analytic: 'w\[1\]' = -2.0: expected a number in \[0, 1e200\]"),
    (lambda: ves.release.analytic([[1, np.nan]]), r"release.analytic: 'w\[0\]\[1\]' = nan"),
    (lambda: ves.release.analytic("text"), r"release.analytic: 'w' = 'text': expected a vector or a matrix"),
    (lambda: ves.release.analytic([]), r"not empty"),
    (lambda: ves.release.epistemic([1, 2], [1]), r"release.epistemic: 'B' = \[1\]: expected an array of shape \(2,\)"),
    (lambda: ves.release.epistemic(1, 1, "prinetd"), r"did you mean 'printed'"),
    (lambda: ves.release.epistemic(1, 1, "printed", sites=2), r"'sites' = 2: expected 1 with root 'printed'"),
    (lambda: ves.release.normalise(Q, [1]), r"release.normalise: 'x' = an array of shape \(1,\): expected a vector of 5"),
    (lambda: ves.release.learn([1, 2], rng=7), r"release.learn: 'rng' = 7: expected a stream"),
    (lambda: ves.release.learn([1, 2], rule="powr", rng=rng), r"did you mean 'power'"),
    (lambda: ves.release.learn([1, 2], rule="raw", psi=3, rng=rng), r"'psi' = 3: expected no such parameter with rule 'raw'"),
    (lambda: ves.release.learn([1, 2], rule="amplitude", floor=0.1, rng=rng), r"'floor' = 0.1: expected no such"),
    (lambda: ves.release.learn([1, 2], rule="amplitude", decay=5, rng=rng), r"'decay' = 5"),
    (lambda: ves.release.learn([1, 2], floor=0.5, ceiling=0.2, rng=rng), r"'floor' = 0.5: expected a number not above"),
    (lambda: ves.release.learn([1, 2], rate=0, rng=rng), r"'rate' = 0: expected a number in \(0, 1\]"),
    (lambda: ves.release.learn([1, 2], start=[0.1], rng=rng), r"'start' = an array of shape \(1,\)"),
    (lambda: ves.release.learn([1, 2], trace=6000, rng=rng), r"'trace' = 6000"),
    (lambda: ves.release.learn_pooled(Q, [0.5], rng=rng), r"release.learn_pooled: 'inputs' = "),
    (lambda: ves.release.learn_pooled(Q, [[1, 2]], rng=rng), r"'inputs' = .*: expected a matrix with 5 columns"),
    (lambda: ves.release.learn_pooled(Q, [99], code=code, rng=rng), r"each activate some neuron above 0.001"),
    (lambda: ves.release.learn_pooled(Q, [0], code=ves.code(4, 0, 1, 0.2), rng=rng), r"'code' = .*: expected a code of 5"),
    (lambda: ves.sample([1, 2], [0.5], rng=rng), r"sample: 'q' = an array of shape \(1,\): expected an array of shape \(2,\)"),
    (lambda: ves.sample([1, 2], [0.5, 2], rng=rng), r"sample: 'q\[1\]' = 2.0"),
    (lambda: ves.winner.exact(np.ones((9, 2)), np.ones((9, 2)), np.ones(9)), r"at most 6 activities above 0.001, not 9"),
    (lambda: ves.code(5, 1, 0, 0.2), r"code: 'hi' = 0: expected a number greater than lo = 1"),
    (lambda: ves.code(5, 0, 1, 0.2, "end"), r"did you mean 'ends'"),
    (lambda: code.mean(np.zeros(5)), r"code.mean: row 0 of 'y' has no activity"),
    (lambda: code.decode([1, 2]), r"code.decode: 'y' = .*: expected a vector of 5"),
    (lambda: ves.network(code, 7, rng=rng), r"network: 'output' = 7: expected a code"),
    (lambda: ves.network(code, code), r"network: 'rng' = None"),
    (lambda: ves.network(code, code, prior_a=(2, 1), rng=rng), r"'prior_a' = \(2, 1\): expected \(lo, hi\)"),
    (lambda: net.observe([1, 2], [1]), r"network.observe: 'ys' = .*: expected as many elements as 'xs' has, 2"),
    (lambda: net.observe(1, 1, salience=-1), r"'salience' = -1.0: expected a number in \[0, 1048576\]"),
    (lambda: net.sample(0.5, Q, rng=rng, readout="means"), r"'readout' = 'means': .*did you mean 'mean'"),
    (lambda: net.sample(0.5, Q, rng=rng, width=0.5), r"'width' = 0.5: expected no such parameter without readout"),
    (lambda: net.output.decode(np.ones(5), width=0.0), r"'width' = 0.0: expected a number > 0"),
    (lambda: net.sample(0.5, Q * 0, rng=rng), r"nothing transmits"),
    (lambda: net.sample(0.5, Q, rng=rng, sites=3), r"'rescale' = None: expected the release of each site"),
    (lambda: net.sample(0.5, Q, rng=rng, rescale=Q * 0.5, sites=3), r"'release\[\d\]\[\d\]' = .*not above 'rescale'"),
    (lambda: net.sample(0.5, Q, rng=rng, sites=0), r"'sites' = 0: expected an integer in \[1, 65536\]"),
    (lambda: net.sample(0.5, Q, rng=rng, rescale=Q, hold=7), r"'hold' = 7: expected a number of which draws = 1000"),
    (lambda: net.sample(0.5, Q, rng=rng, rescale=Q, hold=5, empty="skip"), r"'empty' = 'skip': expected 'redraw'"),
    (lambda: net.sample(0.5, Q, rng=rng, stages=3), r"'stages' = 3: expected an integer in \[1, 2\]"),
    (lambda: net.sample(0.5, Q, rng=rng, stages=2, normaliser="sum"), r"'normaliser' = 'sum': expected no such"),
    (lambda: net.sample(0.5, Q, rng=rng, input_release=np.ones(5)), r"'input_release' = .*: expected no such"),
    (lambda: net.sample(0.5, Q, rng=rng, stages=2, input_release=np.zeros(5)), r"nothing transmits"),
    (lambda: net.sample(99, Q, rng=rng), r"'x' = 99: expected an input that activates"),
    (lambda: ves.multi.mixture(Q, [1]), r"multi.mixture: 'x' = an array of shape \(1,\): expected an array of shape \(5,\)"),
    (lambda: ves.multi.two_stage_exact(Q, np.zeros(5)), r"'x' = .*: expected an active input \(above 0.001\) with a positive"),
    (lambda: ves.multi.two_stage(Q, np.ones(5), rng=3), r"multi.two_stage: 'rng' = 3"),
    (lambda: ves.multi.two_stage_learn(Q, np.zeros(5), rng=rng), r"expected an input that activates some neuron"),
    (lambda: ves.multi.two_stage_learn(Q * 0, np.ones(5), rng=rng), r"multi.two_stage_learn: "),
    (lambda: ves.multi.two_stage_learn(Q, np.ones(5), state=7, rng=rng), r"'state' = 7: expected a state"),
    (lambda: ves.multi.two_stage_learn(Q, np.ones(5), state=ves.multi.State(Q, Q, Q, Q), rng=rng), r"'state.input_amplitude'"),
    (lambda: ves.multi.two_stage_learn(Q, np.ones(5), decay=3, rng=rng), r"'decay' = 3: expected no such parameter"),
    (lambda: ves.chain(), r"chain: 'networks' = \(\): expected between 1 and 64 networks"),
    (lambda: ves.chain(net, 7), r"chain: 'networks\[1\]' = 7: expected a network"),
    (lambda: ves.chain(net, ves.network(ves.code(4, 0, 1, 0.2), code, rng=rng)), r"'networks\[1\]' = .*: expected one with 5"),
    (lambda: ves.chain(net).sample(0.5, rng=rng, release=[Q, Q]), r"chain.sample: 'release' = .*: expected a list of 1"),
    (lambda: ves.chain(net).sample(0.5, rng=rng, release=["analitic"]), r"'release\[0\]' = 'analitic': .*did you mean 'analytic'"),
    (lambda: ves.chain(net).sample(0.5, rng=rng, release=[Q * 0]), r"nothing transmits in the first layer"),
    (lambda: ves.chain(net, net).sample(0.5, rng=rng, release=["analytic", Q * 0]), r"nothing transmits in a layer"),
    (lambda: ves.chain(net).sample(0.5, rng=rng, hand_on="winer"), r"did you mean 'winner'"),
    (lambda: ves.chain(net).sample(99, rng=rng), r"'x' = 99: expected an input that activates"),
    (lambda: ves.chain(net).exact(0.5, stages=2, normaliser="sum"), r"'normaliser' = 'sum': expected no such"),
    (lambda: ves.chain(ves.network(ves.code(9, 0, 1, 0.5), code, rng=rng)).exact(0.5), r"at most 6 active inputs"),
    (lambda: ves.spike.sample([1, 2], [0.5], rng=rng), r"spike.sample: 'q' = "),
    (lambda: ves.spike.sample([1, 2], [0.5, 1], rng=rng, dealy=1), r"'sizes' = 'dealy': .*did you mean 'delay'"),
    (lambda: ves.spike.sample([1, 2], [0.5, 1], rng=rng, refractory=0), r"'refractory' = 0: expected a number from 0.1 to"),
    (lambda: ves.spike.sample([1, 2], [0.5, 1], rng=rng, strength=-1), r"'strength' = -1: expected a number from 0"),
    (lambda: ves.spike.sample([1, 2], [0.5, 1], rng=rng, x=[1]), r"'x' = \[1\]: expected no such parameter with a vector"),
    (lambda: ves.spike.sample(Q, Q, rng=rng), r"spike.sample: 'x' = None: expected a vector of activities"),
    (lambda: ves.score.kl([0.5, 0.5], [1.0]), r"score.kl: 'q'"),
    (lambda: ves.score.coverage([1, 2], 1, 1), r"score.coverage: 'level' = 1: expected a number in \(0, 1\)"),
]


@pytest.mark.parametrize("call, message", WRONG, ids=[message for _, message in WRONG])
def test_wrong_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_refused_call_takes_no_draws():
    r = ves.rng(3)
    with pytest.raises(ValueError):
        ves.sample([1, 2], [0.5, 2], rng=r)
    assert r.cursor == 0
    with pytest.raises(ValueError, match="draws left"):
        r.seek(2**53 - 1).uniform(2)


def test_inputs_stay_as_they_are():
    w = np.array([0.5, 0.3, 0.2])
    strided = np.arange(12.0).reshape(3, 4)[:, ::2]
    start = np.full(3, 0.5)
    ves.release.learn(w, start=start, iterations=50, rng=ves.rng(1))
    assert w.tolist() == [0.5, 0.3, 0.2] and start.tolist() == [0.5] * 3
    assert (ves.release.analytic(strided) == ves.release.analytic(strided.copy())).all()
    assert (ves.release.analytic(np.array([5, 3, 2])) == ves.release.analytic([5.0, 3.0, 2.0])).all()


def test_control_c_ends_a_long_call():
    import _thread

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
    threading.Thread(target=lambda: (time.sleep(0.3), _thread.interrupt_main())).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ves.release.learn(np.ones(1000), iterations=2**50, rng=ves.rng(1))
    assert time.monotonic() - begun < 60
    assert ves.release.learn([1, 2], iterations=10, rng=ves.rng(1)).shape == (2,)
