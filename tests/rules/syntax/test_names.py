"""Names of NumPy that are not called."""

from __future__ import annotations

from support.handlers import agree


def test_constants_and_functions():
    agree(
        """
        x = np.linspace(0.0, np.pi, 3)
        f = np.sin
        y = f(x)
        z = [g(x) for g in (np.cos, np.exp)]
        top = np.inf
        kind = np.float32
        """,
        """
        x = shim.linspace(0.0, math.pi, 3)
        f = shim.sin
        y = torch.sin(x)
        z = [g(x) for g in (shim.cos, shim.exp)]
        top = math.inf
        kind = torch.float32
        """,
    )


def test_attributes():
    agree(
        """
        x = np.arange(6).reshape(2, 3)
        a, b, c = x.size, x.T, x.ndim
        d = x.flat[4]
        mean = x.mean
        e = mean(axis=0)
        bits = x.nbytes
        """,
        """
        x = torch.arange(6).reshape(2, 3)
        a, b, c = x.numel(), x.T, x.ndim
        d = shim.attribute(x, "flat")[4]
        mean = shim.attribute(x, "mean")
        e = mean(axis=0)
        bits = x.nbytes
        """,
    )


def test_the_size_of_what_may_be_text():
    agree(
        """
        import json

        def count(text):
            found = json.loads(text)
            found = np.asarray(found)
            return found.size

        counts = [count(text) for text in ('"word"', "[1, 2]", '["a", "b", "c"]', "1.5")]
        """,
        """
        import json

        def count(text):
            found = json.loads(text)
            found = shim.asarray(found)
            return math.prod(found.shape)

        counts = [count(text) for text in ('"word"', "[1, 2]", '["a", "b", "c"]', "1.5")]
        """,
    )
