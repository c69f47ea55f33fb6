"""`np2torch vendor`: a package gets the functions of the shim that it uses."""

from __future__ import annotations

from pathlib import Path

import click
from click import style

from np2torch.report.tally import problem_line
from np2torch.source.folder import project_folder
from np2torch.source.settings import SettingsError
from np2torch.source.write import write_file
from np2torch_cli.common import hold_lock, say, settings_for, usage_errors


@click.command("vendor")
@click.argument("package", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
@click.option("--include", multiple=True, metavar="NAME", help="Take this function of the shim along too.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 where the copy is out of date.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="A pyproject.toml with settings.")
@click.option("-q", "--quiet", is_flag=True, help="No closing summary.")
def command(
    package: Path, paths: tuple[Path, ...], include: tuple[str, ...], only_check: bool, config: Path | None, quiet: bool
) -> None:
    """Copy the functions of the shim that PACKAGE uses into it, so that it runs without np2torch.

    PACKAGE is the folder of a converted package. Its copy is PACKAGE/_np2torch: the functions used, and what they need.
    Imports of the shim become imports of the copy, in PACKAGE and in PATHS: its tests, programs that use it.

    Exits with 1 when --check finds something, with 2 when there is nothing to copy from or to.
    """
    from np2torch.rewrite.requirements.project import without_shim
    from np2torch.vendor.package import VendorError, differences, plan_copy, write_all

    settings = settings_for([package], config)
    if not only_check:
        hold_lock(settings.root)
    with usage_errors(VendorError, SettingsError):
        copy = plan_copy(package, paths, include, settings)
    say((problem_line(problem) for problem in copy.problems), err=True)
    if only_check:
        found = differences(copy)
        say(found)
        if not quiet:
            say([f"{len(found)} differences; np2torch vendor {package}" if found else "up to date"], err=True)
        raise SystemExit(2 if copy.problems else 1 if found else 0)
    failed = write_all(copy)
    folder = project_folder(package.resolve()) if not failed and copy.files else None
    required = list(without_shim(folder)) if folder is not None else []
    failed += [problem for file, text in required if (problem := write_file(file, text)) is not None]
    say((problem_line(problem) for problem in failed), err=True)
    if not quiet:
        size = sum(len(text.encode()) for text in copy.files.values())
        modules = f"{len(copy.files)} modules, {size / 1000:.0f} kB"
        uses = style(f"{len(copy.names)} names of the shim", bold=True)
        say([f"{uses} used; {copy.folder}: {modules}; imports changed in {len(copy.edited)} files"], err=True)
        say([f"{file.display}: np2torch is not required any more" for file, _ in required], err=True)
    raise SystemExit(2 if failed or copy.problems else 0)


