"""A finger pushes a box over a table to a mark.

The box rests on the table with its whole lower face, and slides with dry friction. The finger is a ball on two slides that move it
over the table, each with a servo of speed. A push beside the middle turns the box; it cannot be pulled back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model import Model
from ..simulation import Simulation
from .base import Action, Environment, Observation, Result
from .drawing import BODY, HAND, MARK, Canvas, Outline, disc, rectangle


class PushBox(Environment):
    """The action is the speed of the finger along x and y, as shares of 0.5 m/s, for a period of 0.02 s. The observation is the place
    of the box (x, y, and the sine and cosine of its angle), its velocity (x, y, and its rate of turn), and place and velocity of the
    finger: m, s and rad. The mark is at the origin.

    The reward of a period is the way in m by which the box came nearer to the mark, and 1 for arriving: the episode ends when the
    middle of the box is within 10 mm of the mark. It also ends when the box leaves the table, of 1 m by 1 m, with a reward of -1.
    """

    BOX = (0.12, 0.08, 0.06)
    """m: length, width and height of the box."""
    FINGER = 0.015
    """m: radius of the finger."""
    SPEED = 0.5
    TABLE = 1.0
    CLOSE = 0.01

    def __init__(
        self, render_mode: str | None = None, step: float = 0.01, friction: float = 0.3, finger_friction: float = 0.1
    ) -> None:
        model = Model(dimension=3)
        model.add_material("wood", friction=friction)
        model.add_material("rubber")
        model.set_pair("wood", "rubber", finger_friction)
        model.add_body("table", kind="fixed").add_shape("half-space", normal=(0, 0, 1), material="wood")
        box = model.add_body("box", position=(0, 0, self.BOX[2] / 2))
        box.add_shape("box", size=self.BOX, density=400, material="wood")
        self._servos = self._add_finger(model)
        super().__init__(Simulation(model, step=step), 11, 2, max(1, round(0.02 / step)), render_mode)
        self._box, finger = box.index, model.body("finger")
        self._outlines = [
            Outline(box.index, rectangle(*self.BOX[:2]), BODY),
            Outline(finger.index, disc(self.FINGER), HAND),
            Outline(-1, disc(self.CLOSE, 16), MARK),
        ]
        self._canvas = Canvas(self.TABLE, self.TABLE)

    def _add_finger(self, model: Model) -> list[Any]:
        height = self.BOX[2] / 2
        slide = model.add_body("slide", mass=0.2, inertia=(1e-3,) * 3, position=(-0.3, 0, height))
        finger = model.add_body("finger", mass=0.2, inertia=(1e-3,) * 3, position=(-0.3, 0, height))
        finger.add_shape("sphere", radius=self.FINGER, material="rubber")
        joints = [
            model.add_joint("along", "prismatic", (0.0, 0.0, height), slide.at((0, 0, height)), axis=(1, 0, 0)),
            model.add_joint("across", "prismatic", slide, finger, axis=(0, 1, 0)),
        ]
        for joint in joints:
            joint.set_coordinate(drive="speed", target=0.0, drive_damping=200, drive_limit=20)
        return joints

    def _observe(self) -> Observation:
        box, finger = (self._simulation.body(name) for name in ("box", "finger"))
        x_axis = self._simulation.rotations[self._box, :2, 0]
        turn = x_axis[::-1] / np.hypot(*x_axis)
        motion = (*box.velocity[:2], box.angular_velocity[2])
        return np.array([*box.position[:2], *turn, *motion, *finger.position[:2], *finger.velocity[:2]])

    def _way(self) -> float:
        """m: how far the middle of the box is from the mark."""
        return float(np.hypot(*self._simulation.positions[self._box, :2]))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin at rest; options["start"] gives (x, y, angle) of the box and (x, y) of the finger instead of a random start."""
        super().reset(seed=seed)
        x, y, angle, *hand = self._drawn(options, (-0.25, -0.25, -np.pi, -0.45, -0.45), (0.25, 0.25, np.pi, -0.4, 0.45))
        self._simulation.state = self._start
        states = self._simulation.states
        states["position"][self._box, :2] = x, y
        states["orientation"][self._box] = np.cos(angle / 2), 0, 0, np.sin(angle / 2)
        slide, finger = (self._simulation.model.body(name).index for name in ("slide", "finger"))
        states["position"][slide, 0] = hand[0]
        states["position"][finger, :2] = hand
        self._simulation.states = states
        self._left = self._way()
        return self._observe(), {}

    def step(self, action: Action) -> Result:
        """Move the finger for one period."""
        for servo, share in zip(self._servos, self._shares(action)):
            servo.set_target(self.SPEED * share)
        self._simulation.step(self._steps)
        before, self._left = self._left, self._way()
        arrived = self._left < self.CLOSE
        lost = bool(np.abs(self._simulation.positions[self._box, :2]).max() > self.TABLE / 2)
        return self._observe(), before - self._left + arrived - lost, arrived or lost, False, {"way": self._left}
