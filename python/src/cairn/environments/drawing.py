"""Pictures of flat scenes: convex outlines, painted one over another with smooth edges. NumPy alone draws them.

A pixel is covered by an outline as far as its centre lies within all of its edges: coverage = clip(1/2 - d, 0, 1), d the largest of
the signed distances to the edges, in pixels. Across a straight edge that is the exact share of the pixel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

PAPER: Colour = (250, 250, 247)
FIXED: Colour = (150, 150, 150)
BODY: Colour = (38, 98, 166)
HAND: Colour = (214, 106, 40)
MARK: Colour = (196, 226, 196)


class Outline(NamedTuple):
    """A convex polygon (n, 2), counter-clockwise, m, in the frame of this body of the simulation; -1: of the world."""

    body: int
    points: NDArray[np.float64]
    colour: Colour


def rectangle(width: float, height: float, centre: ArrayLike = (0.0, 0.0)) -> NDArray[np.float64]:
    """The corners of a rectangle."""
    return np.asarray(centre) + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)


def disc(radius: float, corners: int = 24) -> NDArray[np.float64]:
    """A regular polygon instead of a circle."""
    turn = 2 * np.pi * np.arange(corners) / corners
    return radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)


class Canvas:
    """A picture of so many metres around a centre."""

    def __init__(self, width: float, height: float, centre: tuple[float, float] = (0.0, 0.0), pixels: int = 400) -> None:
        self.scale = pixels / width
        rows = round(height * self.scale)
        x = centre[0] - width / 2 + (np.arange(pixels) + 0.5) / self.scale
        y = centre[1] + height / 2 - (np.arange(rows) + 0.5) / self.scale
        self._x, self._y = x[None, :], y[:, None]

    def draw(self, outlines: list[Outline], positions: NDArray[np.float64], rotations: NDArray[np.float64]) -> Image:
        """Paint outlines in their order, each where its body is."""
        image = np.empty((self._y.size, self._x.size, 3))
        image[...] = PAPER
        for body, points, colour in outlines:
            placed = points if body < 0 else positions[body, :2] + points @ rotations[body, :2, :2].T
            cover = self._coverage(placed)[:, :, None]
            image += cover * (np.array(colour) - image)
        return np.rint(image).astype(np.uint8)

    def _coverage(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        outside = np.full((self._y.size, self._x.size), -np.inf)
        for a, b in zip(points, np.roll(points, -1, axis=0)):
            along = (b - a) / np.hypot(*(b - a))
            np.maximum(outside, along[1] * (self._x - a[0]) - along[0] * (self._y - a[1]), out=outside)
        return np.clip(0.5 - self.scale * outside, 0.0, 1.0)
