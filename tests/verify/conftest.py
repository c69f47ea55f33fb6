"""What the tests of verify share."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from np2torch.verify import explore
from np2torch_cli import cli


@pytest.fixture
def verify(tmp_path, monkeypatch):
    """Verify two texts as packages of one module; gives the result and the rows of the JSON by function.

    Fewer calls are made than without a test: each costs a millisecond on both sides.
    """
    for name, most in (("MOST_CALLS", 100), ("ENOUGH", 16), ("MOST_SMALL", 16)):
        monkeypatch.setattr(explore, name, most)

    def run(old: str, new: str, *options: str) -> tuple[Result, dict[str, dict]]:
        for side, text in (("old", old), ("new", new)):
            folder = tmp_path / side / "pkg"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "__init__.py").write_text("")
            (folder / "m.py").write_text(text)
        monkeypatch.chdir(tmp_path)
        done = CliRunner().invoke(cli, ["verify", "old/pkg", "new/pkg", "--output-format", "json", *options])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done, {row["name"]: row for row in json.loads(done.stdout)}

    return run
