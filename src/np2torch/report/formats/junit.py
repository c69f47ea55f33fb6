"""JUnit: one test case for each file, which fails where new NumPy is found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

from np2torch.report.notices import Notice
from np2torch.report.verdict import CheckResult

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold."""


def lines(check: CheckResult) -> Iterator[str]:
    """Give one document: failures for findings, errors for files that could not be handled."""
    by_file: dict[str, list[Notice]] = {path: [] for path in check.tally.seen}
    for notice in check.notices:
        if notice.fails:
            by_file.setdefault(notice.path, []).append(notice)
    cases = [_case(path, found) for path, found in by_file.items()]
    if check.over:
        cases.append(_over(check.over))
    counts = {kind: str(sum(case.find(kind[:-1]) is not None for case in cases)) for kind in ("failures", "errors")}
    numbers = {"name": "np2torch", "tests": str(len(cases)), **counts}
    suites = ElementTree.Element("testsuites", numbers)
    suite = ElementTree.SubElement(suites, "testsuite", numbers)
    suite.extend(cases)
    ElementTree.indent(suites)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield ElementTree.tostring(suites, encoding="unicode")


def _case(path: str, found: Sequence[Notice]) -> ElementTree.Element:
    case = ElementTree.Element("testcase", {"classname": "np2torch.check", "name": _clean(path)})
    for kind, notices in (
        ("error", [notice for notice in found if notice.site is None]),
        ("failure", [notice for notice in found if notice.site is not None]),
    ):
        if notices:
            said = f"convertible uses of NumPy: {len(notices)}" if kind == "failure" else notices[0].message
            part = ElementTree.SubElement(case, kind, {"message": _clean(said), "type": notices[0].code})
            part.text = _clean("\n".join(notice.text for notice in notices))
    return case


def _over(said: Sequence[str]) -> ElementTree.Element:
    case = ElementTree.Element("testcase", {"classname": "np2torch.check", "name": "budgets"})
    part = ElementTree.SubElement(case, "failure", {"message": said[0], "type": "budget"})
    part.text = "\n".join(said)
    return case


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("�", text)
