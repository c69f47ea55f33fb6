"""Text of arrays and NumPy scalars."""

from __future__ import annotations

from support.handlers import agree


def test_printed():
    agree(
        """
        x = np.arange(3.0)
        print(x[1], x.shape)
        print(f'{x.sum():.2f} {x.shape}')
        print('%d of %s' % (x[1], x))
        print('{} {:.1f}'.format(x[0], x[2]))
        """,
        """
        x = torch.arange(3.0, dtype=torch.float64)
        print(x[1].item(), tuple(x.shape))
        print(f'{x.sum():.2f} {tuple(x.shape)}')
        print('%d of %s' % (x[1], shim.array_str(x)))
        print('{} {:.1f}'.format(x[0], x[2]))
        """,
    )


def test_logged():
    agree(
        """
        import string

        x = np.arange(3)
        text = string.Template('$v').substitute(v=x[2])
        word = str(x)
        shown = repr(x[0])
        """,
        """
        import string

        x = torch.arange(3)
        text = string.Template('$v').substitute(v=x[2].item())
        word = str(shim.array_str(x))
        shown = shim.representation(x[0])
        """,
    )


def test_a_shape_that_an_object_gives_for_its_own():
    agree(
        """
        class Held:
            def __init__(self, values):
                self.values = values

            @property
            def shape(self):
                return self.values.shape

            def __repr__(self):
                return f'Held({self.shape})'

        a = repr(Held(np.ones((2, 3))))
        """,
        """
        class Held:
            def __init__(self, values):
                self.values = values

            @property
            def shape(self):
                return self.values.shape

            def __repr__(self):
                return f'Held({tuple(self.shape)})'

        a = repr(Held(torch.ones((2, 3), dtype=torch.float64)))
        """,
    )
