"""`np2torch config`: the settings in force and where they come from; the schema of all there are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from np2torch.source.model import Settings
from np2torch.source.paths import display_path
from np2torch.source.setting_keys import KEYS, field, schema
from np2torch.source.setting_kinds import SettingsError
from np2torch.source.settings import with_nested
from np2torch_cli.common import output_format_option, settings_for, usage_errors


@click.command("config")
@output_format_option("text", "json")
@click.option("--schema", "wants_schema", is_flag=True, help="Print the JSON schema of all settings instead.")
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="A pyproject.toml with settings.")
@click.argument("path", required=False, type=click.Path(path_type=Path, exists=True))
def command(path: Path | None, output_format: str, wants_schema: bool, config: Path | None) -> None:
    """Show the settings that are in force for a file or folder, and where each value comes from.

    PATH is the working folder where none is given.
    """
    if wants_schema:
        click.echo(json.dumps(schema(), indent=2))
        return
    place = path or Path()
    run = settings_for([place], config)
    with usage_errors(SettingsError):
        nested = with_nested(run, [place / "." if place.is_dir() else place], {})
    rows = dict(_rows(run, nested.for_file(place)))
    if output_format == "json":
        document = {key: {"value": value, "from": origin} for key, (value, origin) in rows.items()}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    width = max(map(len, rows))
    for key, (value, origin) in rows.items():
        shown = json.dumps(value, ensure_ascii=False) if value is not None else "none"
        click.echo(f"{key:{width}} = {shown}  # {origin}")


def _rows(run: Settings, own: Settings) -> Mapping[str, tuple[Any, str]]:
    """Give the value and the origin of each key."""
    rows = {}
    for name, key in KEYS.items():
        if key.reach != "table":
            of = own if key.reach == "file" else run
            value, origin = getattr(of, field(name)), of.origins.get(field(name))
            is_table = name in ("types", "per-file-ignores")
            shown = dict(value) if is_table else value if value != "" else None
            rows[name] = shown, "default" if origin is None else display_path(Path(origin))
    return rows
