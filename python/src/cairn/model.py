"""The model: what the world is. Read from a scene, or built here."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import numpy as np

from ._callbacks import SYSTEM_FUNCTIONS, ForceFunctions
from ._native import ffi, lib
from ._options import Filler, word
from ._saving import SceneFile
from ._world import World
from .errors import invalid
from .quantities import quantity_units
from .settings import Settings
from .things import Body, Force, Joint, Material, Population, Spring, Statistic, System, Thing

if TYPE_CHECKING:
    from .assembly import Assembly
    from .keywords import (
        Attachment,
        BodyOptions,
        CouplingOptions,
        ForceFunction,
        ForceOptions,
        JointOptions,
        MaterialOptions,
        MotionFunction,
        PairOptions,
        Point,
        PopulationOptions,
        SettingsOptions,
        SlopesFunction,
        SpringOptions,
        StatisticOptions,
    )

_T = TypeVar("_T", bound=Thing)


class Model(World):
    """Bodies, shapes, materials, joints, springs, forces and systems, in the plane (dimension 2) or in space (3).

    A model may change while simulations of it run: they follow with their next step.
    """

    def _add(self, kind: type[_T], name: str, struct: Any, filler: Filler, verb: str = "") -> _T:
        struct.name = filler.text(name)
        out = ffi.new(f"cairn_{kind._noun} *")
        self._change(getattr(lib, f"cairn_model_add_{verb or kind._noun}"), struct, out)
        return kind(self, out[0])

    def add_material(self, name: str, **options: Unpack[MaterialOptions]) -> Material:
        """Add a material."""
        filler = Filler(self, f"material '{name}'")
        struct = filler.fill(ffi.new("cairn_material_options *", lib.cairn_material_default()), options)
        return self._add(Material, name, struct, filler)

    def set_pair(
        self, a: Material | str, b: Material | str, friction: float, restitution: float = 0.0, **options: Unpack[PairOptions]
    ) -> None:
        """Set friction and restitution of one pair of materials, and what else it has of its own."""
        handles = self._handle("material", a), self._handle("material", b)
        filler = Filler(self, "pair")
        struct = filler.fill(ffi.new("cairn_pair_options *", lib.cairn_pair_default()), options)
        struct.friction, struct.restitution = friction, restitution
        self._change(lib.cairn_model_add_pair, *handles, struct)

    def add_body(self, name: str, *, motion: MotionFunction | None = None, **options: Unpack[BodyOptions]) -> Body:
        """Add a body. `motion` moves a driven one: a function of t that returns its position and its angle (in the plane) or
        orientation."""
        filler = Filler(self, f"body '{name}'")
        struct = filler.fill(ffi.new("cairn_body_options *", lib.cairn_body_default()), options)
        if motion is not None:
            struct.motion, struct.motion_data = lib.cairn_python_motion, self._keep_callback(motion)
        return self._add(Body, name, struct, filler)

    def add_joint(self, name: str, type: str, a: Attachment, b: Attachment, **options: Unpack[JointOptions]) -> Joint:
        """Add a joint of a type such as "revolute" between two attachments: a body, (body, point), or a point of the world."""
        filler = Filler(self, f"joint '{name}'")
        struct = ffi.new("cairn_joint_options *", lib.cairn_joint_default(lib.CAIRN_JOINT_DISTANCE))
        filler.fill(struct, {"type": type, "a": a, "b": b, **options})
        return self._add(Joint, name, struct, filler)

    def add_coupling(self, name: str, terms: Sequence[tuple[float, Any]], **options: Unpack[CouplingOptions]) -> Joint:
        """Add a coupling: the sum of its terms is a coordinate. A term is a factor with a joint, with (joint, coordinate), or with a
        list of attachments through which a rope runs."""
        filler = Filler(self, f"coupling '{name}'")
        struct = filler.fill(ffi.new("cairn_coupling_options *", lib.cairn_coupling_default()), options)
        array = ffi.new("cairn_coupling_term[]", len(terms))
        for index, (factor, what) in enumerate(terms):
            array[index].factor = factor
            self._fill_term(filler, array[index], what)
        struct.terms, struct.term_count = array, len(terms)
        return self._add(Joint, name, struct, filler, "coupling")

    def _fill_term(self, filler: Filler, term: Any, what: Any) -> None:
        if isinstance(what, list):
            points = ffi.new("cairn_attachment[]", len(what))
            for index, point in enumerate(what):
                filler.attach(points[index], point)
            filler.kept.append(points)
            term.points, term.point_count = points, len(what)
            return
        joint, coordinate = what if isinstance(what, tuple) else (what, None)
        term.joint, term.coordinate = self._handle("joint", joint), filler.text(coordinate)

    def add_spring(self, name: str, a: Attachment, b: Attachment, kind: str = "linear", **options: Unpack[SpringOptions]) -> Spring:
        """Add a spring, a damper, or both."""
        filler = Filler(self, f"spring '{name}'")
        struct = ffi.new("cairn_spring_options *", lib.cairn_spring_default(word("cairn_spring_kind", kind)))
        filler.fill(struct, {"a": a, "b": b, **options})
        return self._add(Spring, name, struct, filler)

    def add_force(
        self,
        name: str,
        body: Body | str,
        function: ForceFunction | None = None,
        *,
        slopes: SlopesFunction | None = None,
        **options: Unpack[ForceOptions],
    ) -> Force:
        """Add a force on a dynamic body: expressions (force=..., torque=...), or a function of t and the body's state that returns
        the force, or force and torque, in the world frame. The function must return the same for the same arguments.

        `slopes`, a function of the same arguments, makes the function implicit: it returns the derivatives of (force, torque) by
        (velocity, angular velocity) and by (position, small rotation), two matrices (6, 6), or (3, 3) for those of the force alone;
        None stands for zeros. They need not be exact."""
        filler = Filler(self, f"force '{name}'")
        struct = filler.fill(ffi.new("cairn_force_options *", lib.cairn_force_default()), {"body": body, **options})
        if slopes is not None and function is None:
            raise TypeError(f"force '{name}': slopes belong to a function; expressions have their own")
        if function is not None:
            struct.function, struct.data = lib.cairn_python_force, self._keep_callback(ForceFunctions(function, slopes))
        if slopes is not None:
            struct.slopes = lib.cairn_python_force_slopes
        return self._add(Force, name, struct, filler)

    def add_population(self, name: str, **options: Unpack[PopulationOptions]) -> Population:
        """Add many bodies of one kind, packed into a region (docs: populations).

            model.add_population("sand", count=10000, sizes={"kind": "normal", "mean": 0.005, "deviation": 5e-4}, density=2500,
                                 region={"kind": "cylinder", "radius": 0.2, "height": 1}, packing="random", seed=7)

        With insertion={"rate": ...} they come in over time. `shapes`, mappings with a kind, make grains other than balls."""
        filler = Filler(self, f"population '{name}'")
        struct = filler.fill(ffi.new("cairn_population_options *", lib.cairn_population_default()), options)
        struct.name = filler.text(name)
        index = ffi.new("int *")
        self._change(lib.cairn_model_add_population, struct, index)
        return Population(self, index[0])

    @property
    def populations(self) -> dict[str, Population]:
        """The populations by name."""
        found = (Population(self, index) for index in range(lib.cairn_model_population_count(self._pointer)))
        return {population.name: population for population in found}

    def set_periodic(self, size: Point, shear: float = 0.0) -> None:
        """Repeat everything at multiples of `size` along the axes (0: open), sheared by Lees and Edwards' images at a rate (1/s)."""
        box = ffi.new("double[3]", [float(edge) for edge in size])
        self._change(lib.cairn_model_set_periodic, box, float(shear))

    def add_statistic(self, name: str, **options: Unpack[StatisticOptions]) -> Statistic:
        """Add a statistic of many bodies: of a region (region={"centre": ..., "size": ...}, {"radius": ...}), of what flows through a
        plane (point=..., normal=...), or of everything. Its numbers are quantities: simulation["bulk.stress"]."""
        filler = Filler(self, f"statistic '{name}'")
        struct = filler.fill(ffi.new("cairn_statistic_options *", lib.cairn_statistic_default()), options)
        return self._add(Statistic, name, struct, filler)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        settings: Settings | None = None,
        until: float | None = None,
        sensors: Mapping[str, str] | None = None,
    ) -> None:
        """Write the model as a scene file, to be read and changed by hand; loaded again, it moves as this one does. Settings, end time,
        title and sensors (names of quantities by names of sensors) are those of the scene that it was read from, unless they are
        given. What a scene cannot say, such as a Python function, raises InvalidError."""
        SceneFile(self, title, settings, until, sensors).write(path)

    def to_text(
        self,
        *,
        title: str | None = None,
        settings: Settings | None = None,
        until: float | None = None,
        sensors: Mapping[str, str] | None = None,
    ) -> str:
        """What `save` would write. `text` is the scene as it was read."""
        return SceneFile(self, title, settings, until, sensors).text()

    def save_robot(self, path: str | os.PathLike[str], *, title: str | None = None, settings: Settings | None = None) -> tuple[str, ...]:
        """Write a model of space as a robot for other programs: URDF if the path ends in .urdf, MJCF if it ends in .xml. Returns a
        sentence for each thing that was changed or left out."""
        return SceneFile(self, title, settings).write_robot(path)

    def assemble(self, settings: Settings | None = None, **changes: Unpack[SettingsOptions]) -> Assembly:
        """Put the mechanism together, without a simulation: also one that cannot be, whose closest assembly is returned."""
        from .assembly import assemble

        chosen = (settings or self.settings).copy()
        chosen.update(changes)  # type: ignore[arg-type]
        return assemble(self, chosen)

    @property
    def quantities(self) -> dict[str, str]:
        """The units of all quantities that simulations of this model have, by their names (docs: quantities)."""
        return quantity_units(self)

    def add_system(
        self,
        name: str,
        q: Point,
        v: Point | None = None,
        *,
        joint_count: int = 0,
        gap_count: int = 0,
        tangent_count: int = 0,
        friction: float = 0.0,
        restitution: float = 0.0,
        **functions: Callable[..., Any],
    ) -> System:
        """Add a system M(q) v' = k(t, q, v), q' = v. The functions return NumPy arrays: mass(q), and where needed force(t, q, v),
        force_q(t, q, v), force_v(t, q, v), joints(q) -> (Theta, gradient), gaps(q) -> (Phi, gradient[, tangents]), potential(q)."""
        unknown = [key for key in functions if key not in SYSTEM_FUNCTIONS]
        if unknown:
            raise TypeError(f"system '{name}': there is no function '{unknown[0]}'; known: {', '.join(SYSTEM_FUNCTIONS)}")
        filler = Filler(self, f"system '{name}'")
        struct = ffi.new("cairn_system_options *", lib.cairn_system_default())
        start = np.array(q, dtype=np.float64)
        struct.n, struct.q = start.size, filler.pointer(start)
        if v is not None:
            if np.size(v) != start.size:
                raise invalid(f"system '{name}': q has {start.size} numbers, but v has {np.size(v)}")
            struct.v = filler.pointer(np.array(v, dtype=np.float64))
        counts = dict(joint_count=joint_count, gap_count=gap_count, tangent_count=tangent_count)
        for key, value in dict(friction=friction, restitution=restitution, **counts).items():
            setattr(struct, key, value)
        for key in functions:
            setattr(struct, key, SYSTEM_FUNCTIONS[key])
        struct.data = self._keep_callback(_SystemFunctions(functions, start.size, counts))
        system = self._add(System, name, struct, filler)
        self._system_sizes[system._handle.id] = start.size
        return system


class _SystemFunctions:
    """The functions of a system and the sizes of their answers."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], n: int, counts: Mapping[str, int]) -> None:
        self.functions = functions
        self.n = n
        self.joint_count = counts["joint_count"]
        self.gap_count = counts["gap_count"]
        self.tangent_count = counts["tangent_count"]
