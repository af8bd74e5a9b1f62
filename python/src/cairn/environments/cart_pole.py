"""A pole on a cart, on a rail with stops."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model import Model
from ..simulation import Simulation
from .base import Action, Environment, Observation, Result
from .drawing import BODY, FIXED, HAND, Canvas, Outline, rectangle


class CartPole(Environment):
    """A pole on a cart on a rail that ends at stops, which the cart may hit. The action is the force on the cart, as a share of
    10 N; the observation is (x, angle, their rates), in m, rad and s. The reward of a step is 1 while the pole stands within 0.4
    rad of the vertical. The episode ends when it does not; the stops end nothing.

    Barto, Sutton and Anderson 1983, with stops at 2.4 m as contacts instead of an end of the episode.
    """

    FORCE = 10.0
    STOP = 2.4
    LEAN = 0.4

    def __init__(self, render_mode: str | None = None, step: float = 0.02, restitution: float = 0.5) -> None:
        model = Model(dimension=2)
        cart = model.add_body("cart", mass=1, inertia=(0, 0, 0.1))
        pole = model.add_body("pole", mass=0.1, inertia=(0, 0, 0.1 / 12), position=(0, 0.5))
        self._rail = model.add_joint("rail", "prismatic", (0.0, 0.0), cart, axis=(1, 0))
        self._rail.set_coordinate(lower=-self.STOP, upper=self.STOP, restitution=restitution, drive="force", target=0.0)
        model.add_joint("pin", "revolute", cart, pole.at((0, 0)))
        super().__init__(Simulation(model, step=step, impact="newton"), 4, 1, 1, render_mode)
        names = ("rail.position", "pin.angle", "rail.position.rate", "pin.angle.rate")
        self._quantities = [self._simulation.quantities[name] for name in names]
        stops = [Outline(-1, rectangle(0.1, 0.3, (side * (self.STOP + 0.25), 0)), FIXED) for side in (-1, 1)]
        rail = Outline(-1, rectangle(2 * self.STOP + 0.6, 0.03), FIXED)
        self._outlines = [rail, *stops, Outline(0, rectangle(0.4, 0.2), BODY), Outline(1, rectangle(0.06, 1.0), HAND)]
        self._canvas = Canvas(5.6, 2.4, (0, 0.4))

    def _observe(self) -> Observation:
        return np.array([quantity.value for quantity in self._quantities])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin near the upright position; options["start"] gives (x, angle, their rates) instead of a random start."""
        super().reset(seed=seed)
        x, angle, speed, rate = self._drawn(options, [-0.05] * 4, [0.05] * 4)
        self._simulation.state = self._start
        states = self._simulation.states
        cart, pole = 0, 1
        along = np.array([-np.sin(angle), np.cos(angle), 0]) / 2
        states["position"][cart] = x, 0, 0
        states["velocity"][cart] = speed, 0, 0
        states["position"][pole] = states["position"][cart] + along
        states["angle"][pole] = angle
        states["velocity"][pole] = speed - rate * along[1], rate * along[0], 0
        states["angular_velocity"][pole] = 0, 0, rate
        self._simulation.states = states
        return self._observe(), {}

    def step(self, action: Action) -> Result:
        """Push the cart for one step of the simulation."""
        self._rail.set_target(self.FORCE * self._shares(action)[0])
        self._simulation.step()
        observation = self._observe()
        fallen = bool(abs(observation[1]) > self.LEAN)
        return observation, 0.0 if fallen else 1.0, fallen, False, {}
