"""NumPy's stream, unless people want torch's."""

from __future__ import annotations

from support.handlers import agree


def test_the_stream_stays_numpys():
    agree(
        """
        np.random.seed(3)
        a = np.random.rand(3)
        b = np.random.randint(0, 5, size=2)
        rng = np.random.default_rng(1)
        c = rng.normal(size=2)
        del rng
        """,
        """
        shim.random.seed(3)
        a = shim.random.rand(3)
        b = shim.random.randint(0, 5, size=2)
        rng = shim.default_rng(1)
        c = rng.normal(size=2)
        del rng
        """,
    )
