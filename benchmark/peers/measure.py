"""Run one driver in a process of its own and summarise what it did."""
import json
import os
import statistics
import struct
import subprocess

import plan

STATE = 13
SHORT = 500  # ms: of runs that are repeated
REPEATS = 5


def restart(scene_text, frames, body_count, steps):
    """The text of a scene that begins where the last frame of a run ended."""
    size = 8 + 8 * STATE * body_count
    last = frames[-size:]
    states = struct.unpack(f"{STATE * body_count}d", last[8:])
    lines, body = [], 0
    for line in scene_text.splitlines():
        words = line.split()
        if words[0] == "body":
            state = states[STATE * body:STATE * (body + 1)]
            lines.append(" ".join(words[:9] + [f"{x:.17g}" for x in state]))
            body += 1
        elif words[0] == "steps":
            lines.append(f"steps {steps}")
        elif words[0] == "samples":
            lines.append(f"samples {steps}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def read_result(path):
    """Times of the steps (ms), memory (kB) and how the run ended: done, cut or failed, and why."""
    times, memory, outcome, why = [], None, "failed", "the process ended early"
    with open(path, encoding="utf-8", errors="replace") as stream:
        for line in stream:
            key, _, rest = line.strip().partition(" ")
            if key == "t":
                times.append(float(rest))
            elif key == "memory":
                memory = int(rest)
            elif key in ("done", "cut", "failed"):
                outcome, why = key, rest
    return times, memory, outcome, why


def judge(programs, scene, frames):
    """Accuracy of the frames: means over the last fifth of the steps, or the last frame where the run was cut."""
    found = subprocess.run([os.path.join(programs, "peer-judge"), scene, frames], stdout=subprocess.PIPE, check=True)
    return json.loads(found.stdout)


def late_frames(frames, steps):
    late = [f for f in frames if f["step"] > 0.8 * steps]
    return late or frames[-1:]


def mean_of(frames, key):
    values = [f[key] for f in frames]
    return None if not values or None in values else statistics.fmean(values)


def most_of(frames, key):
    values = [f[key] for f in frames if f[key] is not None]
    return max(map(abs, values)) if values else None


def middle(values):
    return statistics.median(values) if values else None


def summarise(run, scene, bodies, times, memory, outcome, why, frames):
    steps = scene.steps
    fifth = max(1, steps // 5)
    late = late_frames(frames, steps)
    after_first = times[1:] or times
    return {
        "scene": run.scene, "engine": run.engine, "settings": run.settings, "bodies": bodies, "step": scene.step, "steps": steps,
        "taken": len(times), "outcome": outcome, "why": why,
        "median_ms": middle(times), "mean_ms": statistics.fmean(times) if times else None,
        "first_ms": times[0] if times else None, "worst_ms": max(after_first) if times else None,
        "early_ms": middle(times[1:fifth]), "late_ms": middle(times[steps - fifth:]),
        "kb_per_body": memory / bodies if memory is not None else None,
        "contacts": mean_of(late, "contacts"), "penetration": mean_of(late, "mean"), "worst_penetration": most_of(late, "worst"),
        "drift": frames[-1]["drift"] if frames and run.scene in plan.RESTING else None,
        "joint": most_of(frames, "joint") if scene.hinges else None,
        "energy": most_of(frames, "energy") if scene.contacts == "none" else None,
        "times_ms": times,
    }


def simulate(command, limit, result):
    """One run: times of the steps, memory, outcome and why. The driver stops itself at the limit of processor time; where that does not
    come, because the machine is busy or the driver hangs, it is stopped after ten times as long."""
    open(result, "wb").close()
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    try:
        subprocess.run(command, env=environment, timeout=10 * limit + 60, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=False)
        return read_result(result)
    except subprocess.TimeoutExpired:
        times, memory, _, _ = read_result(result)
        return times, memory, "cut", "stopped after ten times its limit"


def execute(programs, work, run, scene, scene_path, limit):
    """Simulate, and judge the frames. Short runs are repeated, and each step takes its least time: an interrupt of the machine is
    longer than a step of a few bodies."""
    tag = f"{run.scene}-{run.engine}-{run.settings or 'default'}".replace("=", "-")
    result, frames = os.path.join(work, tag + ".result"), os.path.join(work, tag + ".frames")
    command = [os.path.join(programs, "peer-" + run.engine), scene_path, result, frames, str(limit)] + plan.of_engine(run.settings)
    for attempt in range(REPEATS):
        open(frames, "wb").close()
        again, memory, outcome, why = simulate(command, limit, result)
        times = [min(pair) for pair in zip(times, again)] if attempt else again
        if sum(again) > SHORT or outcome != "done":
            break
    found = judge(programs, scene_path, frames)
    return summarise(run, scene, len(scene.bodies), times, memory, outcome, why, found), frames
