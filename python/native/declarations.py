"""The declarations of Cairn's public headers, as cffi wants them: without comments, directives and export marks.

The headers are followed from cairn/cairn.h on, each included once where it is first named. The compiler checks the result
against the headers themselves, so that layouts are never written down twice.
"""

import re
from pathlib import Path

_INCLUDE = re.compile(r'^#include "(cairn/\w+\.h)"', re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:.*\\\n)*.*$", re.MULTILINE)
_MARK = re.compile(r"\bCAIRN_(?:API|BEGIN_DECLS|END_DECLS)\b")


def _own_declarations(text: str) -> str:
    text = _COMMENT.sub("", text)
    return _MARK.sub("", _DIRECTIVE.sub("", text))


def _collect(include: Path, name: str, seen: set[str]) -> str:
    if name in seen:
        return ""
    seen.add(name)
    text = (include / name).read_text(encoding="utf-8")
    before = "".join(_collect(include, other, seen) for other in _INCLUDE.findall(text))
    return before + _own_declarations(text)


def declarations(include: Path) -> str:
    """All declarations of cairn/cairn.h in the folder `include`."""
    return re.sub(r"\n\s*\n+", "\n", _collect(include, "cairn/cairn.h", set()))
