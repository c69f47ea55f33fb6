"""What comes to nothing is left out, and takes nothing else along."""

from __future__ import annotations

import pytest

from support.guards import convert

TAIL = "    return np.exp(x) * x.mean()\n"


def converted(*statements: str) -> list[str]:
    """The lines below the guard of a function whose parameter is an array."""
    after = convert("def f(x):\n" + "".join(f"    {line}\n" for line in statements) + TAIL).after
    lines = [line.strip() for line in after.partition("def f(x):\n")[2].splitlines()]
    assert lines[0].startswith("x = shim.inexact(x") and lines[-1] == "return torch.exp(x) * x.mean()"
    return lines[1:-1]


@pytest.mark.parametrize(
    "statements",
    [
        ("x = np.asarray(x)",),
        ("if not isinstance(x, np.ndarray):", "    x = np.array(x)"),
        ("if isinstance(x, (list, tuple)): x = np.asarray(x)",),
        ("x = np.asarray(x) if isinstance(x, list) else x",),
    ],
)
def test_what_makes_an_array_of_one_is_left_out(statements: tuple[str, ...]) -> None:
    assert converted(*statements) == []


def test_comments_stay() -> None:
    lines = ("# Lists.", "if isinstance(x, list):  # as before", "    # A copy.", "    x = np.array(x)  # whole")
    assert converted(*lines) == ["# Lists.", "# as before", "# A copy.", "# whole"]


def test_another_branch_stays() -> None:
    lines = ("if isinstance(x, list):", "    x = np.array(x)", "else:", "    print(x)")
    after = convert("def f(x):\n" + "".join(f"    {line}\n" for line in lines) + TAIL).after
    assert "if isinstance(x, list):" in after and "else:" in after


def test_an_elif_stays() -> None:
    lines = ("if x is Ellipsis:", "    return 0", "elif isinstance(x, list):", "    x = np.array(x)")
    after = convert("def f(x):\n" + "".join(f"    {line}\n" for line in lines) + TAIL).after
    assert "elif isinstance(x, list):" in after


def test_a_line_that_has_more_on_it_stays_and_names_no_numpy() -> None:
    text = "def f(x):\n    y = 1; x = x if isinstance(x, np.ndarray) else np.array(x)\n" + TAIL
    after = convert(text).after
    assert "y = 1; x = x\n" in after and "np." not in after.replace("shim.", "")
