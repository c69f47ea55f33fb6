"""Arrays that Hypothesis draws become tensors."""

from __future__ import annotations

from support.handlers import agree


def test_of_a_dtype():
    agree(
        """
        from hypothesis import given, settings
        from hypothesis.extra.numpy import arrays

        seen = []


        @settings(max_examples=1, derandomize=True, database=None)
        @given(arrays(np.int8, (2, 3)))
        def run(x):
            seen.append(x.sum() + np.abs(x).max())


        run()
        """,
        """
        from hypothesis import given, settings
        from hypothesis.extra.numpy import arrays

        seen = []


        @settings(max_examples=1, derandomize=True, database=None)
        @given(arrays(np.int8, (2, 3)).map(shim.from_numpy))
        def run(x):
            seen.append(x.sum() + shim.abs(x).max())


        run()
        """,
    )
