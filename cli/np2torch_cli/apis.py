"""`np2torch apis`: what becomes of NumPy's API."""

from __future__ import annotations

import click

from np2torch_cli.common import say


@click.command("apis")
@click.argument("names", nargs=-1)
@click.option("--format", "form", type=click.Choice(["text", "md", "json"]), default="text", show_default=True)
def command(names: tuple[str, ...], form: str) -> None:
    """Show what becomes of NumPy's API: native, cast, shim, boundary or todo.

    Without NAMES, the counts per area, beside what torch._numpy has. NAMES are names of NumPy (np.linalg.norm, norm,
    ndarray.sum), submodules (fft) or areas (reductions): what becomes of each, and for what stays on NumPy why, and
    what to do instead.

    Exits with 2 when NumPy has no such name.
    """
    from np2torch.report.coverage_pages import as_json, asked_for, markdown, text_lines

    unknown = [name for name in names if not asked_for([name])]
    if unknown:
        raise click.UsageError(f"NumPy has no public name {', '.join(unknown)}.")
    if form == "text":
        say(text_lines(names))
    else:
        click.echo(as_json(names) if form == "json" else markdown(names), nl=form == "json")
