"""Tables, files and pictures of a run."""
import csv
import json
import os
import subprocess

import goals
import plan

NAMES = {"cairn": "Cairn", "ode": "ODE", "bullet": "Bullet", "mujoco": "MuJoCo", "box2d": "Box2D"}
COLUMNS = ("scene", "engine", "settings", "bodies", "step", "steps", "taken", "outcome", "median_ms", "mean_ms", "first_ms", "worst_ms",
           "early_ms", "late_ms", "kb_per_body", "contacts", "penetration", "worst_penetration", "drift", "joint", "energy", "why")
BEGIN, END = "<!-- results: ./bench writes what follows -->", "<!-- end of results -->"


def short(value, digits=2):
    return "-" if value is None else f"{value:.{digits}g}"


def time_text(result):
    text = short(result["median_ms"], 3)
    if result["outcome"] == "cut":
        return f"{text} (cut at {result['taken']})"
    return text if result["outcome"] == "done" else f"{text} (failed at {result['taken']})"


def worst_over_median(result):
    return f"{result['worst_ms'] / result['median_ms']:.1f}" if result["median_ms"] else "-"


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def scene_rows(table, scene):
    best = table.fastest(scene)
    for engine in plan.ENGINES:
        for r in sorted(table.all(scene, engine), key=lambda r: r["settings"] != ""):
            ratio = short(goals.pace(r) / goals.pace(best)) if best else "-"
            yield (scene, NAMES[engine], r["settings"] or "default", time_text(r), short(r["late_ms"], 3), short(r["first_ms"], 3),
                   short(r["worst_ms"], 3), worst_over_median(r), ratio, short(r["penetration"]), short(r["worst_penetration"]),
                   short(r["drift"]), short(r["joint"]), short(r["energy"]), short(r["kb_per_body"]))


HEAD = ("scene", "engine", "settings", "median ms", "last fifth", "first step", "worst after it", "worst / median",
        "median / best peer's default", "mean penetration", "worst", "drift", "joints", "energy", "kB per body")


def goal_table(results, cold):
    words = {True: "yes", False: "**no**", None: "not measured"}
    rows = [(goal, scene, measured, words[met]) for goal, scene, measured, met in goals.check(results, cold)]
    return markdown(("goal", "scene", "measured", "met"), rows)


LABELS = {"drift": "drift over the size", "energy": "energy error", "joint": "joint error",
          "penetration": "mean penetration over the radius"}


def measure_of(scene):
    """The error that tells most about a scene."""
    if scene in plan.RESTING:
        return "drift"
    return "energy" if scene.startswith("chain") else "joint" if scene == "humanoid" else "penetration"


def error_of(result, scene):
    return result[measure_of(scene)]


def draw(programs, table, scene, folder):
    """Time against error over each engine's settings; None where nothing was varied. Errors below 1e-16 are drawn there."""
    lines, varied = [], False
    for engine in plan.ENGINES:
        found = [r for r in table.all(scene, engine) if r["outcome"] == "done" and error_of(r, scene) is not None]
        varied = varied or any(r["settings"] for r in found)
        for kind, name, part in (("curve", "", found), ("rings", " default", [r for r in found if not r["settings"]])):
            if part:
                points = sorted((goals.pace(r), max(error_of(r, scene), 1e-16)) for r in part)
                lines += [f"{kind} {NAMES[engine]}{name}"] + [f"{x:.6g} {y:.6g}" for x, y in points]
    if not varied:
        return None
    data = os.path.join(folder, f"peers-{scene}.txt")
    picture = os.path.join(folder, f"peers-{scene}.svg")
    with open(data, "w", encoding="utf-8") as stream:
        stream.write("\n".join(lines) + "\n")
    labels = ["median ms per 5 ms of motion", LABELS[measure_of(scene)]]
    subprocess.run([os.path.join(programs, "peer-chart"), data, scene, *labels, picture], check=True)
    os.remove(data)
    return picture


def write_data(folder, header, results, cold):
    with open(os.path.join(folder, "peers.csv"), "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(results)
    kept = [{k: r[k] for k in COLUMNS} for r in results]
    document = dict(header, cold_start=cold, results=kept,
                    goals=[dict(zip(("goal", "scene", "measured", "met"), row)) for row in goals.check(results, cold)])
    with open(os.path.join(folder, "peers.json"), "w", encoding="utf-8") as stream:
        json.dump(document, stream, indent=1)
        stream.write("\n")


def text(header, results, cold, pictures):
    """The report as Markdown."""
    table = goals.Table(results)
    engines = "; ".join(header["engines"].values())
    parts = [f"Form `{header['form']}`, seed {header['seed']}, {header['date']}, one thread of {header['processor']}, limit "
             f"{header['limit']:g} s per run. {engines}."]
    if header["reused"]:
        parts.append("The peers' numbers are those of an earlier run.")
    if header["skipped"]:
        parts.append("Not installed, so left out: " + ", ".join(NAMES[e] for e in header["skipped"]) + ".")
    if header["omitted"]:
        parts.append("Left out because a cheaper setting was cut: " + "; ".join(header["omitted"]) + ".")
    parts.append("### Goals\n\n" + goal_table(results, cold))
    parts.append("### Defaults and settings\n\n" + markdown(HEAD, [row for s in table.scenes for row in scene_rows(table, s)]))
    failures = [f"- {r['scene']}, {NAMES[r['engine']]} {r['settings'] or 'default'}: {r['why']}" for r in results
                if r["outcome"] == "failed"]
    if failures:
        parts.append("### Failures\n\n" + "\n".join(failures))
    if pictures:
        names = [os.path.basename(p) for p in pictures]
        shown = "\n".join(f"![{name[6:-4]}](figures/{name})" for name in names)
        parts.append("### Time against error\n\nRings are the defaults. Errors below 1e-16 are drawn there.\n\n" + shown)
    return "\n\n".join(parts) + "\n"


def replace_results(page, report):
    """Put a report between the marks of a page."""
    with open(page, encoding="utf-8") as stream:
        before, _, rest = stream.read().partition(BEGIN)
    _, _, after = rest.partition(END)
    with open(page, "w", encoding="utf-8") as stream:
        stream.write(f"{before}{BEGIN}\n\n{report}\n{END}{after}")
