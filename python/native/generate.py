"""Write the C source of cairn._native. Usage: generate.py INCLUDE_FOLDER OUTPUT.c"""

import sys
from pathlib import Path

import cffi
from declarations import declarations

_SOURCE = '#include "cairn/cairn.h"\n#include "stepping.h"\n'


def _callbacks(text: str) -> str:
    return 'extern "Python"\n{\n' + text + "}\n"


def main() -> None:
    include, output = Path(sys.argv[1]), sys.argv[2]
    here = Path(__file__).parent
    ffi = cffi.FFI()
    ffi.cdef(declarations(include))
    ffi.cdef((here / "stepping.cdef").read_text(encoding="utf-8"))
    ffi.cdef(_callbacks((here / "callbacks.cdef").read_text(encoding="utf-8")))
    ffi.set_source("cairn._native", _SOURCE, py_limited_api=True)
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main()
