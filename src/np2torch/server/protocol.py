"""The language server: what editors send, and what they are answered."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse
from urllib.request import url2pathname

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from np2torch import __version__
from np2torch.server.answers import Answers, LineMessage

SOURCE = "np2torch"


def make_server() -> LanguageServer:
    """Make a server that speaks through its standard streams."""
    server = LanguageServer("np2torch", __version__)

    def answers(uri: str) -> Answers:
        path = Path(url2pathname(unquote(urlparse(uri).path)))
        return Answers(path, server.workspace.get_text_document(uri).source)

    def publish(uri: str) -> None:
        found = [_diagnostic(told) for told in answers(uri).diagnostics()]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=found))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def on_open(given: types.DidOpenTextDocumentParams) -> None:
        publish(given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def on_save(given: types.DidSaveTextDocumentParams) -> None:
        publish(given.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def on_close(given: types.DidCloseTextDocumentParams) -> None:
        uri = given.text_document.uri
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(given: types.HoverParams) -> types.Hover | None:
        at = given.position
        text = answers(given.text_document.uri).hover(at.line + 1, at.character + 1)
        kind = types.MarkupKind.Markdown
        return types.Hover(types.MarkupContent(kind, text)) if text else None

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def actions(given: types.CodeActionParams) -> list[types.CodeAction]:
        uri = given.text_document.uri
        own = answers(uri)
        name = own.function_at(given.range.start.line + 1)
        choices = [("Convert this file", None), *([(f"Convert {name}", name)] if name else [])]
        return [action for title, part in choices if (action := _action(uri, own, title, part)) is not None]

    return server


def _action(uri: str, own: Answers, title: str, name: str | None) -> types.CodeAction | None:
    """Offer a conversion; nothing where it changes nothing."""
    done = own.convert(name)
    if not done.is_changed:
        return None
    lines = own.text.splitlines(keepends=True)
    end = types.Position(len(lines), 0)
    edit = types.TextEdit(types.Range(types.Position(0, 0), end), done.after)
    return types.CodeAction(
        title, kind=types.CodeActionKind.RefactorRewrite, edit=types.WorkspaceEdit(changes={uri: [edit]})
    )


def _diagnostic(told: LineMessage) -> types.Diagnostic:
    start = types.Position(told.line - 1, max(told.column - 1, 0))
    end = types.Position(told.line - 1, max(told.column, 1))
    severity = types.DiagnosticSeverity.Error if told.is_problem else types.DiagnosticSeverity.Information
    return types.Diagnostic(types.Range(start, end), told.message, severity=severity, code=told.code, source=SOURCE)
