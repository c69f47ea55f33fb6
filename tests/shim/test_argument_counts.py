"""Borders show how many arguments the functions in them take: pytest asks the code of methods that set up."""

from __future__ import annotations

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
