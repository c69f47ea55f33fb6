"""Errors that code expects of NumPy."""

from __future__ import annotations

import pytest

from support.guards import both
from support.handlers import agree


def test_that_are_caught():
    agree(
        """
        try:
            np.ones(3) @ np.ones(4)
        except ValueError:
            caught = True
        try:
            np.linalg.inv(np.zeros((2, 2)))
        except np.linalg.LinAlgError:
            singular = True
        """,
        """
        try:
            shim.operator.matmul(torch.ones(3, dtype=torch.float64), torch.ones(4, dtype=torch.float64))
        except (ValueError, RuntimeError):
            caught = True
        try:
            shim.linalg.inv(torch.zeros((2, 2), dtype=torch.float64))
        except torch.linalg.LinAlgError:
            singular = True
        """,
    )


def test_that_a_test_expects():
    agree(
        """
        import contextlib

        count = 0
        with contextlib.suppress(ValueError):
            np.ones(3) + np.ones(2)
            count += 1
        """,
        """
        import contextlib

        count = 0
        with contextlib.suppress((ValueError, RuntimeError)):
            shim.operator.add(torch.ones(3, dtype=torch.float64), torch.ones(2, dtype=torch.float64))
            count += 1
        """,
    )


def test_that_the_project_raises_itself():
    """A RuntimeError of the project is not caught by the way, whatever its class is called."""
    agree(
        """
        class Failed(RuntimeError):
            pass

        def checked(x):
            try:
                if x.min() < 0:
                    raise Failed
                return x + 1
            except ValueError:
                return x

        def unfinished(x):
            try:
                x = x + 1
                raise NotImplementedError
            except ValueError:
                return x

        def stopped(x, y):
            try:
                if x.min() < 0:
                    raise KeyError("negative")
                return x + y
            except ValueError:
                return "caught"

        names = []
        for function in (checked, unfinished):
            try:
                function(-np.ones(2))
            except RuntimeError as error:
                names.append(type(error).__name__)
        caught = stopped(np.ones(3), np.ones(2))
        """,
        """
        class Failed(RuntimeError):
            pass

        def checked(x):
            try:
                if shim.invoke(x, "min") < 0:
                    raise Failed
                return x + 1
            except ValueError:
                return x

        def unfinished(x):
            try:
                x = x + 1
                raise NotImplementedError
            except ValueError:
                return x

        def stopped(x, y):
            try:
                if x.min() < 0:
                    raise KeyError("negative")
                return x + y
            except (ValueError, RuntimeError):
                return "caught"

        names = []
        for function in (checked, unfinished):
            try:
                function(-torch.ones(2, dtype=torch.float64))
            except RuntimeError as error:
                names.append(type(error).__name__)
        caught = stopped(torch.ones(3, dtype=torch.float64), torch.ones(2, dtype=torch.float64))
        """,
    )


@pytest.mark.parametrize("given", ["a, b", "a, y=b", "x=a, y=b"])
def test_that_a_function_is_expected_to_raise(given):
    """Arguments may be given by name."""
    text = f"""
import unittest

def product(x, y):
    return x @ y

def refused():
    a, b = np.ones((2, 3)), np.ones((2, 3))
    unittest.TestCase().assertRaises(ValueError, product, {given})
    return True
"""
    old, new, after = both(text, "refused")
    assert old() is new() is True and "(ValueError, RuntimeError)" in after


TURNED = """
import unittest

class Turned:
    def __init__(self, x=None):
        self.x = x
        if self.x is not None:
            self.y = self.turn()

    def turn(self):
        return np.array(self.x) @ np.eye(3)

def turned(x):
    return Turned(x)

def say(x):
    if len(x) > 2:
        raise ValueError(x)
"""


@pytest.mark.parametrize(
    "call, is_wide",
    [
        ("Turned, x=[1.0, 2.0]", True), ("Turned, [1.0, 2.0]", True), ("turned, [1.0, 2.0]", True),
        ("say, [1.0, 2.0, 3.0]", False), ("say, 'text'", False),
    ],
)  # fmt: skip
def test_that_a_function_of_the_project_gets_by_a_list(call, is_wide):
    """What it raises may come from torch, where it handles arrays; the list itself is none."""
    text = f"{TURNED}\ndef refused():\n    unittest.TestCase().assertRaises(ValueError, {call})\n    return True\n"
    old, new, after = both(text, "refused")
    assert old() is new() is True
    assert ("(ValueError, RuntimeError)" in after) == is_wide
