"""`np2torch trace`: run a program on NumPy and keep what its functions were given."""

from __future__ import annotations

from pathlib import Path

import click

from np2torch.source.folder import FOLDER, DamagedError
from np2torch.source.paths import display_path
from np2torch.source.settings import SettingsError, load_settings
from np2torch.trace.recording import VALUES
from np2torch.trace.run import trace
from np2torch_cli.common import usage_errors


@click.command("trace", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--root", type=click.Path(path_type=Path, exists=True, file_okay=False), help="The project's folder.")
@click.option("--fresh", is_flag=True, help="Forget earlier traces instead of adding to them.")
@click.option("--record-values", is_flag=True, help="Keep arguments of calls too, for verify --replay.")
@click.option("--values", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Where they are kept.")
@click.option("-q", "--quiet", is_flag=True, help="No closing line.")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND [ARGUMENTS]...")
def command(
    root: Path | None, fresh: bool, record_values: bool, values: Path | None, quiet: bool, words: tuple[str, ...]
) -> None:
    """Run a program on NumPy and record what its functions are given and give back.

    np2torch trace -- pytest -q

    Kind, dtype and rank of parameters and results are kept in .np2torch/trace.json in the project's folder (that of the
    nearest pyproject.toml with a [tool.np2torch] table, else the current one), from every Python that the command
    starts. convert and check use the trace as evidence: it fills in what the code leaves open, and each rewrite that
    rests on it is listed.

    With --record-values the arguments of calls are kept as well, a few for each function, in .np2torch/values.zip or
    the FILE given: np2torch verify --replay makes these calls again on both sides.

    Exits as the command exits.
    """
    with usage_errors(SettingsError):
        folder = root or load_settings().root
    if record_values and values is None:
        values = folder / FOLDER / VALUES
    try:
        run = trace(words, folder, fresh=fresh, values=values)
    except DamagedError as error:
        raise click.UsageError(f"{display_path(error.path)}: NPT909 not used: {error}; --fresh starts anew") from None
    except OSError as error:
        raise click.UsageError(f"cannot run {words[0]}: {error.strerror}") from None
    if not quiet:
        found = f"{run.functions} functions in {run.files} files: {run.path}"
        click.echo(f"np2torch: traced {found if run.files else f'nothing below {folder}'}", err=True)
        if values is not None:
            click.echo(f"np2torch: recorded {run.calls} calls: {values}", err=True)
    raise SystemExit(run.exit_code)
