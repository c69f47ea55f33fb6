"""The names that stay on NumPy, why, and what to do instead: the TODO entries of the rule book.

One row for a group of names. A test holds that every public name of NumPy that is no rule and no function of the shim
is in one of them.
"""

from __future__ import annotations

import functools
from fnmatch import fnmatchcase
from typing import NamedTuple


class KeptNames(NamedTuple):
    """A group of names (patterns, without `numpy.`), why they stay, and what to do instead."""

    names: str
    reason: str
    instead: str


KEPT = (
    KeptNames(
        "ma.*", "torch has no masked arrays.",
        "Keep a bool mask beside the data: `x[mask]`, `torch.where(mask, x, fill)`; or NaN and the nan functions.",
    ),
    KeptNames(
        "char.* strings.* compare_chararrays chararray str_ string_ bytes_ character flexible "
        "dtype.'str*' dtype.'bytes*' dtype.'unicode' dtype.'[SUa]'",
        "torch has no strings.", "Keep texts in lists, and integer codes of them in tensors.",
    ),
    KeptNames(
        "rec.* recarray record recarray.* record.* void lib.recfunctions.* recfromcsv recfromtxt *.getfield *.setfield "
        "ndarray.newbyteorder fromregex dtype.'V' dtype.'void' "
        "dtype.fields dtype.names dtype.descr dtype.subdtype dtype.isalignedstruct dtype.metadata",
        "torch has no records.", "A dict or a dataclass of tensors, one for each field.",
    ),
    KeptNames(
        "datetime64 timedelta64 datetime_data datetime_as_string busday* is_busday isnat dtype.'[Mm]' "
        "dtype.'datetime64' dtype.'timedelta64'",
        "torch has no dates.",
        "Integers since an epoch: `x.astype('datetime64[ns]').view('int64')` before it is a tensor.",
    ),
    KeptNames("object_ object dtype.'object*' dtype.'O'", "torch has no objects.", "A list."),
    KeptNames(
        "longdouble clongdouble longfloat longcomplex clongfloat float128 complex256 "
        "dtype.'[gG]' dtype.'*longdouble' dtype.'float128' dtype.'complex256'",
        "torch's widest float is float64.", "float64, where its precision will do.",
    ),
    KeptNames(
        "matrix matrix.* matlib.* asmatrix mat bmat", "NumPy's matrix class is not an array of two dimensions.",
        "Tensors, and `@`.",
    ),
    KeptNames(
        "memmap memmap.* lib.npyio.* lib.format.*", "A file mapped into memory or taken apart is NumPy's.",
        "`torch.from_numpy(np.memmap(...))` shares the memory; `torch.from_file` maps a file of torch's own.",
    ),
    KeptNames(
        "ctypeslib.* ndarray.ctypes lib.array_utils.byte_bounds", "Pointers into memory.",
        "`x.data_ptr()`, or `x.numpy().ctypes`.",
    ),
    KeptNames(
        "test *.test show_config show_runtime get_include info source who disp deprecate add_newdoc_ufunc __version__ "
        "version.* __array_namespace_info__ lib.introspect.* lib.NumpyVersion lib.add_* lib.tracemalloc_domain "
        "tracemalloc_domain lib.test set_string_function "
        "testing.* typing.NBitBase typing.mypy_plugin.* *.set_default_printstyle",
        "It speaks of NumPy itself, its build, its tests or its documentation.", "Leave it, or take it out.",
    ),
    KeptNames(
        "dtypes.* ScalarType sctypeDict typecodes sctype2char obj2sctype maximum_sctype mintypecode typename issctype "
        "issubclass_ find_common_type cast nbytes dtype.num dtype.flags dtype.base "
        "dtype.ndim dtype.shape iinfo.key finfo.*",
        "Tables of NumPy's own dtypes.", "torch's dtypes: `torch.promote_types`, `x.dtype.is_floating_point`.",
    ),
    KeptNames(
        "exceptions.*", "Warnings and errors that only NumPy raises.",
        "torch warns with UserWarning and raises RuntimeError.",
    ),
    KeptNames(
        "getbufsize setbufsize geterrobj seterrobj", "Settings of NumPy's ufunc machinery.",
        "Take them out: torch has none.",
    ),
    KeptNames(
        "nested_iters nditer.* flatiter flatiter.* lib.Arrayterator lib.Arrayterator.*", "Iteration inside of NumPy.",
        "`torch.broadcast_tensors`, `torch.broadcast_shapes`, `x.flatten()`, `x.split(n)`.",
    ),
    KeptNames(
        "lib.mixins.* lib.user_array.*", "It makes classes that act as arrays by NumPy's protocol.",
        "`__torch_function__` is torch's.",
    ),
    KeptNames(
        "f2py.*", "It builds extension modules, which take ndarrays.", "`torch.utils.cpp_extension`, or `x.numpy()`.",
    ),
    KeptNames(
        "random.*.capsule random.*.cffi random.*.ctypes random.*.lock", "Pointers into NumPy's own generators.",
        "The methods of `default_rng(seed)`.",
    ),
    KeptNames(
        "random.PCG64DXSM* random.Philox* random.SFC64* random.*_bit_generator random.MT19937.jumped",
        "The stream is not reproduced.",
        "`default_rng(seed)`, whose stream (PCG64) is NumPy's own here too.",
    ),
    KeptNames(
        "polynomial.*", "Of the classes of series only `Polynomial` is in the shim; the functions of all series are.",
        "The functions of the same module (`chebyshev.chebval`), or the coefficients converted with `convert`.",
    ),
    KeptNames(
        "rank safe_eval",
        "NumPy itself no longer has it.", "`x.ndim`, `ast.literal_eval`.",
    ),
    KeptNames("little_endian dtype.byteorder dtype.isnative", "It speaks of the machine.", "`sys.byteorder`."),
    KeptNames(
        "ndarray.base generic.base", "A tensor does not know whose view it is.",
        "A clone.",
    ),
    KeptNames(
        "ufunc.identity ufunc.nargs ufunc.nin ufunc.nout ufunc.ntypes ufunc.resolve_dtypes ufunc.signature ufunc.types",
        "The description of NumPy's own loops.", "`inspect`, or the documentation of the torch function.",
    ),
)  # fmt: skip


@functools.cache
def kept_group(name: str) -> KeptNames | None:
    """The group of a name that stays on NumPy; None where none is written down."""
    short = name.removeprefix("numpy.")
    return next((group for group in KEPT for pattern in group.names.split() if fnmatchcase(short, pattern)), None)
