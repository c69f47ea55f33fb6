"""`np2torch apis`: what becomes of NumPy's API."""

from __future__ import annotations

import click

from np2torch.source.nearest import did_you_mean
from np2torch_cli.common import output_format_option, say


@click.command("apis")
@click.argument("names", nargs=-1)
@output_format_option("text", "md", "json")
def command(names: tuple[str, ...], output_format: str) -> None:
    """Show what becomes of NumPy's API: native, cast, shim, boundary or todo.

    Without NAMES, the counts per area, beside what torch._numpy has. NAMES are names of NumPy (np.linalg.norm, norm,
    ndarray.sum), submodules (fft) or areas (reductions): what becomes of each, and for what stays on NumPy why, and
    what to do instead.

    Exits with 2 when NumPy has no such name.
    """
    from np2torch.report.coverage_pages import as_json, asked_for, known_names, markdown, short_name, text_lines

    for name in names:
        if not name.strip() or not asked_for([name]):
            near = did_you_mean(short_name(name), known_names(), ".")
            raise click.UsageError(f"NumPy has no public name {name}{near}")
    if output_format == "text":
        say(text_lines(names))
    else:
        click.echo(as_json(names) if output_format == "json" else markdown(names), nl=output_format == "json")
