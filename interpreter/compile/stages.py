"""stages: a numbered Model → Compiled and findings: parse all texts, bind them, emit Python, execute it once.

The stages are the lines of `compile_program` in order.
"""

from __future__ import annotations

from interpreter.blocks import Emitter
from interpreter.compile.definitions import definitions
from interpreter.compile.driver import bind_driver, resolver
from interpreter.compile.phrases import bind_phrases, bind_relations, bind_states, bind_values, prepare
from interpreter.compile.program import emit
from interpreter.compile.reading import Compiled, parse_all, prescan
from interpreter.compile.records import bind_effects, bind_fields, bind_rules, bind_scores, bind_steps
from interpreter.model import Model
from interpreter.parse import Language
from interpreter.rules import (
    circles,
)
from interpreter.scope import Builder, steps_below


def compile_program(model: Model, language: Language) -> Compiled:
    """Model → Compiled; program is None when there are errors among the findings."""
    b = Builder(model)
    c = Compiled(model, b, Emitter(b.heard, False), language)
    b.step_names = {name: i for i, name in enumerate(steps_below(model))}
    parse_all(c)
    if any(f.severity == "error" for f in b.findings):
        c.findings = b.findings
        return c
    prescan(c)
    prepare(c)
    bind_states(c)
    bind_relations(c)
    bind_phrases(c)
    bind_values(c)
    bind_fields(c)
    bind_effects(c)
    bind_rules(c)
    steps = bind_steps(c)
    c.set_up = [steps[id(step)] for step in model.setup if id(step) in steps]
    bind_scores(c)
    circles(b)
    definitions(c)
    c.findings = b.findings
    if any(f.severity == "error" for f in b.findings):
        return c
    resolve = resolver(c)
    driver = bind_driver(c, steps)
    emit(c, driver, resolve)
    return c
