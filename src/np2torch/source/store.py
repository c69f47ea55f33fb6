"""The store of earlier answers: rows of bytes by key and name, in one file that several runs may use at once.

It is only ever a help: where it cannot be read, is damaged or is locked for long, it has nothing, and takes nothing.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

NAME = "answers-1.sqlite"
KEPT = 24
"""How many keys are kept, those that were used last."""
PATIENCE = 5.0
"""Seconds to wait for another run that writes."""
TABLES = """
CREATE TABLE IF NOT EXISTS answers (key TEXT, name TEXT, digest BLOB, payload BLOB, PRIMARY KEY (key, name));
CREATE TABLE IF NOT EXISTS uses (key TEXT PRIMARY KEY, at INTEGER);
"""


def default_folder() -> Path:
    """Give the folder for all projects of a user; `NP2TORCH_CACHE_DIR` names another one."""
    if folder := os.environ.get("NP2TORCH_CACHE_DIR"):
        return Path(folder)
    from platformdirs import user_cache_path

    return user_cache_path("np2torch", appauthor=False)


class Store:
    """The answers in a folder."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / NAME

    def read(self, key: str) -> dict[str, bytes]:
        """Give the rows of a key by name, without those that are damaged."""
        if not self.file.is_file():
            return {}
        rows: list[tuple[str, bytes, bytes]] = []
        with self._opened() as database:
            rows = database.execute("SELECT name, digest, payload FROM answers WHERE key = ?", (key,)).fetchall()
        return {name: payload for name, digest, payload in rows if digest == _digest(name, payload)}

    def write(self, key: str, rows: Mapping[str, bytes]) -> None:
        """Keep rows, all of them or none, and forget the keys that nobody has used for longest."""
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self._opened() as database, database:
                database.executescript(TABLES)
                database.execute("BEGIN IMMEDIATE")
                made = ((key, name, _digest(name, payload), payload) for name, payload in rows.items())
                database.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", made)
                (last,) = database.execute("SELECT coalesce(max(at), 0) FROM uses").fetchone()
                database.execute("INSERT OR REPLACE INTO uses VALUES (?, ?)", (key, last + 1))
                database.execute(
                    "DELETE FROM uses WHERE key NOT IN (SELECT key FROM uses ORDER BY at DESC LIMIT ?)", (KEPT,)
                )
                database.execute("DELETE FROM answers WHERE key NOT IN (SELECT key FROM uses)")

    def clear(self) -> bool:
        """Remove the file; tell whether there was one."""
        try:
            self.file.unlink()
        except FileNotFoundError:
            return False
        return True

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the file for a while; one that is none is removed, and whatever fails is let be."""
        try:
            with closing(sqlite3.connect(self.file, timeout=PATIENCE, isolation_level=None)) as database:
                yield database
        except sqlite3.OperationalError:  # locked for long, read-only, a full disk, no tables yet
            pass
        except sqlite3.DatabaseError:  # not what was written
            with suppress(OSError):
                self.clear()


def _digest(name: str, payload: bytes) -> bytes:
    return hashlib.blake2b(payload, digest_size=16, key=name.encode("utf-8", "replace")[:64]).digest()
