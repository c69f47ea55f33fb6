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
