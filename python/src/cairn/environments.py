"""Environments for Gymnasium (pip install gymnasium).

>>> import gymnasium
>>> import cairn.environments
>>> env = gymnasium.make("cairn/CartPole-v0")
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .model import Model
from .simulation import Simulation

Observation = NDArray[np.float64]


class CartPole(gymnasium.Env[Observation, NDArray[np.float32]]):
    """A pole on a cart on a rail that ends at stops, which the cart may hit. The action is the force on the cart, as a share of
    10 N; the observation is (x, angle, their rates), in m, rad and s. The reward of a step is 1 while the pole stands within 0.4
    rad of the vertical. The episode ends when it does not; the stops end nothing.

    Barto, Sutton and Anderson 1983, with stops at 2.4 m as contacts instead of an end of the episode.
    """

    metadata: dict[str, Any] = {"render_modes": []}
    FORCE = 10.0
    STOP = 2.4
    LEAN = 0.4

    def __init__(self, step: float = 0.02, restitution: float = 0.5) -> None:
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (1,), np.float32)
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (4,), np.float64)
        model = Model(dimension=2)
        cart = model.add_body("cart", mass=1, inertia=(0, 0, 0.1))
        pole = model.add_body("pole", mass=0.1, inertia=(0, 0, 0.1 / 12), position=(0, 0.5))
        self._rail = model.add_joint("rail", "prismatic", (0.0, 0.0), cart, axis=(1, 0))
        self._rail.set_coordinate(lower=-self.STOP, upper=self.STOP, restitution=restitution, drive="force", target=0.0)
        model.add_joint("pin", "revolute", cart, pole.at((0, 0)))
        self._simulation = Simulation(model, step=step, impact="newton")
        self._start = self._simulation.state
        names = ("rail.position", "pin.angle", "rail.position.rate", "pin.angle.rate")
        self._quantities = [self._simulation.quantities[name] for name in names]

    @property
    def simulation(self) -> Simulation:
        """The simulation behind the environment."""
        return self._simulation

    def _observe(self) -> Observation:
        return np.array([quantity.value for quantity in self._quantities])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin near the upright position; options["start"] gives (x, angle, their rates) instead of a random start."""
        super().reset(seed=seed)
        start = (options or {}).get("start")
        x, angle, speed, rate = self.np_random.uniform(-0.05, 0.05, 4) if start is None else start
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

    def step(self, action: NDArray[np.float32]) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Push the cart for one step of the simulation."""
        self._rail.set_target(self.FORCE * float(np.clip(action[0], -1.0, 1.0)))
        self._simulation.step()
        observation = self._observe()
        fallen = bool(abs(observation[1]) > self.LEAN)
        return observation, 0.0 if fallen else 1.0, fallen, False, {}

    def close(self) -> None:
        """Release the simulation."""
        self._simulation.close()


gymnasium.register("cairn/CartPole-v0", entry_point="cairn.environments:CartPole", max_episode_steps=500)
