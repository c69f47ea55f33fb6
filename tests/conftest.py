"""Fixtures of all tests; what they are made of is in `support/`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from np2torch.facts.domain import Domain
from np2torch.source.model import Converted
from support.conversions import convert_files, convert_text


@pytest.fixture(autouse=True)
def usual_dtypes() -> None:
    """Start each test from an analysis with the usual dtypes: tests of parts of one begin none themselves."""
    Domain().activate()


@pytest.fixture(scope="session")
def convert() -> Callable[..., str]:
    """`convert(text, other=text)` gives the new text."""
    return convert_text


@pytest.fixture(scope="session")
def project() -> Callable[[dict[str, str]], dict[str, Converted]]:
    """`project({path: text})` gives every file's conversion."""
    return convert_files
