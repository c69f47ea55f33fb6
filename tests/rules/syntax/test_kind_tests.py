"""Questions for the class of a value."""

from __future__ import annotations

from support.guards import both
from support.handlers import agree


def test_of_arrays_and_numbers():
    agree(
        """
        x = np.array([1.0, 2.0])
        a = isinstance(x, np.ndarray)
        b = isinstance(x[0], float)
        c = isinstance(x[0], np.floating)
        d = isinstance(3, (int, np.integer))
        name = type(x).__name__
        """,
        """
        x = torch.tensor([1.0, 2.0], dtype=torch.float64)
        a = isinstance(x, torch.Tensor)
        b = shim.isinstance(x[0], float)
        c = shim.isinstance(x[0], shim.floating)
        d = isinstance(3, (int, shim.integer))
        name = shim.type_name(x)
        """,
    )


def test_in_patterns():
    agree(
        """
        def kind(value):
            match value:
                case np.ndarray():
                    return 'array'
                case float():
                    return 'float'
            return 'other'


        kinds = [kind(np.ones(2)), kind(np.ones(2)[0]), kind('a')]
        """,
        """
        def kind(value):
            match value:
                case shim.patterns.ndarray():
                    return 'array'
                case shim.patterns.float():
                    return 'float'
            return 'other'


        kinds = [kind(torch.ones(2, dtype=torch.float64)), kind(torch.ones(2, dtype=torch.float64)[0]), kind('a')]
        """,
    )


def test_a_number_is_the_length_of_an_array_and_no_element():
    text = """class Net:
    def __init__(self, n=3):
        self.w = np.zeros(n)


def told(x):
    return isinstance(x, np.ndarray)
"""
    old, new, after = both(text, "Net")
    assert "self.w = torch.zeros(n, dtype=torch.float64)" in after
    for n in (2, (1, 2)):
        assert new(n).w.tolist() == old(n).w.tolist()
