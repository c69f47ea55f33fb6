"""Borders show how many arguments the functions in them take: pytest asks the code of methods that set up."""

from __future__ import annotations

import functools
import inspect

import torch

from np2torch import shim


class Opened:
    def __init__(self):
        self.made = []

    def setup_method(self):
        self.made.append("")

    def setup_other(self, method):
        self.made.append(method)


def test_pytest_sees_how_many_arguments_methods_beside_code_on_numpy_take():
    @shim.on_numpy
    def look(it):
        return it.made

    assert list(look(Opened())) == []
    one = Opened()
    assert one.setup_method.__code__.co_argcount == 1 and one.setup_other.__code__.co_argcount == 2
    one.setup_method()
    one.setup_other("b")
    assert one.made == ["", "b"]


@shim.on_numpy
def available(method):
    @functools.wraps(method)
    def wrapper(self, *args):
        return method(self, *args) if self.is_there() else None

    return wrapper


class Backend:
    def is_there(self):
        return True

    @available
    def doubled(self, x):
        return 2 * x


@shim.on_numpy
def arguments_of(function):
    return inspect.getfullargspec(function)[:3]


def test_a_decorator_on_numpy_makes_methods_in_a_class_on_tensors():
    assert Backend().doubled(torch.ones(2)).tolist() == [2, 2]


def test_what_stands_in_the_place_of_a_function_shows_its_parameters():
    """Without a look behind it, which `inspect.getfullargspec` does not take."""

    def plain(x, y):
        return x + y

    assert arguments_of(plain) == (["x", "y"], None, None)
    assert inspect.getfullargspec(Backend.doubled)[:3] == (["self", "x"], None, None)
    assert inspect.getfullargspec(Backend().doubled)[:3] == (["self", "x"], None, None)
