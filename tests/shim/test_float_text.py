"""Text of one number: every case runs under NumPy and under the shim."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import torch

from np2torch.shim import functional
from support.both import Side, agree, table

CASES = r"""
[np.format_float_positional(x) for x in v] ## v=np.array([.1,1/3,-0.,1e25,5e-324,2.**-1022,np.nan,-np.inf,1e16,99.5])
[np.format_float_scientific(x) for x in v] ## v=np.array([.1,1/3,-0.,1e25,5e-324,2.**-1022,np.nan,-np.inf,1e16,99.5])
[np.format_float_positional(x) for x in v] ## v=np.array([.1,1/3,65504,6e-8,2**-14,1e6,np.nan],np.float32)
[np.format_float_scientific(x) for x in v] ## v=np.array([.1,1/3,65504,6e-8,2**-14,1e3,np.inf],np.float16)
[np.format_float_positional(x,precision=0) for x in v] ## v=np.array([.5,1.5,2.5,.4999,99.5,-.2])
[np.format_float_positional(x,precision=3) for x in v] ## v=np.array([.0004,.0005,.0006,.0015,9.9996,12,1/3])
[np.format_float_positional(x,3,False) for x in v] ## v=np.array([.0004,.0005,.0006,.0015,9.9996,12,0])
[np.format_float_positional(x,precision=3,unique=False,fractional=False) for x in v] ## v=np.array([0,.00123456,99950])
[np.format_float_positional(12.5,precision=4,unique=False,trim=t) for t in 'k.0-']
[np.format_float_positional(12.0,min_digits=3,trim=t,pad_right=4) for t in 'k.0-']
[np.format_float_scientific(12.0,min_digits=3,trim=t,pad_left=4) for t in 'k.0-']
[np.format_float_scientific(x,precision=p) for x in (1.5,9.99,0.,-2.5) for p in (0,1,5)]
[np.format_float_scientific(x,exp_digits=n) for x in (1.5,1e-300,1e5) for n in (0,1,2,4,9)]
[np.format_float_positional(x,sign=True,pad_left=6) for x in (1.5,-1.5,0.,float('nan'),float('inf'))]
np.format_float_positional(x) ## x=np.int64(2**53+1)
np.format_float_positional(True)
np.format_float_scientific(x) ## x=np.complex64(2)
np.format_float_positional(1j)
np.format_float_positional('1')
np.format_float_positional(None)
np.format_float_positional([1.0])
np.format_float_positional(10**400)
np.format_float_positional(x) ## x=np.array([1.5])
np.format_float_positional(1.5,unique=False)
np.format_float_positional(1.5,trim='x')
np.format_float_positional(1.5,-1)
np.format_float_positional(1.5,2.5)
np.format_float_positional(1.5,precision=0,fractional=False)
np.format_float_scientific(1.5,precision=2,min_digits=3)
"""
RANDOM = random.Random(1)


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize(("expression", "names"), table(CASES))
def test_same_as_numpy(expression: str, names: dict[str, Any]) -> None:
    agree(expression, Side(functional), **names)


def drawn() -> tuple[str, Any, dict[str, Any]]:
    """Draw a function, a number of any float dtype, and options."""
    dtype, size = RANDOM.choice([(np.float64, 8), (np.float32, 4), (np.float16, 2)])
    bits = np.frombuffer(RANDOM.randbytes(size), dtype)[0]
    number = RANDOM.choice([bits, dtype(RANDOM.randrange(-40, 40) / 8), dtype(round(RANDOM.uniform(-100, 100), 2))])
    places, truth = range(8), (False, True)
    every: dict[str, Any] = dict.fromkeys(("precision", "min_digits", "pad_left"), places)
    every |= {"unique": truth, "sign": truth, "trim": "k.0-"}
    name = RANDOM.choice(["positional", "scientific"])
    every |= {"fractional": truth, "pad_right": places} if name == "positional" else {"exp_digits": places}
    passed = {option: RANDOM.choice(values) for option, values in every.items() if RANDOM.random() < 0.4}
    return f"format_float_{name}", number, passed


def outcome(function: Any, number: Any, options: dict[str, Any]) -> Any:
    """The text, or the class of the error."""
    try:
        return function(number, **options)
    except (TypeError, ValueError) as error:
        return type(error)


def test_numbers_and_options_drawn_at_random() -> None:
    for _ in range(600):
        name, number, options = drawn()
        ours = outcome(getattr(functional, name), torch.tensor(np.array(number)), options)
        assert ours == outcome(getattr(np, name), number, options), (name, repr(number), options)
