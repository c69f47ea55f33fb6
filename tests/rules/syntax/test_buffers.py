"""The bytes of arrays."""

from __future__ import annotations

from support.handlers import agree


def test_of_digests_and_files():
    agree(
        """
        import hashlib
        import io

        x = np.arange(3)
        digest = hashlib.sha256(x).hexdigest()
        file = io.BytesIO()
        size = file.write(x)
        both = b''.join([x, x])
        """,
        """
        import hashlib
        import io

        x = torch.arange(3)
        digest = hashlib.sha256(x.numpy()).hexdigest()
        file = io.BytesIO()
        size = file.write(x.numpy())
        both = b''.join(shim.to_numpy([x, x]))
        """,
    )


def test_of_files_that_the_project_derives_or_wraps():
    agree(
        """
        import io

        class Traced(io.BytesIO):
            pass

        class Partial:
            def __init__(self, file):
                self.file = file

            def __getattr__(self, name):
                return getattr(self.file, name)

        def filled(file):
            x = np.zeros(4, dtype=np.uint8)
            n = file.readinto(x[1:])
            return x, n

        a, m = filled(Traced(b'abc'))
        b, n = filled(Partial(io.BytesIO(b'ab')))
        """,
        """
        import io

        class Traced(io.BytesIO):
            pass

        class Partial:
            def __init__(self, file):
                self.file = file

            def __getattr__(self, name):
                return getattr(self.file, name)

        def filled(file):
            x = torch.zeros(4, dtype=torch.uint8)
            n = file.readinto(x[1:].numpy())
            return x, n

        a, m = filled(Traced(b'abc'))
        b, n = filled(Partial(io.BytesIO(b'ab')))
        """,
    )


def test_a_method_of_the_project_gets_tensors():
    agree(
        """
        class Sink:
            def __init__(self, keep):
                self.write = keep

        kept = []
        Sink(kept.append).write(np.zeros(2))
        """,
        """
        class Sink:
            def __init__(self, keep):
                self.write = keep

        kept = []
        Sink(kept.append).write(torch.zeros(2, dtype=torch.float64))
        """,
    )


def test_what_may_be_a_file_or_a_sink_of_the_project():
    agree(
        """
        import io
        class Sink:
            def __init__(self):
                self.kept = []

            def write(self, x):
                self.kept.append(x + 1)

        def saved(target, count):
            target.write(np.arange(3) * len(count))
            return target

        __all__ = ["saved", "Sink"]
        kept, text = saved(Sink(), "abc").kept[0], saved(io.BytesIO(), "abc").getvalue()
        """,
        """
        import io
        class Sink:
            def __init__(self):
                self.kept = []

            def write(self, x):
                self.kept.append(x + 1)

        def saved(target, count):
            shim.invoke(target, "write", torch.arange(3) * len(count))
            return target

        __all__ = ["saved", "Sink"]
        kept, text = shim.element(saved(Sink(), "abc").kept[0]), saved(io.BytesIO(), "abc").getvalue()
        """,
        closed=(),
    )


def test_of_the_memory_of_what_may_be_an_array():
    agree(
        """
        import hashlib

        def digest(state):
            h = hashlib.sha1()
            h.update(state[1].data)
            return h.hexdigest()

        class Text:
            data = b'text'

        a = digest([0, Text()]), digest(np.random.RandomState(3).get_state())
        """,
        """
        import hashlib

        def digest(state):
            h = hashlib.sha1()
            h.update(shim.to_numpy(shim.element(state[1]).data))
            return h.hexdigest()

        class Text:
            data = b'text'

        a = digest([0, Text()]), digest(shim.random.RandomState(3).get_state())
        """,
        closed=(),
    )


OPENED = """
import tempfile
from contextlib import contextmanager


class Mesh:
    def write(self, path):
        return path


@contextmanager
def opened(path, mode="r"):
    if hasattr(path, "read"):
        yield path
    else:
        with open(path, mode) as f:
            yield f


def save(path, points):
    with opened(path, "wb") as fh:
{writes}
    with opened(path, "rb") as fh:
        return fh.read()


a = save(tempfile.mktemp(), {points}), Mesh().write("m")
"""


def test_of_a_file_that_a_context_of_the_project_gives():
    """A class of the project that has a method `write` kept the file of another make from getting its bytes."""
    agree(
        OPENED.format(
            writes="""\
        fh.write(np.array(len(points)).astype("<u4"))
        fh.write(np.ones(2))""",
            points="np.ones((3, 2))",
        ),
        OPENED.format(
            writes="""\
        shim.invoke(fh, "write", shim.array_0d(torch.tensor(len(points))).to(torch.uint32))
        shim.invoke(fh, "write", torch.ones(2, dtype=torch.float64))""",
            points="torch.ones((3, 2), dtype=torch.float64)",
        ),
    )
