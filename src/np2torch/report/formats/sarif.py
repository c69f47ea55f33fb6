"""SARIF 2.1.0: results with rules, fingerprints and fixes, for code scanning."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from np2torch import __version__
from np2torch.report.notices import Notice
from np2torch.report.verdict import CheckResult
from np2torch.rules.codes import CODES

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
BASE = "SRCROOT"
MARK = "np2torch/v1"
"""The name and version of the fingerprints."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def lines(check: CheckResult) -> Iterator[str]:
    """Give one document; what the baseline allows is unchanged and suppressed."""
    codes = sorted({notice.code for notice in check.notices if notice.code in CODES and not _is_problem(notice)})
    problems = [notice for notice in check.notices if _is_problem(notice)]
    singles = {file.path: file.single for file in check.tally.files if file.single is not None}
    places = {code: at for at, code in enumerate(codes)}
    results = [_result(notice, places, singles) for notice in check.notices if not _is_problem(notice)]
    driver = {"name": "np2torch", "version": __version__, "semanticVersion": __version__}
    run: dict[str, Any] = {
        "tool": {"driver": {**driver, "rules": list(map(_rule, codes))}},
        "invocations": [{
            "executionSuccessful": not problems, "toolExecutionNotifications": list(map(_notification, problems)),
        }],
        "originalUriBaseIds": {BASE: {"description": {"text": "The folder in which np2torch was run."}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }  # fmt: skip
    yield json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _is_problem(notice: Notice) -> bool:
    return notice.level == "error" and notice.site is None


def _rule(code: str) -> dict[str, Any]:
    title, text, example, *_ = CODES[code]
    shown = f"\n\n```python\n{example}```" if example else ""
    return {
        "id": code,
        "shortDescription": {"text": title},
        "fullDescription": {"text": text},
        "help": {"text": f"{text}\n\nMore: np2torch explain {code}", "markdown": f"{text}{shown}"},
        "defaultConfiguration": {"level": "error"},
    }


def _result(notice: Notice, rules: Mapping[str, int], singles: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    said: dict[str, Any] = {"ruleId": notice.code}
    if notice.code in rules:
        said["ruleIndex"] = rules[notice.code]
    said |= {
        "level": "note" if notice.status == "allowed" else notice.level,
        "message": {"text": notice.message},
        "locations": [_location(notice)],
    }
    if notice.site is None:
        return said
    said["partialFingerprints"] = {MARK: notice.fingerprint}
    is_allowed = notice.status == "allowed"
    said["baselineState"] = "unchanged" if is_allowed else "new"
    if is_allowed:
        said["suppressions"] = [{"kind": "external", "justification": "The baseline allows it."}]
    if notice.path in singles:
        said["fixes"] = [_fix(notice.path, *singles[notice.path])]
    return said


def _notification(notice: Notice) -> dict[str, Any]:
    text = {"text": f"{notice.code} {notice.message}"}
    return {"level": "error", "message": text, "locations": [_location(notice)]}


def _location(notice: Notice) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(notice.path)}
    if notice.line:
        place["region"] = {"startLine": notice.line, "startColumn": max(notice.column, 1)}
    found: dict[str, Any] = {"physicalLocation": place}
    if notice.site is not None and notice.site.function:
        found["logicalLocations"] = [{"fullyQualifiedName": notice.site.function}]
    return found


def _artifact(path: str) -> dict[str, Any]:
    if Path(path).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(path), "uriBaseId": BASE}


def _fix(path: str, before: str, after: str) -> dict[str, Any]:
    """Give the conversion of a file in which one use of NumPy is all that there is to convert."""
    old, new = _LINE.findall(before), _LINE.findall(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    replacements = [
        {"deletedRegion": _region(old, start, end), "insertedContent": {"text": "".join(new[low:high])}}
        for tag, start, end, low, high in matcher.get_opcodes() if tag != "equal"
    ]  # fmt: skip
    change = {"artifactLocation": _artifact(path), "replacements": replacements}
    return {"description": {"text": "Convert the file with np2torch."}, "artifactChanges": [change]}


def _region(old: list[str], start: int, end: int) -> dict[str, int]:
    """Give the region of some lines; of the last one without a newline up to its end."""
    if end < len(old) or not old or old[-1].endswith(("\n", "\r")):
        return {"startLine": start + 1, "startColumn": 1, "endLine": end + 1, "endColumn": 1}
    return {"startLine": start + 1, "startColumn": 1, "endLine": end, "endColumn": len(old[-1]) + 1}
