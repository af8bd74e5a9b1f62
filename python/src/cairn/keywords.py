"""The keywords of everything that a model takes, for type checkers. The tests compare them with the structs of the C headers, where
units and defaults are described (cairn/model.h)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Union

from numpy.typing import ArrayLike, NDArray

from .values import BodyState

if TYPE_CHECKING:
    from .things import Body, Material

Point = Sequence[float] | NDArray[Any]
Attachment = Union["Body", str, Point, tuple[Union["Body", str, None], Point], None]
Signal = float | str | ArrayLike | Callable[[float], float]
ForceFunction = Callable[[float, BodyState], Any]
SlopesFunction = Callable[[float, BodyState], tuple[Any, Any]]
MotionFunction = Callable[[float], tuple[Any, Any]]
Expressions = Sequence[str | float | None]


class PatchOptions(TypedDict, total=False):
    elements: int
    spacing: float
    compliance: float
    poisson: float
    damping: float
    retardation: float
    kernel: str


class MaterialOptions(TypedDict, total=False):
    friction: float
    restitution: float
    stiffness: float
    damping: float
    tangential_stiffness: float
    rolling_friction: float
    spinning_friction: float
    cohesion: float
    cohesion_range: float
    weight: float
    patch: PatchOptions


class PairOptions(TypedDict, total=False):
    rolling_friction: float
    spinning_friction: float
    cohesion: float


class BodyOptions(TypedDict, total=False):
    kind: str
    point: bool
    mass: float
    inertia: Sequence[float]
    position: Point
    angle: float
    orientation: Point
    velocity: Point
    angular_velocity: Point
    groups: int
    collides_with: int
    motion_position: Expressions
    motion_angle: str
    motion_axis: Point
    hold: bool


class ShapeOptions(TypedDict, total=False):
    radius: float
    length: float
    height: float
    radii: Sequence[float]
    size: Sequence[float]
    normal: Point
    vertices: ArrayLike
    triangles: ArrayLike
    file: str
    scale: float
    weld: float
    flip: bool
    recentre: bool
    heights: ArrayLike
    spacing: float
    position: Point
    angle: float
    orientation: Point
    density: float
    material: Material | str
    surface_velocity: Point
    opening: float


class JointOptions(TypedDict, total=False):
    axis: Point
    second_axis: Point
    axis_b: Point
    over: Sequence[Point]
    length: float
    collide: bool
    stiffness: float
    damping: float
    angular_stiffness: float
    angular_damping: float
    stiffness_matrix: ArrayLike
    damping_matrix: ArrayLike
    weight: float
    numbers: Mapping[str, float]


class CoordinateOptions(TypedDict, total=False):
    lower: float
    upper: float
    restitution: float
    friction: float
    friction_coefficient: float
    friction_radius: float
    thrust_radius: float
    bearing_length: float
    damping: float
    stiffness: float
    rest: Signal
    drive: str
    target: Signal
    drive_stiffness: float
    drive_damping: float
    drive_limit: float
    drive_power: float
    initial: float
    initial_rate: float
    rotor_inertia: float


class CouplingOptions(TypedDict, total=False):
    hold: bool
    value: Signal
    weight: float


class SpringOptions(TypedDict, total=False):
    axis: Point
    stiffness: float
    damping: float
    rest: float


class ForceOptions(TypedDict, total=False):
    point: Point
    body_frame: bool
    force: Expressions
    torque: Expressions


class RegionOptions(TypedDict, total=False):
    centre: Point
    radius: float
    height: float
    size: Point
    angle: float
    orientation: Point


class StatisticOptions(TypedDict, total=False):
    region: RegionOptions
    point: Point
    normal: Point
    bins: int
    top: float
    touching: float
    cell: float


class SizesOptions(TypedDict, total=False):
    """How radii are distributed."""

    kind: str
    by_mass: bool
    mean: float
    deviation: float
    least: float
    most: float
    table: ArrayLike


class PopulationRegionOptions(TypedDict, total=False):
    """Where grains begin, or leave."""

    kind: str
    position: Point
    angle: float
    orientation: Point
    size: Point
    radius: float
    height: float
    vertices: ArrayLike
    triangles: ArrayLike


class InsertionOptions(TypedDict, total=False):
    rate: float
    begin: float
    until: float


class PopulationOptions(TypedDict, total=False):
    count: int
    fraction: float
    sizes: SizesOptions
    shapes: Sequence[Mapping[str, Any]]
    density: float
    material: Union["Material", str]
    region: PopulationRegionOptions
    packing: str
    spacing: float
    jitter: float
    seed: int
    velocity: Point
    angular_velocity: Point
    groups: int
    collides_with: int
    insertion: InsertionOptions
    removal: PopulationRegionOptions
    recycle: bool


class SettingsOptions(TypedDict, total=False):
    """The settings of a simulation, as in the library's table."""

    step: float
    integrator: str
    law: str
    stabilisation: str
    accuracy: str
    device: str
    sweeps: int
    certify_every: int
    reproducible: bool
    solver: str
    forces: str
    jacobian: str
    mass: str
    events: bool
    reduction: bool
    impact: str
    event_floor: float
    initial: str
    tolerance: float
    solver_tolerance: float
    max_iterations: int
    time_limit: float
    threads: int
    contact_tolerance: float
    restitution_threshold: float
    push_out_speed: float
    projection_tolerance: float
    audit: bool
    audit_every: int
    allow: str
