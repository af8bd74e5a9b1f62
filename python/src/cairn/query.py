"""Queries: distances, rays and regions among the shapes of a model (docs: query)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._native import ffi, lib
from .arrays import BODY_STATE
from .errors import Context, invalid
from .model import Model
from .simulation import Simulation
from .things import Body, Shape
from .values import Vector, vector3

if TYPE_CHECKING:
    from .keywords import Point


class Distance(NamedTuple):
    """The distance (m) between a and b, negative where they overlap; the unit vector from b to a; the nearest points in the world,
    point_a - point_b = distance * normal; and the shapes that these belong to, None for a mere point."""

    distance: float
    normal: Vector
    point_a: Vector
    point_b: Vector
    shape_a: Shape | None
    shape_b: Shape | None


class Hit(NamedTuple):
    """Where a ray enters a shape: m along the ray, point and outward unit normal in the world. A ray that begins inside has the
    distance 0 and a normal against it."""

    body: Body
    shape: Shape
    distance: float
    point: Vector
    normal: Vector
    inside: bool


class Query:
    """The shapes of a model where its bodies begin, or of a simulation where its bodies are.

    >>> query = Query(simulation)
    >>> query.ray((0, 0, 1), (0, 0, -1))[0].distance
    >>> simulation.step(10)
    >>> query.follow()

    It does not move by itself: `follow` takes it to where the bodies of the simulation are now, `place` to other poses. Once something
    was added to the model or removed from it, make another query. One thread at a time may use it.
    """

    def __init__(self, source: Model | Simulation) -> None:
        self._simulation = source if isinstance(source, Simulation) else None
        self._model = source.model if isinstance(source, Simulation) else source
        self._context = Context()
        # The library reads the model with every query.
        self._memory = (self._model._pointer, self._model._scene)
        out = ffi.new("cairn_query **")
        self._context.check(lib.cairn_query_create(self._context.pointer, self._model._pointer, out))
        self._pointer = ffi.gc(out[0], lib.cairn_query_destroy)
        if self._simulation is not None:
            self.follow()

    def follow(self) -> None:
        """Move all bodies to where they are in the simulation now."""
        if self._simulation is None:
            raise invalid("this query is of a model; one of a simulation can follow")
        self._context.check(lib.cairn_query_follow(self._pointer, self._simulation._live))

    def place(self, states: Any) -> None:
        """Move all bodies to given poses: an array as Simulation.states or Run.states has them."""
        array = np.ascontiguousarray(states, BODY_STATE)
        count = lib.cairn_model_body_count(self._model._pointer)
        if array.shape != (count,):
            raise invalid(f"the model has {count} bodies, but {array.size} states are given")
        self._context.check(lib.cairn_query_place(self._pointer, ffi.cast("cairn_body_state *", array.ctypes.data)))

    def _distance(self, found: Any) -> Distance:
        normal, a, b = (np.array(list(vector)) for vector in (found.normal, found.point_a, found.point_b))
        shapes = [Shape(self._model, shape) if shape.id else None for shape in (found.shape_a, found.shape_b)]
        return Distance(found.distance, normal, a, b, shapes[0], shapes[1])

    def distance(self, a: Body | str, b: Body | str) -> Distance:
        """Between two bodies: that of their nearest shapes."""
        out = ffi.new("cairn_distance *")
        bodies = (self._model._handle("body", body) for body in (a, b))
        self._context.check(lib.cairn_query_distance(self._pointer, *bodies, out))
        return self._distance(out)

    def closest(self, body: Body | str, point: Point) -> Distance:
        """Between a body (a) and a point of the world (b)."""
        out = ffi.new("cairn_distance *")
        place = vector3(point, "the point")
        self._context.check(lib.cairn_query_closest(self._pointer, self._model._handle("body", body), place, out))
        return self._distance(out)

    def ray(self, origin: Point, direction: Point, most: float = math.inf) -> list[Hit]:
        """All shapes that a ray meets within `most` metres, the nearest first."""
        line = vector3(origin, "the origin"), vector3(direction, "the direction")
        count = ffi.new("int *", 8)
        while True:
            room = count[0]
            hits = ffi.new("cairn_ray_hit[]", room)
            self._context.check(lib.cairn_query_ray(self._pointer, *line, most, hits, room, count))
            if count[0] <= room:
                return [self._hit(hits[index]) for index in range(count[0])]

    def _hit(self, hit: Any) -> Hit:
        point, normal = (np.array(list(vector)) for vector in (hit.point, hit.normal))
        return Hit(Body(self._model, hit.body), Shape(self._model, hit.shape), hit.distance, point, normal, hit.inside)

    def overlap(
        self,
        centre: Point,
        *,
        radius: float = 0.0,
        size: Point = (),
        angle: float = 0.0,
        orientation: Point = (),
    ) -> list[Body]:
        """The bodies that touch or overlap a ball (`radius`) or a box (`size`, turned by an angle in the plane or by a quaternion), in
        the order of the model."""
        region = ffi.new("cairn_region *", {"radius": radius, "angle": angle})
        for name, value in (("centre", centre), ("size", size), ("orientation", orientation)):
            field = getattr(region, name)
            if len(value) > len(field):
                raise invalid(f"{name} has {len(value)} numbers; at most {len(field)} are possible")
            for index, number in enumerate(value):
                field[index] = number
        room = lib.cairn_model_body_count(self._model._pointer)
        bodies, count = ffi.new("cairn_body[]", max(room, 1)), ffi.new("int *")
        self._context.check(lib.cairn_query_overlap(self._pointer, region, bodies, room, count))
        return [Body(self._model, bodies[index]) for index in range(count[0])]
