"""What functions of Python's standard library give that are known by name: text, and files, which give text."""

from __future__ import annotations

from np2torch.facts import values as v

FILE = "io.open()"
"""The origin of every file: a binary one gives bytes, which are text to us."""
_OPENING = frozenset(
    "io.open io.StringIO io.BytesIO io.TextIOWrapper gzip.open bz2.open lzma.open codecs.open pathlib.Path().open "
    "os.fdopen tempfile.TemporaryFile tempfile.NamedTemporaryFile".split()
)
"""Functions that give a file."""
_TEXTS = v.one(v.Sequence("list", None, v.TEXT))
_SECONDS = v.one(v.Num("float", None, True))
_RESULTS: dict[str, v.Fact] = {
    **dict.fromkeys(_OPENING, v.one(v.Opaque(FILE))),
    **{f"{FILE}.{method}": v.TEXT for method in ("read", "readline", "getvalue")},
    f"{FILE}.readlines": _TEXTS, f"{FILE}.__enter__": v.one(v.Opaque(FILE)),
    "pathlib.Path().read_text": v.TEXT, "pathlib.Path().read_bytes": v.TEXT,
    "os.listdir": _TEXTS, "glob.glob": _TEXTS, "shlex.split": _TEXTS,
    "re.findall": v.one(v.Sequence("list", None, v.join(v.TEXT, v.one(v.Sequence("tuple", None, v.TEXT))))),
    "re.split": v.one(v.Sequence("list", None, v.join(v.TEXT, v.NONE))),
    **dict.fromkeys(("re.sub", "re.escape", "os.getcwd", "textwrap.dedent", "time.strftime", "time.ctime"), v.TEXT),
    **{f"os.path.{name}": v.TEXT for name in (
        "join", "basename", "dirname", "abspath", "realpath", "expanduser", "normpath", "relpath",
    )},
    **{f"time.{clock}": _SECONDS for clock in ("time", "perf_counter", "monotonic", "process_time")},
    **{f"time.{clock}_ns": v.SIZE for clock in ("time", "perf_counter", "monotonic", "process_time")},
    "os.getpid": v.SIZE,
    **{name: v.one(v.Opaque(f"{name}()")) for name in ("fractions.Fraction", "decimal.Decimal")},
}  # fmt: skip


def result(origin: str) -> v.Fact | None:
    """The fact of a call of such a function; None of others."""
    return _RESULTS.get(origin)


def is_file(atom: v.Atom) -> bool:
    """Is it a file?"""
    return isinstance(atom, v.Opaque) and atom.origin == FILE
