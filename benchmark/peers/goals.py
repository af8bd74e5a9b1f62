"""What the numbers of a run say about Cairn's goals for speed, one row per goal and scene: (goal, scene, measured, met).

`met` is True, False, or None where this run does not tell."""
import plan
import scenes

LOOSER_MAY_COST = 1.1
SLOWING = 1.2
FEWEST = 8000  # bodies: in smaller heaps what every process has is a large part of its memory


class Table:
    """Results by scene, engine and settings."""

    def __init__(self, results):
        self.of = {(r["scene"], r["engine"], r["settings"]): r for r in results}
        self.scenes = list(dict.fromkeys(r["scene"] for r in results))

    def get(self, scene, engine, settings=""):
        found = self.of.get((scene, engine, settings))
        return found if found and found["median_ms"] else None

    def all(self, scene, engine):
        return [r for key, r in self.of.items() if key[:2] == (scene, engine) and r["median_ms"]]

    def peers(self, scene):
        """Defaults of the peers whose structure stands, so far as it is one."""
        found = [self.get(scene, e) for e in plan.ENGINES if e != "cairn"]
        stands = scene in plan.RESTING
        return [r for r in found if r and (not stands or (r["drift"] is not None and r["drift"] < 1))]

    def fastest(self, scene):
        return min(self.peers(scene), key=lambda r: r["median_ms"], default=None)


def pace(result):
    """ms of a median step per scene's step of motion: that of a run in longer steps is for more of it."""
    return result["median_ms"] * scenes.STEP / result["step"]


def finished(result):
    """Whether a run took all its steps and ended in a state that is one."""
    return result is not None and result["outcome"] == "done" and result["penetration"] is not None


def at_equal_penetration(table, scene):
    """The faster of ODE and Bullet, and the fastest run of Cairn that penetrates no more than it."""
    peers = [r for r in (table.get(scene, "ode"), table.get(scene, "bullet")) if finished(r)]
    if not peers:
        return ("as exact as the faster of ODE and Bullet, 8 times faster", scene, "no peer finished", None)
    peer = min(peers, key=lambda r: r["median_ms"])
    able = [r for r in table.all(scene, "cairn")
            if finished(r) and r["penetration"] <= peer["penetration"] and not plan.step_of(r["settings"])]
    if not able:
        return ("as exact as the faster of ODE and Bullet, 8 times faster", scene, "no run of Cairn finished", False)
    best = min(able, key=lambda r: r["median_ms"])
    ratio = peer["median_ms"] / best["median_ms"]
    return ("as exact as the faster of ODE and Bullet, 8 times faster", scene,
            f"{ratio:.2f} times ({peer['engine']} against Cairn {best['settings'] or 'default'})", ratio >= 8)


def at_any_step(table, scene):
    """The same per second of motion, everybody in steps of any length and with any settings: the fastest run of ODE or Bullet that
    penetrates no more than the default of the faster of them, and the fastest run of Cairn that does not either."""
    goal = "as exact, 8 times faster per second of motion, steps of any length"
    defaults = [r for r in (table.get(scene, "ode"), table.get(scene, "bullet")) if finished(r)]
    if not defaults:
        return []
    most = min(defaults, key=pace)["penetration"]
    able = {e: [r for r in table.all(scene, e) if finished(r) and r["penetration"] <= most] for e in ("ode", "bullet", "cairn")}
    if not able["cairn"]:
        return [(goal, scene, "no run of Cairn finished", False)]
    peer, best = min(able["ode"] + able["bullet"], key=pace), min(able["cairn"], key=pace)
    ratio = pace(peer) / pace(best)
    names = f"{peer['engine']} {peer['settings'] or 'default'} against Cairn {best['settings'] or 'default'}"
    return [(goal, scene, f"{ratio:.2f} times ({names}), {peer['penetration']:.2g} and {best['penetration']:.2g}", ratio >= 8)]


def default_against_ode(table, scene):
    goal = "default: 3 times faster than ODE's with 20 times less penetration"
    ours, ode = table.get(scene, "cairn"), table.get(scene, "ode")
    if not finished(ode):
        return (goal, scene, "ODE did not finish", None)
    if not finished(ours):
        return (goal, scene, "Cairn did not finish", False)
    faster = ode["median_ms"] / ours["median_ms"]
    finer = ode["penetration"] / max(ours["penetration"], 1e-16)
    return (goal, scene, f"{faster:.2f} times faster, {finer:.3g} times less", faster >= 3 and finer >= 20)


def resting(table, scene):
    ours, peer = table.get(scene, "cairn"), table.fastest(scene)
    rows = []
    if ours and peer:
        ratio = ours["median_ms"] / peer["median_ms"]
        rows.append(("default: at most 1.5 times the fastest peer that stands", scene,
                     f"{ratio:.2f} times {peer['engine']}", ratio <= 1.5 and finished(ours)))
    if ours:
        met = finished(ours) and ours["drift"] is not None and ours["drift"] < 1e-9
        rows.append(("drift below 1e-9 of the size", scene, number(ours["drift"]) + ending(ours), met))
    if finished(ours) and ours["early_ms"] and ours["late_ms"]:
        ratio = ours["late_ms"] / ours["early_ms"]
        rows.append(("no slowing at rest", scene, f"last fifth {ratio:.2f} times the first", ratio <= SLOWING))
    return rows


def number(value):
    return "-" if value is None else f"{value:.2g}"


def ending(result):
    return "" if finished(result) else f" ({result['outcome']} after {result['taken']} steps)"


def steady(table, scene):
    ours = table.get(scene, "cairn")
    if not ours:
        return []
    ratio = ours["worst_ms"] / ours["median_ms"]
    return [("no step over 5 times the median", scene, f"{ratio:.1f}{ending(ours)}", ratio <= 5 and finished(ours))]


def cold_start(cold):
    goal = "cold start of a settled heap within 30 steady steps"
    if not cold or cold.get("ratio") is None:
        return [(goal, plan.RESTART, (cold or {}).get("why", "not run"), None)]
    return [(goal, plan.RESTART, f"{cold['ratio']:.1f} steps", cold["ratio"] <= 30)]


def growth(table):
    goal = "time per contact and step within 1.5 times from the smallest to the largest heap"
    found = [(s, table.get(s, "cairn")) for s in plan.HEAPS if s in table.scenes]
    if len(found) < 2:
        return []
    names = f"{found[0][0]} to {found[-1][0]}"
    if not all(finished(r) and r["contacts"] and r["late_ms"] for _, r in found):
        return [(goal, names, "not all heaps finished", False)]
    cost = [1e3 * r["late_ms"] / r["contacts"] for _, r in found]
    return [(goal, names, ", ".join(f"{c:.2f}" for c in cost) + " µs per contact", max(cost) <= 1.5 * cost[0])]


def monotone(table, scene):
    goal = "a looser tolerance is at most 10 % slower"
    found = [r for r in (table.get(scene, "cairn", t) for t in plan.TOLERANCES) if r]
    if len(found) < 2:
        return []
    # The same steps of each: a run that was cut would otherwise be compared by its early steps.
    steps = min(r["taken"] for r in found)
    times = [sum(r["times_ms"][:steps]) / steps for r in found]
    met = all(times[i] <= LOOSER_MAY_COST * times[k] for i in range(len(times)) for k in range(i + 1, len(times)))
    return [(goal, scene, ", ".join(f"{t:.3g}" for t in times) + f" ms, 1e-1 first, {steps} steps", met)]


def articulated(table, scene):
    """Jointed bodies against MuJoCo, whose coordinates are minimal."""
    most = 1.5 if scene == "humanoid" else 1.2
    ours, peer = table.get(scene, "cairn"), table.get(scene, "mujoco")
    if not (ours and peer):
        return []
    ratio = ours["median_ms"] / peer["median_ms"]
    return [(f"default: at most {most:g} times MuJoCo", scene, f"{ratio:.2f} times", ratio <= most and finished(ours))]


def links(table):
    """Time per link and step of chains, from 100 links on."""
    found = [(int(s.split("-")[1]), table.get(s, "cairn")) for s in plan.CHAINS[1:]]
    times = [1e3 * r["median_ms"] / count for count, r in found if r]
    if len(times) < 2:
        return []
    return [("time per link and step within 1.5 times from the shortest to the longest chain", "chains",
             ", ".join(f"{t:.2f}" for t in times) + " µs per link", max(times) <= 1.5 * times[0])]


def memory(table, scene):
    ours = table.get(scene, "cairn")
    if not ours or ours["kb_per_body"] is None or ours["bodies"] < FEWEST:
        return []
    return [("at most 2 kB per sphere from 8,000 on", scene, f"{ours['kb_per_body']:.3g} kB", ours["kb_per_body"] <= 2)]


def check(results, cold):
    table = Table(results)
    rows = []
    grains = [s for s in plan.HEAPS + plan.MIXED if s in table.scenes]
    rows += [at_equal_penetration(table, s) for s in grains]
    rows += [row for s in grains for row in at_any_step(table, s)]
    rows += [default_against_ode(table, s) for s in grains]
    for scene in table.scenes:
        if scene in plan.RESTING:
            rows += resting(table, scene)
        if scene in plan.JOINTED:
            rows += articulated(table, scene)
        if scene in plan.HEAPS:
            rows += memory(table, scene)
    for scene in table.scenes:
        rows += steady(table, scene)
    rows += cold_start(cold)
    rows += growth(table)
    rows += links(table)
    for scene in plan.MONOTONE:
        rows += monotone(table, scene)
    return rows
