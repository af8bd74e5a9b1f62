"""What a model contains, and how it is read from a scene."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from ._callbacks import Callback, Faults
from ._epoch import EPOCH
from ._native import ffi, lib
from ._options import Filler
from .errors import Context, invalid, suggestion, text
from .settings import Settings
from .things import KINDS, Body, Force, Joint, Material, Shape, Spring, System, Thing
from .values import Vector, vector3

if TYPE_CHECKING:
    from .keywords import Point

_T = TypeVar("_T", bound=Thing)
Parameters = Mapping[str, float | str] | None


class World:
    """A model that can be read. Model adds what builds one."""

    _memory: Any

    def __init__(self, dimension: int = 3, gravity: Point | None = None) -> None:
        self._begin()
        out = ffi.new("cairn_model **")
        self._check(lib.cairn_model_create(self._context.pointer, dimension, out))
        self._memory = ffi.gc(out[0], lib.cairn_model_destroy)
        if gravity is not None:
            self.gravity = gravity

    def _begin(self) -> None:
        self._context = Context()
        self._faults = Faults()
        self._callbacks: list[Callback] = []
        self._targets: dict[tuple[int, bytes], list[Callback]] = {}
        self._changes = 0
        self._scene: Any = None
        self._memory = None
        self._system_sizes: dict[int, int] = {}

    # ---------------------------------------------------------------------------------------------------- scenes

    @classmethod
    def load(cls, path: str | os.PathLike[str], parameters: Parameters = None) -> Self:
        """Read a scene file, or a robot from URDF or MJCF (load_robot). `parameters` replace values of a scene, as --set does on the
        command line."""
        encoded = os.fsencode(path)
        if lib.cairn_import_recognises(encoded):
            if parameters:
                raise invalid(f"'{os.fspath(path)}' is not a scene file and has no parameters")
            return cls.load_robot(path)
        return cls._from_scene(
            lambda context, values, count, out: lib.cairn_scene_load(context, encoded, values, count, out), parameters
        )

    @classmethod
    def load_robot(
        cls,
        path: str | os.PathLike[str],
        *,
        free_base: bool = False,
        surfaces: bool = False,
        packages: str | os.PathLike[str] | None = None,
        keyframe: str | None = None,
    ) -> Self:
        """Read a robot from a URDF or MJCF file. `notes` has what was changed or left out.

        URDF: with `free_base` the root link moves freely; `packages` is a folder to look up package:// paths in. MJCF: the scene begins
        in `keyframe`. With `surfaces` meshes collide as they are, not as their convex hulls."""
        options, notes = ffi.new("cairn_import_options *", lib.cairn_import_default()), ffi.new("cairn_import_notes **")
        folder, frame = ffi.new("char[]", os.fsencode(packages or "")), ffi.new("char[]", (keyframe or "").encode())
        options.free_base, options.surfaces = free_base, surfaces
        options.packages = folder if packages is not None else ffi.NULL
        options.keyframe = frame if keyframe is not None else ffi.NULL
        encoded = os.fsencode(path)
        model = cls._from_scene(
            lambda context, _values, _count, out: lib.cairn_import_file(context, encoded, options, notes, out), None
        )
        found = (lib.cairn_import_note(notes[0], i) for i in range(lib.cairn_import_note_count(notes[0])))
        model.notes = tuple(f"{text(note.file)}:{note.line}: {text(note.text)}" for note in found)
        lib.cairn_import_notes_destroy(notes[0])
        return model

    notes: tuple[str, ...] = ()
    """What of a robot was changed or left out when it was read, each with file and line."""

    @classmethod
    def parse(cls, source: str, parameters: Parameters = None, file: str = "scene") -> Self:
        """Read a scene from a text. `file` is its name in messages."""
        data = source.encode()
        return cls._from_scene(
            lambda context, values, count, out: lib.cairn_scene_parse(context, file.encode(), data, len(data), values, count, out),
            parameters,
        )

    @classmethod
    def builtin(cls, name: str, parameters: Parameters = None) -> Self:
        """One of the scenes that come with the library (cairn.builtin_scenes)."""
        found = lib.cairn_builtin_find(name.encode())
        if found == ffi.NULL:
            raise invalid(f"there is no built-in scene '{name}'{suggestion(name, builtin_scenes())}")
        return cls.parse(ffi.unpack(found.text, found.length).decode(), parameters, name)

    @classmethod
    def _from_scene(cls, read: Callable[..., int], parameters: Parameters) -> Self:
        model = cls.__new__(cls)
        model._begin()
        filler = Filler(model, "parameters")
        entries = [{"name": filler.text(name), "value": filler.text(value)} for name, value in (parameters or {}).items()]
        out = ffi.new("cairn_scene **")
        model._check(read(model._context.pointer, ffi.new("cairn_parameter[]", entries), len(entries), out))
        model._scene = ffi.gc(out[0], lib.cairn_scene_destroy)
        model._memory = lib.cairn_scene_edit(out[0])
        model._parameters = dict(parameters or {})
        return model

    _parameters: dict[str, float | str] = {}

    @property
    def title(self) -> str:
        """The title of the scene; "" where there is none."""
        return text(lib.cairn_scene_title(self._scene)) if self._scene else ""

    @property
    def text(self) -> str | None:
        """The scene as it was read; None for a model that was built."""
        return text(lib.cairn_scene_text(self._scene)) if self._scene else None

    @property
    def until(self) -> float:
        """s: the end time of the scene; 1 where there is none."""
        return float(lib.cairn_scene_until(self._scene)) if self._scene else 1.0

    @property
    def settings(self) -> Settings:
        """A copy of the settings of the scene; the defaults for a model that was built."""
        return Settings._from_struct(lib.cairn_scene_settings(self._scene) if self._scene else None)

    @property
    def sensors(self) -> dict[str, str]:
        """The quantities that the scene measures, by the names of its sensors."""
        if not self._scene:
            return {}
        found = (lib.cairn_scene_sensor(self._scene, i) for i in range(lib.cairn_scene_sensor_count(self._scene)))
        return {text(sensor.name): text(sensor.quantity) for sensor in found}

    # ---------------------------------------------------------------------------------------------------- life

    @property
    def _pointer(self) -> Any:
        """The library's model."""
        if not self._memory:
            raise invalid("the model is closed")
        return self._memory

    def close(self) -> None:
        """Release the model. Simulations of it must be closed first."""
        self._memory = self._scene = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._memory:
            return "<Model, closed>"
        return f"<Model of dimension {self.dimension}: {len(self.bodies)} bodies, {len(self.joints)} joints>"

    def _check(self, status: int) -> None:
        self._faults.raise_first()
        self._context.check(status)

    def _change(self, function: Callable[..., int], *arguments: Any) -> None:
        self._check(function(self._pointer, *arguments))
        self._changes += 1
        EPOCH.count += 1

    def _keep_callback(self, function: Any) -> Any:
        self._callbacks.append(Callback(self._faults, function))
        return self._callbacks[-1].handle

    # ---------------------------------------------------------------------------------------------------- contents

    @property
    def dimension(self) -> int:
        """2 (planar) or 3 (spatial)."""
        return int(lib.cairn_model_dimension(self._pointer))

    @property
    def gravity(self) -> Vector:
        """m/s^2. Simulations take it from the model when they are created."""
        numbers = ffi.new("double[3]")
        lib.cairn_model_gravity(self._pointer, numbers)
        return np.array(list(numbers))

    @gravity.setter
    def gravity(self, value: Point) -> None:
        self._change(lib.cairn_model_set_gravity, vector3(value, "gravity"))

    def _list(self, kind: type[_T]) -> list[_T]:
        count = getattr(lib, f"cairn_model_{kind._noun}_count")(self._pointer)
        at = getattr(lib, f"cairn_model_{kind._noun}")
        return [kind(self, at(self._pointer, index)) for index in range(count)]

    @property
    def bodies(self) -> list[Body]:
        """All bodies, in the order of arrays with one entry per body."""
        return self._list(Body)

    @property
    def shapes(self) -> list[Shape]:
        """All shapes, the pieces of those that are stored in pieces included."""
        return self._list(Shape)

    @property
    def materials(self) -> list[Material]:
        """All materials, the default one first."""
        return self._list(Material)

    @property
    def joints(self) -> list[Joint]:
        """All joints and couplings."""
        return self._list(Joint)

    @property
    def springs(self) -> list[Spring]:
        """All springs."""
        return self._list(Spring)

    @property
    def forces(self) -> list[Force]:
        """All forces."""
        return self._list(Force)

    @property
    def systems(self) -> list[System]:
        """All systems."""
        return self._list(System)

    def _handle(self, noun: str, value: Thing | str | None) -> Any:
        """The handle of a thing, or of its name; None is the null handle."""
        if value is None:
            return ffi.new(f"cairn_{noun} *")[0]
        if isinstance(value, Thing):
            if value._noun != noun:
                raise TypeError(f"expected a {noun}, not {value!r}")
            return value._handle
        if not isinstance(value, str):
            raise TypeError(f"expected a {noun} or its name, not {value!r}")
        found = getattr(lib, f"cairn_model_find_{noun}")(self._pointer, value.encode())
        if found.id == 0:
            hint = suggestion(value, (thing.name for thing in self._list(KINDS[noun])))
            raise invalid(f"there is no {noun} '{value}'{hint}")
        return found

    def body(self, name: str) -> Body:
        """The body with this name."""
        return Body(self, self._handle("body", name))

    def joint(self, name: str) -> Joint:
        """The joint or coupling with this name."""
        return Joint(self, self._handle("joint", name))

    def material(self, name: str) -> Material:
        """The material with this name."""
        return Material(self, self._handle("material", name))

    def spring(self, name: str) -> Spring:
        """The spring with this name."""
        return Spring(self, self._handle("spring", name))

    def force(self, name: str) -> Force:
        """The force with this name."""
        return Force(self, self._handle("force", name))

    def system(self, name: str) -> System:
        """The system with this name."""
        return System(self, self._handle("system", name))


def builtin_scenes() -> dict[str, str]:
    """The scenes that come with the library: their titles by their names."""
    scenes = (lib.cairn_builtin_scene(index) for index in range(lib.cairn_builtin_count()))
    return {text(scene.name): text(scene.title) for scene in scenes}


def scene_schema() -> str:
    """The JSON Schema of scene files."""
    return text(lib.cairn_scene_schema())
