"""The third stage of the pipeline: what is to be done in a file; and the last one, its new text."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import libcst as cst

from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.names.keeping import KeptNodes
from np2torch.names.qualified_names import enclosing
from np2torch.rewrite import (
    bridges,
    compiled_globals,
    default_float,
    doctests,
    hoisting,
    keeping,
    loops,
    passages,
    policies,
    reading,
    refusals,
)  # fmt: skip
from np2torch.rewrite.apply import render
from np2torch.rewrite.contracts import contracts_of
from np2torch.rewrite.deep import nesting_deeply
from np2torch.rewrite.guards import placing
from np2torch.rewrite.guards.standing import standing_guards
from np2torch.rewrite.hazards import hazards_in
from np2torch.rewrite.imports import Imports
from np2torch.rewrite.keeping import Keeping
from np2torch.rewrite.pipeline.analysed import Analysed, Run
from np2torch.rewrite.plan import Plan, make_plan
from np2torch.rewrite.remarks import remarks_on
from np2torch.rewrite.spelling import Spelling, part
from np2torch.rules.site import ModuleContext
from np2torch.source.columns import counter
from np2torch.source.line_length import line_length
from np2torch.source.model import Converted, Problem, Remark, Site, SourceFile


@dataclass(frozen=True, eq=False)
class Planned:
    """The plan of a file.

    Attributes
    ----------
    ctx, plan
        Its module, and the decisions there.
    remarks
        The remarks on it.
    sessions
        The examples in its docstrings.
    is_sealed
        Whether only modules that are kept whole import it: its text stays.
    """

    file: SourceFile
    ctx: ModuleContext
    plan: Plan
    remarks: Sequence[Remark]
    sessions: Sequence[doctests.SessionPlan]
    is_sealed: bool


def plan_file(analysed: Analysed, keep: Keeping, file: SourceFile, info: ModuleInfo) -> Planned:
    """Plan a file and the examples in its docstrings, with this left on NumPy."""
    run = analysed.run
    ctx, plan, remarks = plan_module(analysed, keep, file, info)
    left = keeping.nodes_left(keep.of(file.path))
    every = run.trees.examples.get(file.path, ()) if ctx.module.name not in keep.whole else ()
    found = [one for one in every if ctx.is_wanted(one.session.owner) and one.session.owner not in left]
    plan_one = partial(plan_module, analysed, keep, file)
    sessions = [doctests.plan_doctest(one, plan_one, ctx.module.skipped) for one in found]
    return Planned(file, ctx, plan, remarks, sessions, ctx.module.name in keep.sealed)


def plan_module(
    analysed: Analysed, keep: Keeping, file: SourceFile, info: ModuleInfo
) -> tuple[ModuleContext, Plan, list[Remark]]:
    """Plan a module: a file, or an example in one."""
    run, settings = analysed.run, analysed.run.settings
    kept, said = keep.of(file.path) if info.around is None else KeptNodes(), list[Remark]()
    ctx = run.context(file, info, keep.reached, keeping.nodes_left(kept), analysed.traced)

    views = compiled_globals.Views(ctx)

    def change(plan: Plan) -> None:
        for statement, note in keeping.plan_borders(ctx, kept):
            plan.notes.setdefault(statement, []).append(note)
        said.extend(keeping.remarks(ctx, kept))
        said.extend(refusals.settle(ctx, plan))
        passages.settle(ctx, plan)
        said.extend(policies.apply(ctx, plan, settings))
        if settings.float == "default" and info.around is None and (plan.edits or plan.wraps):
            said.extend(_default_float(run, ctx, plan))
        said.extend(bridges.build(ctx, plan, run.elsewhere[info.name].used, views.nodes))
        placing.put(ctx, plan)
        loops.hand_over(ctx, plan)
        compiled_globals.hand_over(ctx, plan, views)

    plan = make_plan(ctx, change)
    loops.rename(ctx, plan)
    compiled_globals.rename(plan, views)
    hoisting.hoist(ctx, plan, settings)
    return ctx, plan, [*remarks_on(ctx), *said]


def _default_float(run: Run, ctx: ModuleContext, plan: Plan) -> list[Remark]:
    """Set the default dtype at the start of a program, or say why not."""
    why = default_float.why_not(ctx, run.parsed.importers, run.parsed.has_torch)
    refused = Remark(1, 1, default_float.REFUSED, f"the default dtype is not set here: {why}")
    return [refused] if why else list(default_float.apply(ctx, plan))


def write_file(planned: Planned, analysed: Analysed) -> Converted:
    """Carry a plan out."""
    file, ctx, plan, run = planned.file, planned.ctx, planned.plan, analysed.run
    known, settings = run.elsewhere[ctx.module.name], run.settings
    parts = [part(one.ctx, one.plan) for one in planned.sessions if one.ctx and one.plan]
    spelling = Spelling([part(ctx, plan), *parts], known, settings.shim_import)
    limit = line_length(file.path, file.text)
    examples = doctests.rewrite(planned.sessions, settings, spelling, limit)
    examples.enter(plan, ctx.module.tree)
    remarks = (*planned.remarks, *examples.remarks, *hazards_in(ctx, plan))
    if not file.mentions_numpy and not ctx.reaches_numpy() and not settings.for_file(file.path).indirect:
        return _left_alone(file, plan)
    imports = Imports(ctx, plan, known, spelling)
    guards = (*standing_guards(file, ctx.module.tree), *placing.choose_guards(ctx))
    contracts = tuple(contracts_of(ctx, run.origins, settings, analysed.reasons))
    after = file.text
    if not planned.is_sealed and (plan.touches() or imports.has_changes()):
        if not run.parsed.hiding_torch.isdisjoint(file.path.parents):
            message = "`import torch` would import the project's own module torch; rename that, then convert"
            return failed_conversion(file, Problem(file.path, 1, 1, "NPT512", message))
        text = file.text if file.summary is None else file.summary.compact(file.text)
        after = render(text, ctx, plan, imports, limit)
        ast.parse(after)
    within = enclosing(ctx.module.tree, (site.line for site in plan.sites))
    column = counter(file.text)
    sites = tuple(
        site._replace(function=within[site.line], column=column(site.line, site.column)) for site in plan.sites
    )
    return Converted(file.path, file.text, after, sites, (), remarks, guards, contracts)


def convert_file(analysed: Analysed, keep: Keeping, file: SourceFile) -> Converted:
    """Plan a file and carry the plan out. A file that cannot be converted comes back as it was, with the problem."""
    trees, scope = analysed.run.trees, analysed.run.settings.scope
    if file.path in trees.problems:
        return reading.whole(file, failed_conversion(file, trees.problems[file.path]))
    info = trees.infos.get(file.path)
    if info is None or scope is not None and file.path not in scope:
        return reading.whole(file, Converted(file.path, file.text, file.text, guards=standing_guards(file)))
    with nesting_deeply():
        return reading.whole(file, _guarded(analysed, keep, file, info))


def _guarded(analysed: Analysed, keep: Keeping, file: SourceFile, info: ModuleInfo) -> Converted:
    try:
        return write_file(plan_file(analysed, keep, file, info), analysed)
    except cst.ParserSyntaxError as error:
        return failed_conversion(
            file, Problem(file.path, error.raw_line, error.raw_column + 1, "NPT904", error.message)
        )
    except SyntaxError as error:
        message = "internal: the new text does not parse; the file is left as it was"
        return failed_conversion(file, Problem(file.path, error.lineno or 1, 1, "NPT906", message))
    except Exception as error:  # a defect of ours must not stop the other files
        return failed_conversion(file, reading.defect(file.path, error))


def failed_conversion(file: SourceFile, problem: Problem) -> Converted:
    """Give a file back as it was, with the problem."""
    return Converted(file.path, file.text, file.text, (), (problem,))


def _left_alone(file: SourceFile, plan: Plan) -> Converted:
    """Leave a file that never mentions NumPy as it is; where it should be changed, say so."""
    if not plan.touches():
        return Converted(file.path, file.text, file.text)
    first = min(site.line for site in plan.sites)
    message = (
        f"{len(plan.sites)} places handle arrays made elsewhere, but the file never mentions NumPy and is left as it "
        "is; --indirect converts it too"
    )
    return Converted(file.path, file.text, file.text, (Site(first, 1, "todo", "NPT501", file.path.name, message),))
