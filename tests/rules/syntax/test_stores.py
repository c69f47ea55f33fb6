"""Stores beside others, in a chain, as targets of loops."""

from __future__ import annotations

from support.handlers import agree


def test_several_targets():
    agree(
        """
        x = np.arange(4)
        x[1:], x[0] = x[:-1], x[-1]
        y = np.zeros(4, dtype=int)
        y[1:] = z = x[:-1]
        for y[0] in [5, 6]:
            pass
        """,
        """
        x = torch.arange(4)
        x[1:], x[0] = x[:-1].clone(), x[-1].clone()
        y = torch.zeros(4, dtype=torch.int64)
        y[1:] = z = x[:-1]
        for y[0] in [5, 6]:
            pass
        """,
    )


def test_a_mask_of_what_may_be_wide_unsigned_integers():
    agree(
        """
        def cleared(values, types):
            found = values.astype(types[0])
            found[values > 2] = 0
            return found

        print(cleared(np.array([1.0, 3.0]), [np.uint16]).tolist())
        """,
        """
        def cleared(values, types):
            found = values.to(torch.uint16, copy=True)
            shim.operator.setitem(found, values > 2, 0)
            return found

        print(cleared(torch.tensor([1.0, 3.0], dtype=torch.float64), [torch.uint16]).tolist())
        """,
    )
