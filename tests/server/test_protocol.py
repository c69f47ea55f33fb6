"""The server as an editor meets it: a client speaks with it through its standard streams."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

ROOT = Path(__file__).resolve().parents[2]
TEXT = """import numpy as np


def ones(n):
    return np.ones(n)


def total(n):
    return np.sum(ones(n))


print(total(3))
"""


async def session(folder: Path) -> dict[str, Any]:
    """Open a file, hover, ask for actions, save a broken text; what was answered."""
    client, said = LanguageClient("editor", "1"), asyncio.Queue[Any]()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _(given: types.PublishDiagnosticsParams) -> None:
        said.put_nowait(given)

    path = folder / "lib.py"
    path.write_text(TEXT)
    (folder / "pyproject.toml").touch()
    places = [str(ROOT / "src"), str(ROOT / "cli")]
    program = f"import sys; sys.path[:0] = {places!r}; import np2torch_cli; np2torch_cli.main()"
    await client.start_io(sys.executable, "-c", program, "server")
    able = types.ClientCapabilities()
    await client.initialize_async(types.InitializeParams(capabilities=able, root_uri=folder.as_uri()))
    client.initialized(types.InitializedParams())
    uri = path.as_uri()
    document = types.TextDocumentIdentifier(uri)
    item = types.TextDocumentItem(uri, "python", 1, TEXT)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    found: dict[str, Any] = {"opened": (await asyncio.wait_for(said.get(), 60)).diagnostics}
    at = types.Position(8, 12)
    found["hover"] = await client.text_document_hover_async(types.HoverParams(document, at))
    nothing = types.CodeActionContext(diagnostics=[])
    asked = types.CodeActionParams(document, types.Range(at, at), nothing)
    found["actions"] = await client.text_document_code_action_async(asked)
    broken = types.TextDocumentContentChangeWholeDocument("import numpy as np\nx = (\n")
    version = types.VersionedTextDocumentIdentifier(version=2, uri=uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(version, [broken]))
    client.text_document_did_save(types.DidSaveTextDocumentParams(document))
    found["broken"] = (await asyncio.wait_for(said.get(), 60)).diagnostics
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return found


def test_a_session(tmp_path: Path):
    found = asyncio.run(session(tmp_path))
    places = [(one.range.start.line, one.range.start.character, one.code) for one in found["opened"]]
    assert (4, 11, "NPT120") in places and (8, 11, "NPT110") in places
    assert all(one.severity is types.DiagnosticSeverity.Information for one in found["opened"])
    text = found["hover"].contents.value
    assert "`np.sum(ones(n))` is `float64" in text or "float64[n]" in text
    assert "**native** NPT110" in text
    titles = {action.title: action for action in found["actions"]}
    assert set(titles) == {"Convert this file", "Convert total"}
    (whole,), (part,) = (next(iter(one.edit.changes.values())) for one in titles.values())
    assert "import numpy" not in whole.new_text and "torch.ones(n, dtype=torch.float64)" in whole.new_text
    assert "np.ones(n)" in part.new_text and "torch.sum(" in part.new_text
    assert whole.range.end.line == TEXT.count("\n")
    (problem,) = found["broken"]
    assert problem.code == "NPT903" and problem.severity is types.DiagnosticSeverity.Error
