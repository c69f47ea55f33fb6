"""`shim.contract`: what it lets pass, what it says, and that nobody else notices the decorator."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import inspect
import pickle
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim

A, B = torch.ones(2, 3), torch.ones(3, 4)


def product(a: Any, b: Any, axis: Any = None) -> Any:
    """The product."""
    return a @ b if axis is None else (a @ b).sum(axis)


checked = shim.contract(a="inexact[n, k]", b="inexact[k, m]", axis="int | None")(product)


@shim.contract(x="floating")
def at_the_top(x: Any) -> Any:
    return x * 2


WORDS = {
    "bool": (torch.tensor(True), True), "integer": (torch.tensor([1]), torch.tensor([1], dtype=torch.uint8)),
    "signedinteger": (torch.tensor([1]),), "unsignedinteger": (torch.tensor([1], dtype=torch.uint8),),
    "floating": (A, A.half(), torch.tensor(1.0)), "complexfloating": (A + 1j,), "inexact": (A, A + 1j),
    "real": (A, torch.tensor([1])), "number": (A, A + 1j, torch.tensor(1)), "array": (A, torch.tensor(True)),
    "float32": (A,), "float64": (A.double(),), "complex128": (A.double() + 1j,), "uint8": (torch.tensor([1]).byte(),),
    "int": (3,), "float": (3, 2.5), "complex": (3, 2.5, 1j), "str": ("a",), "None": (None,),
    "floating[n]": (A[0],), "floating[]": (A[0, 0],), "floating[...]": (A, A[0]), "floating[n, 3]": (A,),
    "floating[n, n]": (torch.eye(3),), "floating[n, m,]": (A,), "int64[n] | floating[n, k]": (A, torch.tensor([1])),
    "array[n] | None": (A[0], None), "floating | float": (A, 1.5, 2),
}  # fmt: skip
REFUSED = {
    "bool": (A, 1, None), "integer": (A, 1, torch.tensor(True)), "signedinteger": (torch.tensor([1]).byte(),),
    "unsignedinteger": (torch.tensor([1]),), "floating": (torch.tensor(1), 2.5, [1.0], A + 1j, None, np.ones(2)),
    "complexfloating": (A, 1j), "inexact": (torch.tensor(1), torch.tensor(True)), "real": (A + 1j, torch.tensor(True)),
    "number": (torch.tensor(True), 1), "array": (1, [1], None, np.ones(1)), "float32": (A.double(), 1.5),
    "int": (True, 2.5, torch.tensor(1), np.int64(1)), "float": (True, 1j, np.float64(1.0)), "complex": ("1", True),
    "str": (b"a", None), "None": (0, False), "floating[n]": (A, torch.tensor(1.0)), "floating[]": (A[0],),
    "floating[n, 3]": (B,), "floating[n, n]": (A,), "int64[n] | floating[n, k]": (torch.tensor(1), A[0]),
    "array[n] | None": (A, 0),
}  # fmt: skip


@pytest.mark.parametrize("text", WORDS)
def test_words(text: str) -> None:
    function = shim.contract(x=text)(lambda x: x)
    for x in WORDS[text]:
        assert function(x) is x
    for x in REFUSED.get(text, ()):
        with pytest.raises(TypeError, match=r"<lambda>\(\): x must be "):
            function(x)


def test_sizes_are_linked_over_parameters() -> None:
    assert torch.equal(checked(A, B), A @ B)
    with pytest.raises(TypeError, match=r"b must be inexact\[k, m\] with k = 3, but it is .* shape \(2, 3\)$"):
        checked(A, A)
    either = shim.contract(x="floating[n] | floating[n, n]", y="array[n]")(lambda x, y: x)
    assert either(torch.eye(3), B[:, 0]) is not None
    with pytest.raises(TypeError, match="y must be"):
        either(torch.eye(3), A[:, 0])


def test_the_message_says_what_to_state() -> None:
    with pytest.raises(TypeError) as caught:
        checked(A, B.long())
    assert str(caught.value) == (
        "product(): b must be inexact[k, m] with k = 3, but it is an int64 tensor of shape (3, 4); "
        'to allow it, state b: "inexact[k, m] | int64[n, m]" and convert again'
    )


@pytest.mark.parametrize("text", ["floatin", "float64[n", "int[n]", "floating[n+1]", "", "float64 int"])
def test_what_cannot_be_read(text: str) -> None:
    with pytest.raises(ValueError):
        shim.contract(x=text)(lambda x: x)


def test_names_that_are_no_parameters() -> None:
    with pytest.raises(TypeError, match="'z' is no parameter"):
        shim.contract(z="floating")(product)


def test_nobody_notices() -> None:
    assert inspect.signature(checked) == inspect.signature(product)
    assert (checked.__doc__, checked.__name__, checked.__module__) == (product.__doc__, "product", __name__)
    assert checked.__wrapped__ is product
    assert pickle.loads(pickle.dumps(at_the_top)) is at_the_top
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'b'"):
        checked(A)
    assert functools.wraps(checked)(lambda: 0).__wrapped__ is checked


def test_each_kind_of_parameter() -> None:
    @shim.contract(a="floating[n]", rest="floating[n]", flag="bool", more="int", low="float | None")
    def function(a: Any, /, low: Any = 0.5, *rest: Any, flag: Any, other: Any = "x", **more: Any) -> Any:
        return a, low, rest, flag, other, more

    row = A[0]
    assert function(row, flag=True)[1:] == (0.5, (), True, "x", {})
    assert function(row, None, row, row, flag=False, depth=2)[2:] == ((row, row), False, "x", {"depth": 2})
    for bad in (
        lambda: function(row, 1j, flag=True), lambda: function(row, 1, A[:, 0], flag=True),
        lambda: function(row, flag=1), lambda: function(row, flag=True, depth=2.5),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=r"function\(\): \w+ must be"):
            bad()


def test_a_default_is_always_accepted() -> None:
    function = shim.contract(x="floating")(lambda x=None: x)
    assert function() is None and function(None) is None


class Layer:
    @shim.contract(weight="floating[n, k]")
    def __init__(self, weight: Any) -> None:
        self.weight = weight

    @shim.contract(x="floating[k]")
    def __call__(self, x: Any) -> Any:
        return self.weight @ x

    @shim.contract(n="int")
    @staticmethod
    def of_ones(n: Any) -> Any:
        return Layer(torch.ones(n, n))

    @classmethod
    @shim.contract(n="int")
    def of_zeros(cls, n: Any) -> Any:
        return cls(torch.zeros(n, n))

    @shim.contract(n="int")
    @classmethod
    def again(cls, n: Any) -> Any:
        return cls.of_zeros(n)


@shim.contract(x="floating[n]", scale="float")
@dataclasses.dataclass
class Scaled:
    x: Any
    scale: Any = 1.0


def test_methods_and_classes() -> None:
    assert Layer(A)(A[0]).tolist() == [3, 3]
    assert Layer.of_ones(2).weight.shape == Layer.of_zeros(2).weight.shape == Layer.again(2).weight.shape == (2, 2)
    for bad in (lambda: Layer(A[0]), lambda: Layer(A)(A), lambda: Layer.of_ones(2.5), lambda: Layer.of_zeros("2"),
                lambda: Scaled(A), lambda: Scaled(A[0], "x")):  # fmt: skip
        with pytest.raises(TypeError, match="must be"):
            bad()
    inherited = shim.contract(weight="floating[n, n]")(type("Square", (Layer,), {}))
    assert inherited(torch.eye(2)).weight.shape == (2, 2) and Layer(A).weight is A
    with pytest.raises(TypeError, match="weight must be"):
        inherited(A)
    assert dataclasses.astuple(Scaled(A[0], scale=2))[1] == 2
    assert pickle.loads(pickle.dumps(Scaled(A[0]))).scale == 1.0


# --------------------------------------------------------------------------------- functions of other kinds
@shim.contract(x="floating")
def running(x: Any) -> Any:
    sent = yield x
    try:
        yield sent
    except KeyError:
        yield "caught"
    return "done"


@shim.contract(x="floating")
async def awaited(x: Any) -> Any:
    await asyncio.sleep(0)
    return x * 2


CLOSED = []


@shim.contract(x="floating")
async def stream(x: Any) -> Any:
    try:
        sent = yield x
        try:
            yield sent
        except KeyError:
            yield "caught"
    finally:
        CLOSED.append(True)


def test_generators() -> None:
    assert inspect.isgeneratorfunction(running)
    steps = running(A)
    assert next(steps) is A and steps.send(5) == 5 and steps.throw(KeyError()) == "caught"
    with pytest.raises(StopIteration, match="done"):
        next(steps)
    with pytest.raises(TypeError, match="x must be"):
        next(running(1))


def test_coroutines() -> None:
    assert inspect.iscoroutinefunction(awaited)
    assert torch.equal(asyncio.run(awaited(A)), A * 2)
    with pytest.raises(TypeError, match="x must be"):
        asyncio.run(awaited(1))


def test_async_generators() -> None:
    assert inspect.isasyncgenfunction(stream)

    async def drive() -> list[Any]:
        steps = stream(A)
        found = [await anext(steps), await steps.asend(5), await steps.athrow(KeyError())]
        assert [one async for one in steps] == [] and CLOSED == [True]
        early = stream(A)
        await anext(early)
        await early.aclose()
        assert CLOSED == [True, True]
        return found

    assert asyncio.run(drive()) == [A, 5, "caught"]


# ------------------------------------------------------------------------------- what torch does with them
def test_gradients_flow() -> None:
    a = A.clone().requires_grad_()
    checked(a, B).sum().backward()
    assert a.grad is not None and torch.equal(a.grad, torch.full((2, 3), 4.0))


@pytest.mark.parametrize("arguments", [(A, B), (A, B, 0), (torch.nn.Parameter(A), B)], ids=["quick", "axis", "other"])
def test_compiled_whole(arguments: Any) -> None:
    torch._dynamo.reset()
    assert torch.equal(torch.compile(checked, fullgraph=True, backend="eager")(*arguments), product(*arguments))


def test_compiled_whole_with_alternatives() -> None:
    torch._dynamo.reset()
    either = shim.contract(x="floating[n] | floating[n, n]", rest="array[n]")(lambda x, *rest: x * rest[0])
    assert torch.equal(torch.compile(either, fullgraph=True, backend="eager")(A[0], B[:, 0]), A[0])


def test_vmap() -> None:
    assert torch.vmap(lambda a: checked(a, B))(torch.ones(5, 2, 3)).shape == (5, 2, 4)


class Positive:
    def __init__(self) -> None:
        self._value: Any = None

    @property
    def value(self) -> Any:
        return self._value

    @value.setter
    @shim.contract(value="floating")
    def value(self, value: Any) -> None:
        self._value = value


def test_properties_and_functions_of_others() -> None:
    held = Positive()
    held.value = A
    assert held.value is A
    with pytest.raises(TypeError, match=r"Positive.value\(\): value must be floating, but it is an int"):
        held.value = 3
    with pytest.raises(TypeError, match="no parameter"):
        shim.contract(x="int")(len)
    partial = shim.contract(b="floating[k, m]")(functools.partial(product, A))
    assert torch.equal(partial(B), A @ B)
    with pytest.raises(TypeError, match="b must be"):
        partial(3)
