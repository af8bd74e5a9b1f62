"""Cairn: nonsmooth rigid multibody dynamics, with contact, friction, joints and stiff springs.

>>> import cairn
>>> model = cairn.Model(dimension=3)
>>> floor = model.add_body("floor", kind="fixed")
>>> _ = floor.add_shape("half-space", normal=(0, 0, 1))
>>> ball = model.add_body("ball", position=(0, 0, 1))
>>> _ = ball.add_shape("sphere", radius=0.1, density=1000)
>>> with cairn.Simulation(model, step=0.01) as simulation:
...     simulation.run(until=1.0)
...     print(f"{simulation['ball.z']:.3f} m")
0.100 m

Units are SI throughout.
"""

from ._native import lib as _lib
from ._world import builtin_scenes, scene_schema
from .assembly import Assembly
from .batch import Batch, BatchError
from .errors import (
    Error,
    FileError,
    InvalidError,
    Message,
    NoMemoryError,
    NumericError,
    UnsolvedError,
    UnsupportedError,
)
from .errors import (
    text as _text,
)
from .hooks import Candidate, Pair, Surface
from .model import Model
from .problem import Problem, Solution
from .quantities import Quantity, Watch
from .query import Distance, Hit, Query
from .run import Recorder, Run
from .settings import Settings
from .simulation import EVENTS, VIOLATIONS, Simulation
from .state import State
from .study import study
from .things import Body, Force, Joint, Material, Population, Shape, Spring, Statistic, System
from .values import BodyState, Record
from .view import View

__version__ = _text(_lib.cairn_version())

__all__ = [
    "EVENTS",
    "VIOLATIONS",
    "Assembly",
    "Batch",
    "BatchError",
    "Body",
    "BodyState",
    "Candidate",
    "Distance",
    "Error",
    "FileError",
    "Force",
    "Hit",
    "InvalidError",
    "Joint",
    "Material",
    "Message",
    "Model",
    "NoMemoryError",
    "NumericError",
    "Pair",
    "Population",
    "Problem",
    "Quantity",
    "Query",
    "Record",
    "Recorder",
    "Run",
    "Settings",
    "Shape",
    "Simulation",
    "Solution",
    "Spring",
    "State",
    "Statistic",
    "Surface",
    "System",
    "UnsolvedError",
    "UnsupportedError",
    "View",
    "Watch",
    "builtin_scenes",
    "scene_schema",
    "study",
]
