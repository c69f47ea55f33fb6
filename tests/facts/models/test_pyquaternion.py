"""What is known of quaternions, held against pyquaternion where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

from np2torch.facts import values as v
from support.facts import one

EXPRESSIONS = """
q|q.inverse|q.unit|q * q|q + 1|2 * q|q / 2.0|q - q|-q|q**2|q @ q|q == q|q != q|q[0]|q.w|q.elements|q.vector|q.axis
q.angle|q.norm|q.degrees|q.rotation_matrix|q.transformation_matrix|q.yaw_pitch_roll|q.polar_decomposition|q.rotate(x)
q.rotate(q)|q.rotate((1, 0, 0))|q.rotate([1, 0, 0])|Quaternion.random()|Quaternion.slerp(q, q, 0.5)|q.is_unit()
Quaternion.distance(q, q)|q.derivative(x)|q.integrate(x, 0.1)|x * q|q * x
[e for e in q][0]|Quaternion(matrix=q.rotation_matrix)
""".strip().replace("\n", "|").split("|")
TEXT = "from pyquaternion import Quaternion\nq = Quaternion(axis=[1, 0, 0], angle=0.5)\nx = np.array([1.0, 0.0, 0.0])\n"

KINDS = {tuple: "sequence", bool: "number", float: "number", type(None): "none"}


def _fact(expression: str) -> v.Fact:
    return one(f"{TEXT}show({expression})")


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_fact_includes_what_the_library_gives(expression):
    pyquaternion = pytest.importorskip("pyquaternion")
    fact = _fact(expression)
    if v.known_to_include(fact, "unknown"):
        return
    q, x = pyquaternion.Quaternion(axis=[1, 0, 0], angle=0.5), np.array([1.0, 0.0, 0.0])
    found = eval(expression, {"Quaternion": pyquaternion.Quaternion, "q": q, "x": x})
    if isinstance(found, pyquaternion.Quaternion):
        assert v.sole(fact) == v.Opaque("pyquaternion.Quaternion()")
    elif isinstance(found, np.ndarray):
        assert v.only(fact, "array") and v.ranks_of(fact) == {found.ndim} and v.dtypes_of(fact) == {str(found.dtype)}
    else:
        kind = "scalar" if isinstance(found, np.generic) else KINDS[type(found)]
        assert v.only(fact, kind)


def test_most_of_it_is_known():
    known = [expression for expression in EXPRESSIONS if not v.known_to_include(_fact(expression), "unknown")]
    assert len(known) >= len(EXPRESSIONS) - 4


def test_a_rotation_crosses_the_border(convert):
    new = convert(
        "import numpy as np\nfrom pyquaternion import Quaternion\n\n\ndef turned(angle):\n"
        "    q = Quaternion(axis=np.array([0.0, 0.0, 1.0]), angle=angle)\n"
        "    return np.abs((2 * q).inverse.rotation_matrix)\n\n\nturned(0.5)\n"
    )
    assert "torch.abs(shim.from_numpy((2 * q).inverse.rotation_matrix))" in new
    assert "Quaternion(axis=torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64).numpy(), angle=angle)" in new
