"""The page on Python, whose code blocks are one program, and the docstrings."""

import inspect
import os
import re
from pathlib import Path

import pytest

import cairn


def test_the_page_runs(tmp_path, monkeypatch, capsys):
    page = Path(os.environ.get("CAIRN_SOURCE_DIR", Path(__file__).parents[2])) / "docs" / "python.md"
    if not page.exists():
        pytest.skip("the page is not beside the tests (CAIRN_SOURCE_DIR)")
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) >= 6
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(blocks), str(page), "exec"), {})
    assert "done" in capsys.readouterr().out


def undocumented(name, thing):
    """The public names of a class, or of one function, that have no docstring of their own or of a base."""
    missing = [] if inspect.getdoc(thing) else [name]
    for attribute, value in vars(thing).items() if inspect.isclass(thing) else ():
        is_code = inspect.isfunction(value) or isinstance(value, (property, classmethod, staticmethod))
        if not attribute.startswith("_") and is_code and not inspect.getdoc(getattr(thing, attribute)):
            missing.append(f"{name}.{attribute}")
    return missing


def test_every_public_name_has_a_docstring():
    assert cairn.__all__ == sorted(cairn.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    missing = []
    for name in cairn.__all__:
        thing = getattr(cairn, name)
        # Constants are described where they are used.
        missing += [] if name.isupper() else undocumented(name, thing)
        for base in thing.__mro__ if inspect.isclass(thing) else ():
            missing += undocumented(base.__name__, base) if base.__module__.startswith("cairn.") and base.__name__[0] != "_" else []
    assert missing == []


def test_environments_have_docstrings():
    pytest.importorskip("gymnasium")
    import cairn.environments

    missing = [undocumented(name, getattr(cairn.environments, name)) for name in cairn.environments.__all__]
    assert not any(missing)
