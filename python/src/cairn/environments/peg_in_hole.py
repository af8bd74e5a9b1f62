"""A compliant gripper pushes a peg into a narrow hole.

The gripper is a chain of two slides and a hinge at the upper end of the peg, in the plane. Each has a servo with the force
k (target - q) - d q', so that the peg gives way where it touches: an impedance, as robots have that assemble. The agent moves the
targets. The hole leaves little room: within it the peg can lean only as far as two opposite corners allow,

    W = w cos(a) + s sin(a)         W, w: widths of hole and peg; s: depth of the peg's end; a: its angle

and pressed at a larger angle it jams, held by friction alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model import Model
from ..simulation import Simulation
from .base import Action, Environment, Observation, Result
from .drawing import BODY, FIXED, HAND, Canvas, Outline, disc, rectangle


class PegInHole(Environment):
    """The action moves the targets of the servos (x, y, angle), as shares of 2 mm, 2 mm and 0.02 rad per period of 0.02 s. The
    observation is (x, y, angle) of the upper end of the peg, their rates, and the forces of the servos: m, rad, s, N and N m. The
    mouth of the hole is at the origin.

    The reward of a period is the way in m by which the peg's lower end came nearer to the bottom of the hole, and 1 for arriving:
    the episode ends when that end is within 2 mm of the bottom.
    """

    PEG = (0.02, 0.08)
    """m: width and length of the peg."""
    DEPTH = 0.05
    """m: of the hole."""
    MOVES = np.array([0.002, 0.002, 0.02])
    CLOSE = 0.002

    def __init__(
        self, render_mode: str | None = None, step: float = 0.005, clearance: float = 0.0005, friction: float = 0.2
    ) -> None:
        self._wide = self.PEG[0] + clearance
        model = Model(dimension=2, gravity=(0, 0))
        model.add_material("steel", friction=friction)
        self._add_block(model)
        self._servos = self._add_gripper(model)
        super().__init__(Simulation(model, step=step), 9, 3, max(1, round(0.02 / step)), render_mode)
        coordinates = ("along.position", "down.position", "turn.angle")
        names = [name + part for part in ("", ".rate", ".drive") for name in coordinates]
        self._quantities = [self._simulation.quantities[name] for name in names]
        self._targets = np.zeros(3)
        self._canvas = Canvas(0.24, 0.24, (0, 0.04))

    def _add_block(self, model: Model) -> None:
        """Two walls and a bottom, in one fixed body."""
        block = model.add_body("block", kind="fixed")
        side, deep = 0.06, self.DEPTH + 0.02
        walls = [(sign * (self._wide + side) / 2, -deep / 2) for sign in (-1, 1)]
        parts = [(side, deep, wall) for wall in walls] + [(self._wide, 0.02, (0, -self.DEPTH - 0.01))]
        self._outlines = [Outline(-1, rectangle(*part), FIXED) for part in parts]
        for _, corners, _ in self._outlines:
            block.add_shape("polygon", vertices=corners, material="steel")

    def _add_gripper(self, model: Model) -> list[Any]:
        """Slides along x and y, and a hinge that holds the peg at its upper end."""
        slide = model.add_body("slide", mass=0.5, inertia=(0, 0, 1e-3))
        top = self.PEG[1] + 0.02
        lift = model.add_body("lift", mass=0.5, inertia=(0, 0, 1e-3), position=(0, top))
        peg = model.add_body("peg", position=(0, top - self.PEG[1] / 2))
        peg.add_shape("polygon", vertices=rectangle(*self.PEG), density=200, material="steel")
        along = model.add_joint("along", "prismatic", (0.0, 0.0), slide, axis=(1, 0))
        down = model.add_joint("down", "prismatic", slide, lift, axis=(0, 1))
        turn = model.add_joint("turn", "revolute", lift, peg.at((0, top)))
        for joint in (along, down):
            joint.set_coordinate(drive="position", target=0.0, drive_stiffness=800, drive_damping=60, drive_limit=30)
        turn.set_coordinate(drive="position", target=0.0, drive_stiffness=2, drive_damping=0.07, drive_limit=1)
        self._outlines += [Outline(peg.index, rectangle(*self.PEG), BODY), Outline(lift.index, disc(0.01), HAND)]
        return [along, down, turn]

    @property
    def tip(self) -> NDArray[np.float64]:
        """m: the middle of the peg's lower end."""
        peg = self._simulation.body("peg")
        return peg.position[:2] + self.PEG[1] / 2 * np.array([np.sin(peg.angle), -np.cos(peg.angle)])

    def _way(self) -> float:
        """m: how far the peg's end is from the bottom of the hole."""
        return float(np.hypot(self.tip[0], self.tip[1] + self.DEPTH))

    def _observe(self) -> Observation:
        return np.array([quantity.value for quantity in self._quantities])

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin at rest above the block; options["start"] gives (x, y, angle) of the peg's lower end instead of a random start."""
        super().reset(seed=seed)
        x, y, angle = self._drawn(options, (-0.02, 0.005, -0.1), (0.02, 0.02, 0.1))
        up = self.PEG[1] * np.array([-np.sin(angle), np.cos(angle)])
        hand = np.array([x, y]) + up
        self._simulation.state = self._start
        states = self._simulation.states
        slide, lift, peg = (self._simulation.model.body(name).index for name in ("slide", "lift", "peg"))
        states["position"][slide, 0] = hand[0]
        states["position"][lift, :2] = hand
        states["position"][peg, :2] = hand - up / 2
        states["angle"][peg] = angle
        self._simulation.states = states
        self._aim(np.array([*hand, angle]))
        self._left = self._way()
        return self._observe(), {}

    def _aim(self, targets: NDArray[np.float64]) -> None:
        self._targets = targets
        for servo, target in zip(self._servos, targets):
            servo.set_target(float(target))

    def step(self, action: Action) -> Result:
        """Move the targets, and let the servos follow for one period."""
        self._aim(self._targets + self.MOVES * np.array(self._shares(action)))
        self._simulation.step(self._steps)
        before, self._left = self._left, self._way()
        arrived = self._left < self.CLOSE
        return self._observe(), before - self._left + arrived, arrived, False, {"way": self._left}
