"""The things in a model: bodies, populations, shapes, materials, joints, springs, forces and systems. Each is a small handle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Unpack, cast

import numpy as np

from ._native import ffi, lib
from ._options import Filler, word, words
from .errors import invalid, text
from .values import BodyState, Record, Vector, vector3

if TYPE_CHECKING:
    from ._world import World
    from .keywords import CoordinateOptions, Point, ShapeOptions, Signal
    from .model import Model


class Thing:
    """A thing in a model. Two are equal when they name the same thing."""

    __slots__ = ("model", "_handle")
    _noun: ClassVar[str]

    model: Model

    def __init__(self, model: World, handle: Any) -> None:
        self.model = cast("Model", model)
        # A copy of its own: `handle` may lie within a struct that dies.
        self._handle = ffi.new(f"cairn_{self._noun} *", handle)[0]

    @property
    def name(self) -> str:
        """Its name; "" once it was removed."""
        return text(getattr(lib, f"cairn_model_{self._noun}_name")(self.model._pointer, self._handle))

    def _key(self) -> tuple[Any, ...]:
        return type(self), id(self.model), self._handle.id, self._handle.generation

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} '{self.name}'>"


class _Removable(Thing):
    __slots__ = ()

    def remove(self) -> None:
        """Remove it from its model. Simulations follow with their next step."""
        self.model._change(getattr(lib, f"cairn_model_remove_{self._noun}"), self._handle)


class Body(_Removable):
    """A body. The origin of its frame is its centre of mass."""

    __slots__ = ()
    _noun = "body"

    def add_shape(self, kind: str, **options: Unpack[ShapeOptions]) -> Shape:
        """Add a shape such as "sphere" (radius=...) or "box" (size=...)."""
        filler = Filler(self.model, f"shape of body '{self.name}'")
        struct = ffi.new("cairn_shape_options *", lib.cairn_shape_default(word("cairn_shape_kind", kind)))
        filler.fill(struct, options)
        out = ffi.new("cairn_shape *")
        self.model._change(lib.cairn_model_add_shape, self._handle, struct, out)
        return Shape(self.model, out[0])

    @property
    def index(self) -> int:
        """Its place in arrays with one entry per body; -1 once it was removed."""
        return int(lib.cairn_model_body_index(self.model._pointer, self._handle))

    @property
    def kind(self) -> str:
        """ "dynamic", "fixed" or "driven"."""
        return ("dynamic", "fixed", "driven")[lib.cairn_model_body_kind(self.model._pointer, self._handle)]

    @property
    def mass(self) -> float:
        """kg, shapes counted; 0 for bodies that are not dynamic."""
        return float(lib.cairn_model_body_mass(self.model._pointer, self._handle))

    @property
    def inertia(self) -> Vector:
        """kg m^2 about the centre of mass, in the body's frame, (3, 3), shapes counted; in the plane only [2, 2] counts."""
        numbers = ffi.new("double[9]")
        lib.cairn_model_body_inertia(self.model._pointer, self._handle, numbers)
        return np.array(list(numbers)).reshape(3, 3)

    def at(self, world_point: Point) -> tuple[Body, tuple[float, ...]]:
        """The attachment of this body at a point of the world, by its initial pose."""
        point = vector3(world_point, "the point")
        attachment = lib.cairn_model_attach(self.model._pointer, self._handle, point)
        return self, tuple(attachment.point)

    def set(self, state: BodyState) -> None:
        """Set the pose and velocity in which simulations begin that are created later."""
        self.model._change(lib.cairn_model_set_body, self._handle, state._struct())

    def ignore(self, other: Body) -> None:
        """Let the two bodies pass through each other."""
        self.model._change(lib.cairn_model_ignore_contact, self._handle, other._handle)


class Shape(_Removable):
    """A shape of a body."""

    __slots__ = ()
    _noun = "shape"

    @property
    def name(self) -> str:
        """Shapes have no names: the kind."""
        return self.kind

    @property
    def kind(self) -> str:
        """Its kind as scene files call it."""
        return text(lib.cairn_model_shape_info(self.model._pointer, self._handle).name)

    @property
    def body(self) -> Body:
        """The body that it belongs to."""
        info = lib.cairn_model_shape_info(self.model._pointer, self._handle)
        return Body(self.model, info.body)


class Material(Thing):
    """A material: friction, restitution and stiffness of surfaces."""

    __slots__ = ()
    _noun = "material"

    @property
    def options(self) -> Record:
        """Its options as they were given."""
        return Record(lib.cairn_model_material_options(self.model._pointer, self._handle))


class Joint(_Removable):
    """A joint or a coupling."""

    __slots__ = ()
    _noun = "joint"

    @property
    def type(self) -> str:
        """Its type as scene files call it."""
        return text(lib.cairn_model_joint_type(self.model._pointer, self._handle))

    @property
    def coordinates(self) -> list[str]:
        """The names of its free coordinates."""
        count = lib.cairn_model_coordinate_count(self.model._pointer, self._handle)
        return [text(lib.cairn_model_coordinate_name(self.model._pointer, self._handle, i)) for i in range(count)]

    def coordinate(self, name: str | None = None) -> Record:
        """What acts on a coordinate: its range, spring, friction and drive (cairn_coordinate_info)."""
        found = self.coordinates.index(self._coordinate(name).decode())
        kinds = {"drive": lambda kind: words("cairn_drive_kind")[kind]}
        return Record(lib.cairn_model_coordinate_info(self.model._pointer, self._handle, found), kinds)

    def _coordinate(self, name: str | None) -> Any:
        names = self.coordinates
        if name is None and len(names) != 1:
            raise invalid(f"joint '{self.name}': name one of its coordinates: {', '.join(names) or 'it has none'}")
        return (name or names[0]).encode()

    def set_coordinate(self, name: str | None = None, **options: Unpack[CoordinateOptions]) -> None:
        """Say what acts on a coordinate, once per coordinate. The name may be left out where there is only one."""
        filler = Filler(self.model, f"joint '{self.name}'")
        struct = filler.fill(ffi.new("cairn_coordinate_options *", lib.cairn_coordinate_default()), options)
        self.model._change(lib.cairn_model_set_coordinate, self._handle, self._coordinate(name), struct)

    def set_target(self, target: Signal | None, name: str | None = None) -> None:
        """Replace the target of a drive, from the next step on; None: the one that set_coordinate gave it."""
        model = self.model
        coordinate, signal = self._coordinate(name), ffi.NULL
        filler = Filler(model, "target")
        older = len(model._callbacks)
        if isinstance(target, float):
            # Targets that are set in every step are mostly numbers.
            signal = ffi.new("cairn_signal *", {"expression": filler.text(target)})
        elif target is not None:
            signal = ffi.new("cairn_signal *")
            filler.what = f"joint '{self.name}'"
            filler.signal(signal, target)
        # A function that is replaced is let go, so that targets may be set in every step.
        functions = model._callbacks[older:]
        del model._callbacks[older:]
        model._check(lib.cairn_model_set_target(model._pointer, self._handle, coordinate, signal))
        model._targets[self._handle.id, coordinate] = functions


class Spring(_Removable):
    """A spring, a damper, or both."""

    __slots__ = ()
    _noun = "spring"

    @property
    def kind(self) -> str:
        """ "linear" or "angular"."""
        return words("cairn_spring_kind")[int(lib.cairn_model_spring_kind(self.model._pointer, self._handle))]


class Force(_Removable):
    """An applied force."""

    __slots__ = ()
    _noun = "force"


class Statistic(Thing):
    """What many bodies do together, in a region or through a plane; its numbers are quantities (docs: statistics)."""

    __slots__ = ()
    _noun = "statistic"


class Population:
    """Many bodies of one kind: len() of them, each a body by its index."""

    __slots__ = ("model", "index")

    def __init__(self, model: World, index: int) -> None:
        self.model = cast("Model", model)
        self.index = index

    @property
    def name(self) -> str:
        """Its name, which those of its bodies begin with: "sand[0]"."""
        return text(lib.cairn_model_population_name(self.model._pointer, self.index))

    def __len__(self) -> int:
        return int(lib.cairn_model_population_size(self.model._pointer, self.index))

    def __getitem__(self, index: int) -> Body:
        if not -len(self) <= index < len(self):
            raise IndexError(f"population '{self.name}' has {len(self)} bodies")
        return Body(self.model, lib.cairn_model_population_body(self.model._pointer, self.index, index % len(self)))

    def __repr__(self) -> str:
        return f"<Population '{self.name}' of {len(self)}>"


class System(Thing):
    """A system of a user: M(q) v' = k(t, q, v) in any coordinates."""

    __slots__ = ()
    _noun = "system"


KINDS: dict[str, type[Thing]] = {kind._noun: kind for kind in (Body, Shape, Material, Joint, Spring, Force, System, Statistic)}
