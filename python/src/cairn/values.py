"""Plain values that the library returns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._native import ffi
from .errors import invalid, text

Vector = NDArray[np.float64]


class BodyState:
    """Pose and velocity of one body. Planar: position[2] is 0, and the orientation turns about z by `angle`."""

    __slots__ = ("_numbers",)

    def __init__(
        self,
        position: ArrayLike = (),
        angle: float = 0.0,
        orientation: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        velocity: ArrayLike = (),
        angular_velocity: ArrayLike = (),
    ) -> None:
        self._numbers = np.zeros(14)
        given = dict(position=position, orientation=orientation, velocity=velocity, angular_velocity=angular_velocity)
        for name, value in given.items():
            numbers = np.asarray(value, dtype=np.float64)
            place = getattr(self, name)
            if numbers.ndim != 1 or numbers.size > place.size:
                raise invalid(f"body state: {name} must be a vector of at most {place.size} numbers")
            place[: numbers.size] = numbers
        self._numbers[3] = angle

    @classmethod
    def _read(cls, struct: Any) -> BodyState:
        state = cls.__new__(cls)
        address = struct if ffi.typeof(struct).kind == "pointer" else ffi.addressof(struct)
        state._numbers = np.frombuffer(ffi.buffer(address, 112), dtype=np.float64).copy()
        return state

    def _struct(self) -> Any:
        struct = ffi.new("cairn_body_state *")
        ffi.buffer(struct)[:] = self._numbers.tobytes()
        return struct

    @property
    def position(self) -> Vector:
        """m: centre of mass, in the world."""
        return self._numbers[0:3]

    @property
    def angle(self) -> float:
        """rad, planar; 0 in space."""
        return float(self._numbers[3])

    @property
    def orientation(self) -> Vector:
        """Unit quaternion (w, x, y, z), body to world."""
        return self._numbers[4:8]

    @property
    def velocity(self) -> Vector:
        """m/s, in the world."""
        return self._numbers[8:11]

    @property
    def angular_velocity(self) -> Vector:
        """rad/s, in the body's frame; planar: entry [2]."""
        return self._numbers[11:14]

    def __repr__(self) -> str:
        return (
            f"BodyState(position={self.position.tolist()}, angle={self.angle}, orientation={self.orientation.tolist()}, "
            f"velocity={self.velocity.tolist()}, angular_velocity={self.angular_velocity.tolist()})"
        )


def vector3(value: Any, what: str) -> Any:
    """Three numbers for the library, the missing ones 0."""
    numbers = [float(x) for x in value]
    if len(numbers) > 3:
        raise invalid(f"{what} has {len(numbers)} numbers; at most 3 are possible")
    return ffi.new("double[3]", numbers)


def fields(struct: Any) -> Any:
    """Names and fields of a struct, or of what a pointer points to."""
    ctype = ffi.typeof(struct)
    return (ctype.item if ctype.kind == "pointer" else ctype).fields


class Record:
    """A struct of the library, read into attributes. Structs within it are records too, and arrays are NumPy arrays."""

    def __init__(self, struct: Any, convert: dict[str, Any] | None = None) -> None:
        for name, field in fields(struct):
            value = getattr(struct, name)
            special = (convert or {}).get(name) or (convert or {}).get(field.type.cname)
            self.__dict__[name] = special(value) if special else _plain(value, field.type, convert)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"there is no '{name}'; known: {', '.join(self.__dict__)}")

    def as_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {name: value.as_dict() if isinstance(value, Record) else value for name, value in self.__dict__.items()}

    def __repr__(self) -> str:
        return "Record(" + ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items()) + ")"


def _plain(value: Any, ctype: Any, convert: dict[str, Any] | None) -> Any:
    if ctype.kind == "struct":
        return Record(value, convert)
    if ctype.kind == "array":
        return np.array([_plain(item, ctype.item, convert) for item in value])
    if ctype.kind == "pointer":
        return text(value)
    if ctype.kind == "enum":
        return int(ffi.cast("int", value)) if not isinstance(value, int) else value
    return value
