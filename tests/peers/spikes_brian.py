"""Repeats the trials of tests/peers/spikes.lua with Brian 2, and compares winners and first-spike times.

Brian advances in steps of DT and knows a spike to the step in which it falls. Prints a table with one row per group: trials;
those with the same winner; those in which Brian has several spikes in the first step, one of which counts as the same; the
largest distance of first-spike times, in steps; trials with as many spikes; seconds of the processor for all trials.
"""
import sys
import time

import brian2 as b2
import numpy as np

DT = 0.002  # ms
folder = sys.argv[1]
b2.prefs.codegen.target = "numpy"
b2.BrianLogger.log_level_error()


def table(name):
    return np.atleast_1d(np.genfromtxt(f"{folder}/{name}.tsv", names=True, delimiter="\t"))


def peak(tau, membrane):
    return (tau / membrane) ** (membrane / (membrane - tau))


def simulate(p, released):
    """Spike times (ms) and neuron indices of one group: all trials side by side, inhibition within a trial."""
    trials, n = released.shape
    full = p["strength"] < 0
    b2.start_scope()
    b2.defaultclock.dt = DT * b2.ms
    names = {"tm": p["membrane"] * b2.ms, "te": p["synapse"] * b2.ms, "ti": p["decay"] * b2.ms, "th": p["threshold"]}
    equations = """
    dv/dt = (-v + excited - i_pool) / tm : 1 (unless refractory)
    dexcited/dt = -excited / te : 1
    di_pool/dt = -i_pool / ti : 1
    held : 1
    """
    group = b2.NeuronGroup(trials * n, equations, threshold="v >= th and held < 0.5", reset="v = 0",
                           refractory=p["refractory"] * b2.ms, method="exact", namespace=names)
    group.excited = (released * p["gain"] / peak(p["synapse"], p["membrane"])).ravel()
    effect = "held_post = 1" if full else f"i_pool_post += {p['strength'] / peak(p['decay'], p['membrane'])!r}"
    pool = b2.Synapses(group, group, on_pre=effect, delay=p["delay"] * b2.ms)
    source = np.repeat(np.arange(trials * n), n)
    target = (source // n) * n + np.tile(np.arange(n), trials * n)
    pool.connect(i=source, j=target)
    monitor = b2.SpikeMonitor(group)
    network = b2.Network(group, pool, monitor)
    network.run(0 * b2.ms)  # everything is made before the clock starts
    start = time.process_time()
    network.run(p["window"] * b2.ms)
    return np.asarray(monitor.t / b2.ms), np.asarray(monitor.i), time.process_time() - start


params, releases, spikes = table("params"), table("releases"), table("spikes")
print(f"# brian2 {b2.__version__}, numpy {np.__version__}, python {sys.version.split()[0]}; step {DT} ms")
print("group\ttrials\tsame_winner\tties\tlargest_steps\tsame_count\tseconds\tbrian_seconds")
for p in params:
    trials, n = int(p["trials"]), int(p["outputs"])
    released = releases["released"][releases["group"] == p["group"]].reshape(trials, n)
    t, i, seconds = simulate(p, released)
    ours = spikes[spikes["group"] == p["group"]]
    same = ties = counts = 0
    largest = 0.0
    for trial in range(trials):
        mine = ours[ours["trial"] == trial + 1]
        there = i // n == trial
        if len(mine) == 0 or not there.any():
            same += len(mine) == 0 and not there.any()
            counts += len(mine) == there.sum()
            continue
        begin = t[there].min()
        first = i[there][t[there] == begin] % n
        same += int(mine["output"][0]) - 1 in first
        ties += len(first) > 1
        largest = max(largest, abs(begin - mine["time"][0]) / DT)
        counts += len(mine) == there.sum()
    print(int(p["group"]), trials, same, ties, f"{largest:.3f}", counts, f"{p['seconds']:.6f}", f"{seconds:.3f}", sep="\t")
