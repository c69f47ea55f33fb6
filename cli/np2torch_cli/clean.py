"""`np2torch clean`: forget the answers of earlier runs."""

from __future__ import annotations

import click

from np2torch.source.paths import display_path
from np2torch.source.store import Store, default_folder


@click.command("clean")
def command() -> None:
    """Forget the answers of earlier runs, of all projects; the next run works everything out anew."""
    store = Store(default_folder())
    try:
        was_there = store.clear()
    except OSError as error:
        raise click.UsageError(f"{store.file}: {error.strerror}") from None
    said = f"removed {display_path(store.file)}" if was_there else "there was nothing to remove"
    click.echo(f"np2torch: {said}", err=True)
