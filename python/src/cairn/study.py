"""Many runs of one scene with other values of its parameters: over processes, threads, or the workers of a Dask cluster."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, Unpack

from .errors import Error, invalid
from .keywords import SettingsOptions
from .model import Model
from .simulation import Simulation

Measure = Sequence[str] | Callable[[Simulation], Mapping[str, float]]


class Submits(Protocol):
    """What runs functions somewhere: an Executor of concurrent.futures, or a Client of dask.distributed."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any: ...


def study(
    scene: str | os.PathLike[str],
    vary: Mapping[str, Sequence[float | str]],
    measure: Measure,
    *,
    until: float | None = None,
    workers: Submits | int | None = None,
    **settings: Unpack[SettingsOptions],
) -> list[dict[str, Any]]:
    """Run a scene with every combination of values of its parameters and return a row for each, in that order.

    `scene` is a file, the name of a built-in scene, or a scene's text. A row has the parameters, then what is measured at the end: quantities
    by name, or what a function of the simulation returns. `violations` is the number of violations of the physics in the whole run, `error`
    is None or why the run failed; what could not be measured is None then.

    `workers` does the runs: a number of threads (default: one per processor), an Executor, or a Dask Client. With others than
    threads, files and functions must be found where they work. Results do not depend on it.

    >>> text = '''
    ... cairn: 1
    ... dimension: 2
    ... parameters: {g: 10}
    ... gravity: [0, -g]
    ... bodies: [{name: ball, position: [0, 0], shapes: [{type: circle, radius: 0.1, density: 1}]}]
    ... simulation: {step: 0.01, until: 1, integrator: euler2}
    ... '''
    >>> for row in study(text, {"g": [5, 10]}, ["ball.y"]):
    ...     print(row["g"], round(row["ball.y"], 6))
    5 -2.5
    10 -5.0
    """
    names, text = list(vary), os.fspath(scene)
    if not names:
        raise invalid("vary: expected a parameter and its values, found none")
    for name in names:
        if isinstance(vary[name], str) or len(vary[name]) == 0:
            raise invalid(f"vary '{name}': expected a list of values, found {vary[name]!r}")
    rows = [dict(zip(names, values)) for values in itertools.product(*vary.values())]
    _model(text, rows[0])  # a mistake in the scene is found before the runs
    arguments = [(text, row, measure, until, dict(settings)) for row in rows]
    return list(_results(workers, arguments))


def _results(workers: Submits | int | None, arguments: list[Any]) -> Iterator[dict[str, Any]]:
    if workers is None or isinstance(workers, int):
        with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
            yield from _results(pool, arguments)
        return
    futures = [workers.submit(run_row, *one) for one in arguments]
    for future in futures:
        yield future.result()


def run_row(
    scene: str, parameters: dict[str, float | str], measure: Measure, until: float | None, settings: dict[str, Any]
) -> dict[str, Any]:
    """One run of a study. A failure is part of its row."""
    row: dict[str, Any] = dict(parameters)
    row |= {name: None for name in measure} if not callable(measure) else {}
    row |= {"violations": None, "error": None}
    try:
        with Simulation(_model(scene, parameters), threads=1, **settings) as simulation:
            simulation.run(until)
            row |= measure(simulation) if callable(measure) else {name: simulation[name] for name in measure}
            row["violations"] = sum(simulation.audit.values())
    except Error as error:
        row["error"] = str(error)
    return row


def _is_file(scene: str) -> bool:
    return "\n" not in scene and os.path.exists(scene)


def _model(scene: str, parameters: dict[str, float | str]) -> Model:
    if "\n" in scene:
        return Model.parse(scene, parameters)
    return Model.load(scene, parameters) if _is_file(scene) else Model.builtin(scene, parameters)
