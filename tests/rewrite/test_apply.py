"""A plan carried out in the text."""

from __future__ import annotations

from support.guards import both, convert

OPTIONAL = """try:
    from numpy import asarray
except ImportError:
    pass


def half(x):
    try:
        x = asarray(x)
    except NameError:
        pass
    return np.sqrt(x) / 2
"""


def test_a_try_of_which_nothing_is_left_goes() -> None:
    old, new, text = both(OPTIONAL, "half")
    assert "try" not in text and "pass" not in text
    assert new([1.0, 4.0]).tolist() == old([1.0, 4.0]).tolist()


def test_a_try_stays_with_its_comments_and_with_what_it_does_otherwise() -> None:
    told = OPTIONAL.replace("        x = asarray(x)\n", "        # lists too\n        x = asarray(x)\n")
    assert "# lists too" in convert(told).after
    counted = OPTIONAL.replace("NameError:\n        pass", "NameError:\n        x = abs(x)")
    assert "x = abs(x)" in convert(counted).after
    closed = OPTIONAL.replace("NameError:\n        pass", "NameError:\n        pass\n    finally:\n        print(1)")
    assert "print(1)" in convert(closed).after


def test_a_try_with_a_loop_in_it_is_looked_through() -> None:
    text = """def scaled(x):
    try:
        for i in range(3):
            x = np.sqrt(x)
    except TypeError:
        pass
    return x
"""
    old, new, after = both(text, "scaled")
    assert "for i in range(3):" in after
    assert new(256.0) == old(256.0)
