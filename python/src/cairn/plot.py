"""Series of a run, drawn with Matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Run


def plot_series(run: Run, names: tuple[str, ...], axes: Any = None) -> Any:
    """Draw series over the time, one panel per unit, and return the panels; by default the energies."""
    import matplotlib.pyplot as plt

    chosen = names or tuple(name for name in run if name in ("energy/kinetic", "energy/potential", "energy/total"))
    units = list(dict.fromkeys(run.unit(name) for name in chosen))
    if axes is None:
        _, grid = plt.subplots(len(units), 1, sharex=True, squeeze=False, layout="constrained")
        panels = list(grid[:, 0])
    else:
        panels = [axes] * len(units)
    for name in chosen:
        panels[units.index(run.unit(name))].plot(run["time"], run[name], label=name)
    for panel, unit in zip(panels, units):
        panel.set_ylabel(unit or "-")
        panel.legend()
    panels[-1].set_xlabel("time (s)")
    return panels if axes is None else axes
