"""The names of the shim that are no calls to draw arguments for, and why."""

from __future__ import annotations

REASONS = {
    "classes, and what only names a type": """
        AxisError LinAlgError RankWarning linalg.LinAlgError polynomial.RankWarning dtype ufunc poly1d finfo iinfo
        polynomial.Polynomial polynomial.polynomial.Polynomial polynomial.poly1d random.Generator random.RandomState
        random.BitGenerator random.PCG64 random.MT19937 random.SeedSequence generic number inexact floating integer
        complexfloating signedinteger unsignedinteger typing.ArrayLike typing.DTypeLike typing.NDArray finfo.dtype
        iinfo.dtype dtype.type dtype.newbyteorder""",
    "the base of subclasses: tests/shim/test_subclassing.py": "ndarray",
    "scalar classes: tests/shim/test_dtypes.py": """
        bool bool_ byte ubyte short ushort intc uintc int_ uint intp uintp long ulong longlong ulonglong half single
        double csingle cdouble int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64
        complex128""",
    "the shim's own, which NumPy has not: tests/shim/test_protocols.py, test_interop.py, test_methods.py": """
        attribute set_attribute invoke element float64.fromhex by_class elements items keys numbers hash only_index only_scalar key by_value duplicate text representation truth
        builtin_round isinstance across namespace callback from_numpy to_numpy from_dlpack ufunc.fold ufunc.kernel ufunc.loops
        ufunc.reorderable ufunc.resolve ufunc.returns ufunc.scalars ufunc.scan ufunc.scatter ufunc.whole
        ufunc.widens ufunc.wraps""",
    "guards, which NumPy has not: tests/shim/test_guards.py, test_contracts.py": "contract promote tensor tensors",
    "files, state and printing options: tests/shim/test_io.py, test_functional.py": """
        load loadtxt genfromtxt fromfile save savetxt savez savez_compressed errstate geterr geterrcall seterr seterrcall
        get_printoptions set_printoptions printoptions ndarray.dump ndarray.dumps ndarray.tofile ndarray.flags
        ndarray.setflags ndarray.base""",
    "functions of functions: tests/shim/test_functional.py": "vectorize frompyfunc einsum_path",
    "states of random streams: tests/shim/test_random_streams.py": """
        random.default_rng default_rng random.seed random.get_state random.set_state random.ranf random.sample
        random.random_integers random.RandomState.random_integers random.RandomState.get_state
        random.RandomState.set_state random.RandomState.seed random.RandomState.tomaxint
        random.Generator.bit_generator random.Generator.spawn
        random.BitGenerator.random_raw random.BitGenerator.seed_seq random.BitGenerator.spawn random.BitGenerator.state
        random.MT19937.random_raw random.MT19937.seed_seq random.MT19937.spawn random.MT19937.state
        random.PCG64.advance random.PCG64.jumped random.PCG64.random_raw random.PCG64.seed_seq random.PCG64.spawn
        random.PCG64.state random.SeedSequence.entropy random.SeedSequence.generate_state
        random.SeedSequence.n_children_spawned random.SeedSequence.pool random.SeedSequence.pool_size
        random.SeedSequence.spawn random.SeedSequence.spawn_key random.SeedSequence.state""",
    "states of iteration: tests/shim/test_indexing.py": """
        broadcast.index broadcast.iters broadcast.nd broadcast.ndim broadcast.numiter broadcast.reset broadcast.shape
        broadcast.size nditer.close nditer.finished nditer.has_multi_index nditer.index nditer.iterindex nditer.iternext
        nditer.itersize nditer.multi_index nditer.ndim nditer.nop nditer.operands nditer.reset nditer.shape
        nditer.value""",
    "context managers and messages: tests/shim/test_testing.py": """
        testing.HAS_REFCOUNT testing.IS_PYPY testing.KnownFailureException testing.SkipTest testing.TestCase
        testing.assert_ testing.assert_array_compare testing.assert_no_warnings testing.assert_raises
        testing.assert_raises_regex testing.assert_string_equal testing.assert_warns testing.break_cycles
        testing.build_err_msg testing.print_assert_equal testing.suppress_warnings testing.tempdir testing.temppath""",
    "class methods: tests/shim/test_polynomial.py": """
        polynomial.Polynomial.basis polynomial.Polynomial.fit polynomial.Polynomial.fromroots
        polynomial.Polynomial.identity""",
    "other names of what the table has": """
        polynomial.poly polynomial.polyadd polynomial.polyder polynomial.polydiv polynomial.polyfit polynomial.polyint
        polynomial.polymul polynomial.polysub polynomial.polyval polynomial.roots lib.stride_tricks.broadcast_arrays
        lib.stride_tricks.broadcast_shapes lib.stride_tricks.broadcast_to""",
    "gone from NumPy 2, so there is nothing to run beside it": """
        in1d trapz round_ msort alen asfarray asscalar ndarray.ptp ndarray.itemset ndarray.tostring""",
}
ELSEWHERE = {name for names in REASONS.values() for name in names.split()}
