"""What the environments share: a simulation, the quantities that an agent sees, the drives that it moves, a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..errors import invalid
from ..simulation import Simulation
from .drawing import Canvas, Image, Outline

Observation = NDArray[np.float64]
Action = NDArray[np.float32]
Result = tuple[Observation, float, bool, bool, dict[str, Any]]


class Environment(gymnasium.Env[Observation, Action]):
    """An environment over one simulation. Actions are shares from -1 to 1; an action holds for `steps` steps of the simulation.

    Render mode "rgb_array": pictures as arrays (rows, columns, 3) of bytes.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 50}

    def __init__(self, simulation: Simulation, numbers: int, actions: int, steps: int, render_mode: str | None) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise invalid(f"there is no render mode '{render_mode}'; known: {', '.join(self.metadata['render_modes'])}")
        period = steps * float(simulation.settings.step)
        self.metadata = {**self.metadata, "render_fps": max(1, round(1 / period))}
        self.render_mode = render_mode
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (actions,), np.float32)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (numbers,), np.float64)
        self._simulation = simulation
        self._steps = steps
        self._start = simulation.state

    # What a picture shows, and of which part of the world.
    _outlines: list[Outline]
    _canvas: Canvas

    @property
    def simulation(self) -> Simulation:
        """The simulation behind the environment."""
        return self._simulation

    @property
    def period(self) -> float:
        """s: how long an action holds."""
        return self._steps * float(self._simulation.settings.step)

    def _drawn(self, options: dict[str, Any] | None, low: Sequence[float], high: Sequence[float]) -> NDArray[np.float64]:
        """The start that options["start"] gives, or one drawn at random between two vectors."""
        start = (options or {}).get("start")
        if start is None:
            return self.np_random.uniform(low, high)
        given = np.asarray(start, dtype=np.float64)
        if given.shape != (len(low),) or not np.all(np.isfinite(given)):
            raise invalid(f"reset: the option 'start' must have {len(low)} finite numbers")
        return given

    @staticmethod
    def _shares(action: Action) -> list[float]:
        """The numbers of an action, held between -1 and 1."""
        shares = np.asarray(action, dtype=np.float64).tolist()
        if any(share != share for share in shares):
            raise invalid("step: the action is not a number")
        return [min(1.0, max(-1.0, share)) for share in shares]

    def render(self) -> Image | None:
        """The present state as a picture; None without a render mode."""
        if self.render_mode is None:
            return None
        return self._canvas.draw(self._outlines, self._simulation.positions, self._simulation.rotations)

    def close(self) -> None:
        """Release the simulation."""
        self._simulation.close()
