"""`np2torch server`: a language server for editors."""

from __future__ import annotations

import click


@click.command("server")
def command() -> None:
    """Answer an editor on standard input and output, by the Language Server Protocol.

    Diagnostics say what a conversion would do, hover says what is known of an expression and why, and code actions
    convert a file or the function at the cursor. Needs the extra 'server'.
    """
    try:
        from np2torch.server.protocol import make_server
    except ImportError as error:
        raise click.UsageError(f"{error}; install 'np2torch[server]' for editors.") from None
    make_server().start_io()
