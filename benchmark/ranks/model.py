#!/usr/bin/env python3
"""What a step of ranks costs, as a function of what a rank has, and what that comes to on large machines.

    benchmark/ranks/run.sh LIBRARY 4000 20 > measured.txt        # and with other numbers of bodies and sweeps
    benchmark/ranks/model.py measured.txt                        # default: benchmark/ranks/measured.txt

A rank has n bodies, c contacts, B ghosts that it has contacts with (the border) and K neighbours; S + 1 passes are taken in a step, over C colours. Per step

    seconds   t_n n + t_v (c + 2 B) (S + 1) + t_m messages       a ghost has some two contacts with bodies of the rank, which its owner visits too
    messages  K (m_0 + (S + 1) C (1 - exp(-(B / (K b))^0.7)))    a colour has one, unless none of the border's bodies is stale
    bytes     B (y_0 + y_1 (S + 1))

t_m is what a message costs where the runs were measured, between threads that sleep; on large machines it is OVERHEAD. The coefficients are fitted to the runs with one and two ranks, by least squares of relative errors; runs with more are predicted. The power 0.7, since colours are not equally large, was chosen with all runs. Of ranks inside a large
machine, K and B follow from the shape of a domain: B = 6 a n^(2/3), with a from the runs with one border, and K = 26 domains around a cube's. All messages of a
colour are under way together: an exchange costs the network's latency once, OVERHEAD per message, and its bytes over the bandwidth; a reduction costs
2 log2(ranks) latencies. Nothing is taken to overlap with computing, although sweeps do overlap it.
"""
import math
import pathlib
import sys

REDUCTIONS = 8.3  # per step: those of the pipeline, and of the domain's audit and skin
OVERHEAD = 5e-7  # s of the processor per message: assumed

# name, cores, latency of a message in s, bytes per s of a core: the share of its node's ports that a core has
MACHINES = (
    ("JUQUEEN (Blue Gene/Q): 16 cores per node, ten links of 2 GB/s, 5 us", 458752, 5e-6, 10 * 2e9 / 16),
    ("Aurora: 104 cores per node, eight ports of 25 GB/s, 2 us", 1104896, 2e-6, 8 * 25e9 / 104),
)


def read(path):
    rows = []
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            ranks, bodies, contacts, sweeps, colours, ghosts, border, neighbours, ms, messages, size, reductions, _ = map(float, line.split())
            rows.append(dict(ranks=int(ranks), n=bodies / ranks, c=contacts / ranks, passes=sweeps + 1, C=colours, B=border, K=neighbours,
                             ghosts=ghosts, seconds=1e-3 * ms, messages=messages, bytes=size, reductions=reductions))
    return rows


def solve(A, b):
    """A x = b by elimination with pivots."""
    n = len(b)
    M = [list(A[i]) + [b[i]] for i in range(n)]
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(M[i][k]))
        M[k], M[p] = M[p], M[k]
        for i in range(k + 1, n):
            f = M[i][k] / M[k][k]
            for j in range(k, n + 1):
                M[i][j] -= f * M[k][j]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (M[k][n] - sum(M[k][j] * x[j] for j in range(k + 1, n))) / M[k][k]
    return x


def fit(rows, terms, of):
    """Coefficients of terms(row), such that relative errors are least."""
    lines = [([t / row[of] for t in terms(row)]) for row in rows]
    n = len(lines[0])
    A = [[sum(l[i] * l[j] for l in lines) for j in range(n)] for i in range(n)]
    return solve(A, [sum(l[i] for l in lines) for i in range(n)])


class Model:
    def __init__(self, rows):
        few = [r for r in rows if r["ranks"] <= 2]
        two = [r for r in few if r["ranks"] == 2]
        self.seconds = fit(few, self.time_terms, "seconds")
        self.bytes = fit(two, self.byte_terms, "bytes")
        best = None
        for b in range(20, 1000, 5):  # the one coefficient that is not linear
            self.b = b
            m_0 = sum(r["messages"] / r["K"] - self.slots(r) for r in two) / len(two)
            error = sum((self.slots(r) + m_0 - r["messages"] / r["K"]) ** 2 / (r["messages"] / r["K"]) ** 2 for r in two)
            if best is None or error < best[0]:
                best = (error, b, m_0)
        self.b, self.m_0 = best[1:]
        self.area = sum(r["B"] / r["n"] ** (2 / 3) for r in two) / len(two)  # of one face

    def slots(self, r):
        return r["passes"] * r["C"] * (1 - math.exp(-((r["B"] / (r["K"] * self.b)) ** 0.7)))

    @staticmethod
    def time_terms(r):
        return (r["n"], (r["c"] + 2 * r["B"]) * r["passes"], r["messages"])

    @staticmethod
    def byte_terms(r):
        return (r["B"], r["B"] * r["passes"])

    def predict(self, r):
        none = r["K"] == 0
        messages = 0 if none else r["K"] * (self.m_0 + self.slots(r))
        return dict(seconds=sum(x * t for x, t in zip(self.seconds, self.time_terms(dict(r, messages=messages)))), messages=messages,
                    bytes=0 if none else sum(x * t for x, t in zip(self.bytes, self.byte_terms(r))))

    def domain(self, n, contacts, sweeps, colours):
        """A rank inside many, with a cube of bodies."""
        return dict(n=n, c=contacts * n, passes=sweeps + 1, C=colours, B=6 * self.area * n ** (2 / 3), K=26)


def print_check(model, rows):
    print("| bodies per rank | sweeps | ranks | border | neighbours | ms, measured | modelled | messages, measured | modelled | kB, measured | modelled |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    worst = dict(seconds=0.0, messages=0.0, bytes=0.0)
    for r in rows:
        p = model.predict(r)
        for key in worst:
            if r["ranks"] > 2:
                worst[key] = max(worst[key], abs(p[key] / r[key] - 1))
        print(f"| {r['n']:,.0f} | {r['passes'] - 1:.0f} | {r['ranks']} | {r['B']:.0f} | {r['K']:.2f} | {1e3 * r['seconds']:.1f} | {1e3 * p['seconds']:.1f} "
              f"| {r['messages']:.0f} | {p['messages']:.0f} | {1e-3 * r['bytes']:.0f} | {1e-3 * p['bytes']:.0f} |")
    print("\nlargest error of a prediction: " + ", ".join(f"{100 * v:.0f} % of {k}" for k, v in worst.items()))


def print_machines(model, contacts, sweeps, colours):
    print("\n| machine | bodies | ranks | bodies per rank | compute, ms | messages, ms | bytes, ms | reductions, ms | weak scaling |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, cores, latency, bandwidth in MACHINES:
        for bodies in (1e8, 1e9, 1e10):
            ranks = min(cores, 100000)
            r = model.domain(bodies / ranks, contacts, sweeps, colours)
            p = model.predict(r)
            compute = p["seconds"] - model.seconds[2] * p["messages"]
            exchanges = r["passes"] * r["C"] + model.m_0
            parts = (compute, exchanges * latency + p["messages"] * OVERHEAD, p["bytes"] / bandwidth, REDUCTIONS * 2 * math.log2(ranks) * latency)
            share = model.predict(dict(r, B=0.0, K=0))["seconds"] / sum(parts)
            print(f"| {name} | {bodies:.0e} | {ranks:,} | {bodies / ranks:,.0f} | " + " | ".join(f"{1e3 * x:.2f}" for x in parts) + f" | {100 * share:.0f} % |")


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("measured.txt")
    rows = read(path)
    model = Model(rows)
    print(f"seconds  {model.seconds[0]:.3g} n + {model.seconds[1]:.3g} (c + 2 B) (S + 1) + {model.seconds[2]:.3g} messages")
    print(f"messages K ({model.m_0:.3g} + (S + 1) C (1 - exp(-(B / ({model.b} K))^0.7)))")
    print(f"bytes    B ({model.bytes[0]:.3g} + {model.bytes[1]:.3g} (S + 1))")
    print(f"border   {model.area:.3g} n^(2/3) per face\n")
    print_check(model, rows)
    contacts = sum(r["c"] / r["n"] for r in rows) / len(rows)
    print_machines(model, contacts, 20, 15)


if __name__ == "__main__":
    main()
