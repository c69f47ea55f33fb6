"""Names of unknown type that NumPy computes with somewhere in the same function."""

from __future__ import annotations

import pytest

from support.guards import convert


@pytest.mark.parametrize(
    ("body", "is_an_array"),
    [
        ("if lat < -90:\n        lat = np.deg2rad(lat)\n    return lat", True),
        ("if lat < -90:\n        lat = np.add(1, lat)\n    return lat", True),
        ("if lat < -90:\n        return np.zeros(lat)\n    return lat", False),
        ("if lat < -90:\n        return 0\n    return lat", False),
        ("if lat < -9:\n        lat = np.deg2rad(lat)\n    return lat", False),
    ],
)
def test_the_shim_orders_what_numpy_computes_with_beside_a_number_that_small_integers_do_not_hold(body, is_an_array):
    text = f"def _norm(lat):\n    {body}\n\n\ndef normed(lat, f):\n    return _norm(f(lat))\n"
    assert ("shim.operator.lt(lat, -90)" in convert(text, unknown="shim").after) is is_an_array


def test_what_counts_down_is_taken_as_a_number():
    text = "def count(n, items):\n    while n > 500:\n        n -= 1\n        items.append(n)\n    return items\n"
    after = convert(text).after
    assert "while n > 500:" in after
    assert "numbers=False" not in after
