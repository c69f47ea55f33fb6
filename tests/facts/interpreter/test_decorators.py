"""Decorators of the project: what they change, and what they leave alone."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import shown

ON_ARRAYS = """
import functools

def on_arrays(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*[np.asarray(arg) for arg in args], **kwargs)
    return wrapper

def listed(function):
    def wrapper(*args, **kwargs):
        return list(function(*args, **kwargs))
    return wrapper

def counted(function):
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        print(len(args))
        return result
    return wrapper

def same(function):
    return function
"""


def test_a_decorator_may_change_what_is_given():
    given, result = shown(ON_ARRAYS + "@on_arrays\ndef f(x):\n    show(x)\n    return x * 1.0\n\nshow(f([1, 2]))")
    assert given == v.TOP and not v.known_to_include(result, "sequence")


def test_a_decorator_may_change_the_result():
    given, result = shown(ON_ARRAYS + "@listed\ndef f(x):\n    show(x)\n    return x\n\nshow(f(np.zeros(3)))")
    assert v.known_to_include(given, "array") and v.known_to_include(result, "unknown")


@pytest.mark.parametrize("decorators", ["@listed\n@on_arrays", "@on_arrays\n@listed"])
def test_decorators_change_what_either_of_them_changes(decorators):
    text = f"{decorators}\ndef f(x):\n    show(x)\n    return np.zeros(2)\n\nshow(f([1, 2]))"
    given, result = shown(ON_ARRAYS + text)
    assert given == v.TOP and v.known_to_include(result, "unknown")


@pytest.mark.parametrize("decorator", ["counted", "same", "functools.lru_cache"])
def test_a_decorator_that_hands_on_changes_nothing(decorator):
    text = f"@{decorator}\ndef f(x):\n    show(x)\n    return x\n\nshow(f(np.zeros(3)))"
    assert shown(ON_ARRAYS + text) == [v.array("float64", 1)] * 2
