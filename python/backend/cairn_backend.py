"""The build backend: scikit-build-core's, with a source distribution that holds the library too.

In a checkout the library lies beside this folder. A source distribution has it in the folder `library`, so that it builds by itself.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import scikit_build_core.build as _build
from scikit_build_core.build import *  # noqa: F403

_HERE = Path(__file__).resolve().parents[1]
# What the library and the tool are built from.
_LIBRARY = ("CMakeLists.txt", "LICENSE", "cmake", "include", "src", "cli", "scenes", "schema", "tools", "viewer")
_IGNORED = shutil.ignore_patterns("node_modules", "dist", "build", "__pycache__", "*.so", ".*_cache")


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=_IGNORED)
    else:
        shutil.copy(source, target)


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Write the source distribution from a copy in which the library is within the package's folder."""
    # A source distribution that was unpacked already has the folder.
    library = _HERE / "library" if (_HERE / "library").exists() else _HERE.parent
    output, before = os.path.abspath(sdist_directory), os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        staged = Path(scratch) / "python"
        shutil.copytree(_HERE, staged, ignore=shutil.ignore_patterns("library", "dist", "build", "__pycache__", "*.so", ".*_cache"))
        (staged / "library").mkdir()
        for name in _LIBRARY:
            _copy(library / name, staged / "library" / name)
        os.chdir(staged)
        try:
            return _build.build_sdist(output, config_settings)
        finally:
            os.chdir(before)
