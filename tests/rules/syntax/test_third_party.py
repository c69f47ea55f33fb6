"""Packages that nothing is known of."""

from __future__ import annotations

from support.handlers import agree


def test_are_given_ndarrays():
    agree(
        """
        import sys
        import types

        sys.modules['unseen_package'] = types.SimpleNamespace(smooth=lambda x: np.asarray(x) * 2)
        import unseen_package

        x = unseen_package.smooth(np.arange(3.0))
        y = np.abs(x)
        del unseen_package
        """,
        """
        import sys
        import types

        sys.modules['unseen_package'] = types.SimpleNamespace(smooth=lambda x: shim.asarray(x) * 2)
        import unseen_package

        x = shim.from_numpy(unseen_package.smooth(torch.arange(3.0, dtype=torch.float64).numpy()))
        y = shim.abs(x)
        del unseen_package
        """,
    )
