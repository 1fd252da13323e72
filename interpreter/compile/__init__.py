"""compile: a numbered Model → Program and findings: parse all texts, bind them, emit Python, execute it once.

The stages are the functions of this file in the order of `compile_program`. What is bound stands in the Builder.
"""

from __future__ import annotations

from interpreter.compile.phrases import can_function
from interpreter.compile.program import code_for, name_of, names_of, ranges_of, scope_range
from interpreter.compile.reading import EFFECT_TYPES, Compiled, all_steps, walk
from interpreter.compile.stages import compile_program

__all__ = [
    "Compiled",
    "EFFECT_TYPES",
    "all_steps",
    "can_function",
    "code_for",
    "compile_program",
    "name_of",
    "names_of",
    "ranges_of",
    "scope_range",
    "walk",
]
