"""The comparison with other engines: makes the scenes, runs every driver, measures and reports. ./bench calls it."""
import argparse
import datetime
import json
import os
import subprocess
import sys
import time

import measure
import plan
import report
import scenes


def arguments():
    parser = argparse.ArgumentParser(prog="./bench", description="Compare Cairn with other engines: time and accuracy.")
    parser.add_argument("--form", choices=sorted(plan.FORMS), default="full", help=argparse.SUPPRESS)
    parser.add_argument("--programs", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--root", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--output", required=True, help="directory of peers.md, peers.csv, peers.json and pictures")
    parser.add_argument("--docs", action="store_true", help="write the report into docs/peers.md and docs/figures too")
    parser.add_argument("--scenes", help="only these, separated by commas: " + ", ".join(scenes.SCENES))
    parser.add_argument("--engines", help="only these: " + ", ".join(plan.ENGINES))
    parser.add_argument("--seed", type=int, default=1, help="of the scenes' randomness; default 1")
    parser.add_argument("--reuse", help="take the peers' numbers from an earlier peers.json of the same form")
    parser.add_argument("--limit", type=float, help="s of processor time per run")
    return parser.parse_args()


def words(text, known, what):
    chosen = text.split(",") if text else []
    for word in chosen:
        if word not in known:
            sys.exit(f"bench: there is no {what} '{word}'; known: {', '.join(known)}")
    return chosen


def ask(programs, engine, option):
    """What a driver says about itself; None where it was not built."""
    path = os.path.join(programs, "peer-" + engine)
    if not os.path.exists(path):
        return None
    return subprocess.run([path, option], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as stream:
            return next(line.split(":")[1].strip() for line in stream if line.startswith("model name"))
    except (OSError, StopIteration):
        return "an unknown processor"


def write_scene(scene, work):
    path = os.path.join(work, scene.name + ".scene")
    with open(path, "w", encoding="utf-8") as stream:
        scene.write(stream, scenes.YAW)
    return path


def say(result):
    print(f"{result['scene']:12} {result['engine']:7} {result['settings'] or 'default':24} {report.time_text(result):>22} ms"
          f"   penetration {report.short(result['penetration'])}  drift {report.short(result['drift'])}", file=sys.stderr, flush=True)


def cold_start(programs, work, scene, scene_path, frames, steady, limit):
    """The first step of a new process that begins with the settled heap, in steady steps' times."""
    if steady["outcome"] != "done":
        return {"why": f"the heap did not settle: {steady['outcome']} after {steady['taken']} steps"}
    with open(scene_path, encoding="utf-8") as text, open(frames, "rb") as stream:
        restarted = measure.restart(text.read(), stream.read(), len(scene.bodies), 20)
    path = os.path.join(work, "restart.scene")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(restarted)
    scene.steps = 20
    # A settled heap overlaps by what its accuracy permits; it is to be continued, not refused.
    found, _ = measure.execute(programs, work, plan.Run("restart", "cairn", "initial=keep"), scene, path, limit)
    if not found["first_ms"]:
        return {"why": found["why"]}
    return {"first_ms": found["first_ms"], "steady_ms": steady["late_ms"], "ratio": found["first_ms"] / steady["late_ms"]}


def earlier(path, form, seed):
    """Results of the peers from an earlier report, by run."""
    if not path:
        return {}
    with open(path, encoding="utf-8") as stream:
        document = json.load(stream)
    if (document["form"], document["seed"]) != (form, seed):
        sys.exit(f"bench: {path} is of form {document['form']} and seed {document['seed']}, not {form} and {seed}")
    return {plan.Run(r["scene"], r["engine"], r["settings"]): r for r in document["results"] if r["engine"] != "cairn"}


def everything(given, form, engines, known):
    """All results, the cold start, and the runs that were left out because cheaper ones were cut."""
    work = os.path.join(given.output, "work")
    os.makedirs(work, exist_ok=True)
    results, cold, cut, omitted = [], None, [], []
    only = words(given.scenes, scenes.SCENES, "scene")
    reused = earlier(given.reuse, given.form, given.seed)
    for run in plan.runs(form, engines, known, only):
        if plan.pointless(run, cut):
            omitted.append(run)
            continue
        if run in reused:
            results.append(reused[run])
            continue
        scene = form.scene(run, given.seed)
        limit = plan.limit_of(given.limit or form.limit, len(scene.bodies))
        path = write_scene(scene, work)
        result, frames = measure.execute(given.programs, work, run, scene, path, limit)
        results.append(result)
        if result["outcome"] == "cut":
            cut.append(run)
        say(result)
        if run == plan.Run(plan.RESTART, "cairn", ""):
            cold = cold_start(given.programs, work, scene, path, frames, result, limit)
        os.remove(frames)
    return results, cold, omitted


def main():
    given = arguments()
    form = plan.FORMS[given.form]
    wanted = words(given.engines, plan.ENGINES, "engine") or plan.ENGINES
    described = {e: ask(given.programs, e, "--describe") for e in wanted}
    engines = [e for e in wanted if described[e]]
    for engine in wanted:
        if engine not in engines:
            print(f"bench: {report.NAMES[engine]} is not installed and is left out", file=sys.stderr)
    known = {"cairn": ask(given.programs, "cairn", "--settings").split()}
    os.makedirs(given.output, exist_ok=True)
    started = time.time()
    results, cold, omitted = everything(given, form, engines, known)
    header = {"form": given.form, "seed": given.seed, "date": datetime.date.today().isoformat(), "processor": processor(),
              "engines": {e: described[e] for e in engines}, "skipped": [e for e in wanted if e not in engines],
              "omitted": [" ".join(r) for r in omitted], "limit": given.limit or form.limit, "reused": bool(given.reuse),
              "seconds": round(time.time() - started)}
    table = report.goals.Table(results)
    figures = os.path.join(given.root, "docs", "figures") if given.docs else os.path.join(given.output, "figures")
    os.makedirs(figures, exist_ok=True)
    pictures = [p for p in (report.draw(given.programs, table, s, figures) for s in table.scenes) if p]
    report.write_data(given.output, header, results, cold)
    if given.docs:
        report.write_data(figures, header, results, cold)
    text = report.text(header, results, cold, pictures)
    with open(os.path.join(given.output, "peers.md"), "w", encoding="utf-8") as stream:
        stream.write("# Comparison with other engines\n\n" + text)
    if given.docs:
        report.replace_results(os.path.join(given.root, "docs", "peers.md"), text)
    print(text)


if __name__ == "__main__":
    main()
