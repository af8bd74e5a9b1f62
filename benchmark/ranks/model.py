#!/usr/bin/env python3
"""What a step of ranks costs, as a function of what a rank has, and what that comes to on large machines.

    benchmark/ranks/run.sh LIBRARY split 4000 20 > measured.txt  # and with other modes, numbers of bodies and sweeps
    benchmark/ranks/model.py measured.txt                        # default: benchmark/ranks/measured.txt

A rank has n bodies, c contacts, G ghosts, B of which it visits contacts of (the border), and K neighbours; P = S + 1 passes are taken in a step, over C colours. Per step

    visits    (c + 2 B) P reproducible, c P split          a ghost has some two contacts with bodies of the rank; in the first mode its owner visits them too
    miss      max(0, W - L) P , W = 72 visits / P + 64 n   bytes that a pass does not find in a cache of L bytes
    seconds   t_n n + t_v visits + t_l miss + t_m messages
    messages  reproducible K^a (m_0 + P C (1 - exp(-(B / (K b))^p))), split K (m_0 + m_1 P)
    bytes     y_0 G + y_1 B P                               all G ghosts are told a few things once per step, those of the border in every pass

W: a visit reads pair, normal and impulse of its contact, 8 + 32 + 32 bytes, and motions of 64 bytes per body. Passes go forwards and backwards in turn, so that what a pass
used last the next one uses first: of W bytes in a cache that drops the oldest, L are found again and W - L are not. Where several ranks take turns on one core, and do not fit into its cache together,
nothing is found again: miss = W P. L = 2 MiB is that of the machine's second level.

In the first mode a colour has a message, unless none of the border's bodies is stale. K^a, a < 1: the more neighbours, the more of them touch a domain along an edge or at a corner alone, and most of their
colours have no message. In the second a pass has two, less where a neighbour has ghosts but no contacts. t_m is what a
message costs where the runs were measured, between threads that sleep; on large machines it is OVERHEAD. All coefficients, a, b and p included, are fitted to the lines under "# fitted", by least squares of
relative errors; those under "# predicted" have other numbers of bodies and are predicted. Of ranks inside a large machine, K and B follow from the shape of a domain: B = 6 a n^(2/3), with a from
the runs with one border, and K = 26 domains around a cube's. All messages of an exchange are under way together: it costs the network's latency once, OVERHEAD per message, and its
bytes over the bandwidth; a reduction costs 2 log2(ranks) latencies. Nothing is taken to overlap with computing, although sweeps do overlap it.
"""
import math
import pathlib
import sys

REDUCTIONS = 8.3  # per step: those of the pipeline, and of the domain's audit and skin
OVERHEAD = 5e-7  # s of the processor per message: assumed
CACHE = 2 * 2**20  # bytes: of the second level, per core
CORES = 2  # of the machine that was measured

# name, cores, latency of a message in s, bytes per s of a core: the share of its node's ports that a core has
MACHINES = (
    ("JUQUEEN (Blue Gene/Q): 16 cores per node, ten links of 2 GB/s, 5 us", 458752, 5e-6, 10 * 2e9 / 16),
    ("Aurora: 104 cores per node, eight ports of 25 GB/s, 2 us", 1104896, 2e-6, 8 * 25e9 / 104),
)


def read(path):
    rows, fitted = [], True
    for line in path.read_text().splitlines():
        if line.startswith("# fitted") or line.startswith("# predicted"):
            fitted = line.startswith("# fitted")
        if line.strip() and not line.startswith("#"):
            mode, *numbers = line.split()
            ranks, bodies, contacts, sweeps, colours, ghosts, border, neighbours, ms, messages, size, reductions, _ = map(float, numbers)
            rows.append(dict(mode=mode, fitted=fitted, ranks=int(ranks), n=bodies / ranks, c=contacts / ranks, passes=sweeps + 1, C=colours, B=border, K=neighbours,
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
    """One for both modes: only messages and bytes differ in their coefficients."""

    def __init__(self, rows):
        known = [r for r in rows if r["fitted"]]
        self.seconds = fit(known, self.time_terms, "seconds")
        self.bytes, self.area = {}, {}
        for mode in ("whole", "split"):
            several = [r for r in known if r["mode"] == mode and r["ranks"] > 1]
            two = [r for r in several if r["ranks"] == 2]
            self.bytes[mode] = fit(several, self.byte_terms, "bytes")
            self.area[mode] = [sum(r[key] / r["n"] ** (2 / 3) for r in two) / len(two) for key in ("B", "ghosts")]  # of one face
        several = [r for r in known if r["ranks"] > 1]
        self.split = fit([r for r in several if r["mode"] == "split"], lambda r: (r["K"], r["K"] * r["passes"]), "messages")
        best = None
        whole = [r for r in several if r["mode"] == "whole"]
        for a in range(12, 21):  # the three coefficients that are not linear
            for b in range(5, 400, 5):
                for p in range(2, 13):
                    self.neighbours, self.b, self.power = 0.05 * a, b, 0.1 * p
                    weight = [(self.routes(r) / r["messages"]) ** 2 for r in whole]
                    m_0 = sum(w * (r["messages"] / self.routes(r) - self.slots(r)) for w, r in zip(weight, whole)) / sum(weight)
                    error = sum(((self.slots(r) + m_0) * self.routes(r) / r["messages"] - 1) ** 2 for r in whole)
                    if m_0 >= 0 and (best is None or error < best[0]):
                        best = (error, self.neighbours, b, self.power, m_0)
        self.neighbours, self.b, self.power, self.m_0 = best[1:]

    def routes(self, r):
        return r["K"] ** self.neighbours

    def slots(self, r):
        return r["passes"] * r["C"] * (1 - math.exp(-((r["B"] / (r["K"] * self.b)) ** self.power)))

    @staticmethod
    def visits(r):
        return r["c"] + (2 * r["B"] if r["mode"] == "whole" else 0)

    @classmethod
    def misses(cls, r):
        size, sharing = 72 * cls.visits(r) + 64 * r["n"], max(1.0, r["ranks"] / r.get("cores", CORES))
        if size * sharing <= CACHE:
            return 0.0
        return size if sharing > 1 else size - CACHE

    @classmethod
    def time_terms(cls, r):
        return (r["n"], cls.visits(r) * r["passes"], cls.misses(r) * r["passes"], r["messages"])

    @staticmethod
    def byte_terms(r):
        return (r["ghosts"], r["B"] * r["passes"])

    def messages(self, r):
        if r["K"] == 0:
            return 0.0
        if r["mode"] == "whole":
            return self.routes(r) * (self.m_0 + self.slots(r))
        return r["K"] * (self.split[0] + self.split[1] * r["passes"])

    def exchanges(self, r):
        """One after the other."""
        return r["passes"] * r["C"] + self.m_0 if r["mode"] == "whole" else self.split[0] + 2 * r["passes"]

    def predict(self, r):
        messages = self.messages(r)
        return dict(seconds=sum(x * t for x, t in zip(self.seconds, self.time_terms(dict(r, messages=messages)))), messages=messages,
                    bytes=sum(x * t for x, t in zip(self.bytes[r["mode"]], self.byte_terms(r))))

    def domain(self, mode, n, ranks, contacts, sweeps, colours):
        """A rank inside many, with a cube of bodies and a core of its own."""
        return dict(mode=mode, ranks=ranks, cores=ranks, n=n, c=contacts * n, passes=sweeps + 1, C=colours, B=6 * self.area[mode][0] * n ** (2 / 3),
                    ghosts=6 * self.area[mode][1] * n ** (2 / 3), K=26)


def print_check(model, rows):
    print("| mode | bodies per rank | sweeps | ranks | border | neighbours | ms, measured | modelled | messages, measured | modelled | kB, measured | modelled |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    worst = dict(seconds=0.0, messages=0.0, bytes=0.0)
    for r in rows:
        p = model.predict(r)
        if r["fitted"]:
            continue
        for key in worst:
            if r[key] > 0:
                worst[key] = max(worst[key], abs(p[key] / r[key] - 1))
        print(f"| {'reproducible' if r['mode'] == 'whole' else 'default'} | {r['n']:,.0f} | {r['passes'] - 1:.0f} | {r['ranks']} | {r['B']:.0f} | {r['K']:.2f} | {1e3 * r['seconds']:.1f} | {1e3 * p['seconds']:.1f} "
              f"| {r['messages']:.0f} | {p['messages']:.0f} | {1e-3 * r['bytes']:.0f} | {1e-3 * p['bytes']:.0f} |")
    print("\nlargest error of a prediction: " + ", ".join(f"{100 * v:.0f} % of {k}" for k, v in worst.items()))


def print_machines(model, contacts, sweeps, colours):
    print("\n| machine | bodies | bodies per rank | mode | compute, ms | messages, ms | bytes, ms | reductions, ms | weak scaling |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, cores, latency, bandwidth in MACHINES:
        for bodies in (1e8, 1e9, 1e10):
            for mode in ("whole", "split"):
                ranks = min(cores, 100000)
                r = model.domain(mode, bodies / ranks, ranks, contacts, sweeps, colours)
                p = model.predict(r)
                compute = p["seconds"] - model.seconds[3] * p["messages"]
                parts = (compute, model.exchanges(r) * latency + p["messages"] * OVERHEAD, p["bytes"] / bandwidth, REDUCTIONS * 2 * math.log2(ranks) * latency)
                share = model.predict(dict(r, B=0.0, K=0))["seconds"] / sum(parts)
                print(f"| {name} | {bodies:.0e} | {bodies / ranks:,.0f} | {'reproducible' if mode == 'whole' else 'default'} | " + " | ".join(f"{1e3 * x:.2f}" for x in parts) + f" | {100 * share:.0f} % |")


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("measured.txt")
    rows = read(path)
    model = Model(rows)
    t = model.seconds
    print(f"seconds  {t[0]:.3g} n + {t[1]:.3g} visits + {t[2]:.3g} miss + {t[3]:.3g} messages")
    print(f"messages reproducible K^{model.neighbours:.2f} ({model.m_0:.3g} + P C (1 - exp(-(B / ({model.b} K))^{model.power:.1f}))), split K ({model.split[0]:.3g} + {model.split[1]:.3g} P)")
    for mode in ("whole", "split"):
        print(f"{mode}    bytes {model.bytes[mode][0]:.3g} G + {model.bytes[mode][1]:.3g} B P, B {model.area[mode][0]:.3g} n^(2/3) and G {model.area[mode][1]:.3g} n^(2/3) per face")
    print()
    print_check(model, rows)
    contacts = sum(r["c"] / r["n"] for r in rows) / len(rows)
    print_machines(model, contacts, 20, 15)


if __name__ == "__main__":
    main()
