"""Assertions on arrays."""

from __future__ import annotations

from support.handlers import agree


def test_of_unittest():
    agree(
        """
        import unittest


        class Test(unittest.TestCase):
            def test(self):
                x = np.ones(3)
                self.assertAlmostEqual(x.mean(), 1.0)
                self.assertEqual(x.tolist(), [1, 1, 1])


        result = unittest.TestResult()
        Test('test').run(result)
        count = len(result.failures) + len(result.errors)
        """,
        """
        import unittest


        class Test(unittest.TestCase):
            def test(self):
                x = torch.ones(3, dtype=torch.float64)
                self.assertAlmostEqual(shim.key(x.mean()), 1.0)
                self.assertEqual(x.tolist(), [1, 1, 1])


        result = unittest.TestResult()
        Test('test').run(result)
        count = len(result.failures) + len(result.errors)
        """,
    )


def test_an_array_equals_a_list():
    agree(
        """
        import unittest


        class Holder:
            def __init__(self, data):
                self.data = data

            @property
            def first(self):
                return self.data[:1]


        class Test(unittest.TestCase):
            def test(self):
                self.assertEqual(Holder(np.ones(3)).first, [1.0])
                self.assertEqual([1.0], np.ones(1))
                self.assertNotEqual(np.ones(1), (2.0,))
                self.assertEqual(list(np.ones(1)), [1.0])


        result = unittest.TestResult()
        Test('test').run(result)
        count = len(result.failures) + len(result.errors)
        """,
        """
        import unittest


        class Holder:
            def __init__(self, data):
                self.data = data

            @property
            def first(self):
                return self.data[:1]


        class Test(unittest.TestCase):
            def test(self):
                self.assertEqual(shim.to_numpy(Holder(torch.ones(3, dtype=torch.float64)).first), [1.0])
                self.assertEqual([1.0], shim.to_numpy(torch.ones(1, dtype=torch.float64)))
                self.assertNotEqual(shim.to_numpy(torch.ones(1, dtype=torch.float64)), (2.0,))
                self.assertEqual(list(torch.ones(1, dtype=torch.float64)), [1.0])


        result = unittest.TestResult()
        Test('test').run(result)
        count = len(result.failures) + len(result.errors)
        """,
    )


def test_of_pytest():
    agree(
        """
        import pytest

        x = np.linspace(0.0, 1.0, 3)
        same = x == pytest.approx([0.0, 0.5, 1.0])
        one = x.sum() == pytest.approx(1.5)
        """,
        """
        import pytest

        x = torch.linspace(0.0, 1.0, 3, dtype=torch.float64)
        same = shim.to_numpy(x) == pytest.approx([0.0, 0.5, 1.0])
        one = shim.to_numpy(x.sum()) == pytest.approx(1.5)
        """,
    )
