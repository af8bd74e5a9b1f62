"""Which engine runs which scene with which settings, in which form of the benchmark."""
import collections

import scenes

Run = collections.namedtuple("Run", "scene engine settings")

HEAPS = ("heap-500", "heap-2000", "heap-8000", "heap-32000")
MIXED = ("mixed-500", "mixed-2000")
PLANAR_RESTING = ("planar-pyramid", "planar-wall", "planar-stack", "planar-incline")
RESTING = ("pyramid", "wall", "tall-wall", "stack", "mass-ratio", "incline") + PLANAR_RESTING
PLANAR = PLANAR_RESTING + ("planar-heap",)
CHAINS = ("chain-10", "chain-100", "chain-1000", "chain-10000")
JOINTED = ("humanoid",) + CHAINS
ENGINES = ("cairn", "ode", "bullet", "mujoco", "box2d")

# MuJoCo is made for articulated bodies; a step of a heap of 500 takes half a second. The quick form does without.
MOST_BODIES = {"mujoco": 510}
MOST_BODIES_QUICK = {"mujoco": 310}

# An engine's own settings, beside its defaults (""), those that cost less first.
SETTINGS = {
    "cairn": ["accuracy=fast audit_every=10", "accuracy=fast", "solver_tolerance=1e-1", "solver_tolerance=1e-2", "solver_tolerance=1e-4",
              "accuracy=exact"],
    "ode": ["iterations=5", "iterations=10", "iterations=50", "iterations=200", "iterations=1000"],
    "bullet": ["iterations=5", "iterations=30", "iterations=100", "iterations=300", "iterations=1000"],
    "box2d": ["iterations=3", "iterations=30", "iterations=100", "iterations=300"],
    "mujoco": ["cone=1", "integrator=3", "timeconst=0.01"],
}
# Heaps in longer steps than the scene's, of whoever may do with them: "step=" is the benchmark's, what follows is the engine's.
LONGER = {
    "cairn": ["step=0.02", "step=0.02 accuracy=fast audit_every=10", "step=0.025 accuracy=fast audit_every=10"],
    "ode": ["step=0.01", "step=0.016 iterations=50"],
    "bullet": ["step=0.01", "step=0.016 iterations=50"],
}
# The direct solver of ODE factorises a dense matrix: small scenes only.
DIRECT = ("wall", "stack", "mass-ratio", "incline", "humanoid", "chain-100")
TOLERANCES = [f"solver_tolerance=1e-{k}" for k in range(1, 7)]
# Looser tolerances must not be slower here.
MONOTONE = ("wall", "heap-500")
RESTART = "heap-2000"


def step_of(settings):
    """The length of the steps that settings ask for; None where it is the scene's."""
    words = [w for w in settings.split() if w.startswith("step=")]
    return float(words[0][len("step="):]) if words else None


def of_engine(settings):
    """The settings that are the engine's own."""
    return [w for w in settings.split() if not w.startswith("step=")]


class Form:
    """A form of the benchmark: its scenes, those on which settings are varied, seconds of processor time per run (more for large
    scenes), the most steps, and whether a few variations are enough."""

    def __init__(self, names, varied, limit, steps, few):
        self.names, self.varied, self.limit, self.steps, self.few = names, varied, limit, steps, few

    def scene(self, run, seed):
        made = scenes.make(run.scene, seed)
        if self.steps:
            made.steps = min(made.steps, self.steps)
        if step_of(run.settings):
            made.take_steps_of(step_of(run.settings))
        return made


FORMS = {
    "full": Form(HEAPS + MIXED + RESTING + JOINTED + ("planar-heap",),
                 ("heap-500", "heap-2000", "mixed-500", "pyramid", "wall", "tall-wall", "humanoid", "chain-100",
                  "planar-pyramid", "planar-heap"), 30, None, False),
    "quick": Form(("heap-500", "heap-2000", "mixed-500", "pyramid", "wall", "tall-wall", "stack", "mass-ratio", "incline",
                   "humanoid", "chain-100", "planar-pyramid", "planar-heap"),
                  ("heap-500", "heap-2000", "mixed-500", "wall"), 6, 400, True),
    "smoke": Form(("loose", "incline", "wall", "chain-100", "planar-incline"), (), 1, 40, True),
}


def variations(engine, name, form, known):
    """Settings to try on a scene beside the defaults."""
    found = [s for s in SETTINGS[engine] if known is None or s.split("=")[0] in known]
    if form.few:
        wanted = ("accuracy=fast audit_every=10", "accuracy=fast", "iterations=50", "iterations=100")
        found = [s for s in found if s in wanted]
    if engine == "cairn" and name in MONOTONE:
        found += [s for s in TOLERANCES if s not in found]
    if engine == "ode" and name in DIRECT:
        found.append("solver=1")
    return found


def grainy(engine, varied):
    """Settings for heaps: those that cost least, and longer steps."""
    first = [] if varied or engine != "cairn" else SETTINGS["cairn"][:1]
    return first + (LONGER.get(engine, []) if varied or engine == "cairn" else LONGER.get(engine, [])[:1])


def limit_of(seconds, bodies):
    """Large scenes have longer: in proportion to their bodies from 1,000 on."""
    return seconds * max(1, bodies / 1000)


def pointless(run, cut):
    """Whether a cheaper setting of the same engine on the same scene was cut. `cut`: runs that were. Tolerances are an exception
    where they are compared with each other."""
    if run.scene in MONOTONE and run.settings in TOLERANCES:
        return False
    return run.engine != "mujoco" and any(r.settings and r[:2] == run[:2] for r in cut)


def suited(name):
    """The engines for a scene: those of the plane for planar ones."""
    return ("cairn", "box2d") if name in PLANAR else tuple(e for e in ENGINES if e != "box2d")


def runs(form, engines, known, only):
    """All runs, scene by scene, so that the engines alternate. `known`: names of the settings of each engine."""
    for name in only or form.names:
        bodies = len(scenes.make(name).bodies)
        most = MOST_BODIES_QUICK if form.few else MOST_BODIES
        able = [e for e in engines if bodies <= most.get(e, bodies) and e in suited(name)]
        for engine in able:
            yield Run(name, engine, "")
        if "bullet" in able and name in JOINTED:
            yield Run(name, "bullet", "multibody=1")
        if name in form.varied:
            for engine in able:
                for setting in variations(engine, name, form, known.get(engine)):
                    yield Run(name, engine, setting)
        if name in HEAPS + MIXED:
            for engine in able:
                for setting in grainy(engine, name in form.varied):
                    yield Run(name, engine, setting)
