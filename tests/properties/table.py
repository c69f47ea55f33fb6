"""Every function, and what it is called with.

A line is names of the shim, a colon, and a template of the call: `F` is the name, `M` its last part, `<...>` a hole
(`drawing.KINDS`), `{...}` a part that is there or not. Statements before the last semicolon run first. `~n` after the
names allows n units in the last place of what is summed, for functions that sum in another order than NumPy.
"""

from __future__ import annotations

from typing import NamedTuple

from series import SERIES


class Row(NamedTuple):
    """A template of calls of one function."""

    name: str
    template: str
    slack: float


UFUNC = "<into>{, dtype=<dtype inexact>}{, casting=<'no'|'same_kind'|'unsafe'>}"
REDUCE = "{, axis=<axes>}{, dtype=<dtype inexact>}{, keepdims=<flag>}{, initial=<number>}{, where=<mask>}"
EXTREME = "{, axis=<axes>}{, keepdims=<flag>}{, initial=<number real>}{, where=<mask>}"
SPREAD = "{, axis=<axes>}{, dtype=<dtype solid>}{, ddof=<0..2>}{, keepdims=<flag>}{, where=<mask>}"
SIZED = "size=<None|3|(2, 2)>"

ELEMENTWISE = f"""
sin cos tan exp exp2 expm1 sqrt square absolute abs sinh cosh tanh arctan atan reciprocal negative positive conjugate conj sign rint ~16 : np.F(<a>{UFUNC})
log log2 log10 log1p arcsin asin arccos acos arcsinh asinh arccosh acosh arctanh atanh ~16 : np.F(<a>{UFUNC})
cbrt fabs floor ceil trunc deg2rad rad2deg degrees radians spacing isnan isinf isfinite signbit logical_not ~4 : np.F(<a>{UFUNC})
modf frexp ~1 : np.F(<a>)
invert bitwise_not bitwise_invert bitwise_count : np.F(<a real><into int>)
add subtract multiply maximum minimum fmax fmin equal not_equal greater greater_equal less less_equal ~2 : np.F(<a>, <x>{UFUNC})
divide true_divide logical_and logical_or logical_xor ~4 : np.F(<a>, <x>{UFUNC})
floor_divide remainder mod fmod hypot arctan2 atan2 copysign logaddexp logaddexp2 heaviside nextafter ~4 : np.F(<a>, <x>{UFUNC})
divmod ~1 : np.F(<a real>, <x real>)
power pow ~16 : np.F(<a>, <x positive>{UFUNC})
float_power ~16 : np.F(<a>, <x>)
gcd lcm bitwise_and bitwise_or bitwise_xor : np.F(<a real>, <x real><into int>)
left_shift right_shift bitwise_left_shift bitwise_right_shift : np.F(<a int tame>, <x int positive tame>)
ldexp : np.F(<a>, <x int tame>)
ufunc.reduce ~64 : np.<add|multiply|maximum|minimum|logical_and|logical_or|bitwise_or|hypot|fmax|logaddexp>.reduce(<a>{{, axis=<axes>}}{{, keepdims=<flag>}}{{, where=<mask>}}{{, initial=<number positive>}})
ufunc.accumulate ~64 : np.<add|multiply|maximum|minimum|subtract|logical_and|hypot>.accumulate(<a>{{, axis=<axis>}})
ufunc.outer ~4 : np.<add|multiply|maximum|subtract|less|divide|arctan2>.outer(<a>, <a>)
ufunc.at : np.<add|subtract|multiply|maximum|minimum>.at(<a 1d+>, <places list>, <number>)
ufunc.reduceat ~16 : np.<add|multiply|maximum>.reduceat(<a 1d+>, <places list>)
ufunc.identity ufunc.nin ufunc.nout ufunc.nargs ufunc.signature : np.<add|multiply|modf|maximum|sin>.M
real imag iscomplex isreal iscomplexobj isrealobj : np.F(<x>)
angle ~4 : np.F(<a>{{, deg=<flag>}})
real_if_close : np.F(<a>{{, tol=<1..1000>}})
clip : np.F(<a>, <x real>, <x real><into same>)
clip : np.F(<a>, <None|-1|0.5|2>, <None|1|2.5|3>)
round around ~4 : np.F(<a>{{, <-2..3>}}<into same>)
fix : np.F(<a>)
nan_to_num : np.F(<a>{{, copy=<flag>}}{{, nan=<number real>}}{{, posinf=<number real>}}{{, neginf=<number real>}})
isclose ~1 : np.F(<a>, <x>{{, rtol=<0.1|1e-3>}}{{, atol=<0.5|1e-8>}}{{, equal_nan=<flag>}})
allclose array_equal : np.F(<a>, <x>{{, equal_nan=<flag>}})
array_equiv : np.F(<a>, <x>)
isposinf isneginf : np.F(<a>)
sinc i0 ~64 : np.F(<a>)
unwrap ~64 : np.F(<a real tame 1d+>{{, discont=<0.5..4.0>}}{{, axis=<axis>}}{{, period=<4|6.5>}})
emath.sqrt emath.log emath.log2 emath.log10 emath.arccos emath.arcsin emath.arctanh ~64 : np.F(<a number>)
emath.power emath.logn ~64 : np.F(<a f8 positive>, <a f8 fits>)
"""

REDUCTIONS = f"""
sum prod nansum nanprod ~64 : np.F(<a>{REDUCE})
sum prod nansum nanprod cumsum cumprod nancumsum nancumprod ~64 : np.F(<a tame positive>, axis=<axis>, dtype=<dtype>)
max min amax amin nanmax nanmin : np.F(<a>{EXTREME})
ptp : np.F(<a>{{, axis=<axes>}}{{, keepdims=<flag>}})
any all : np.F(<a>{{, axis=<axes>}}{{, keepdims=<flag>}}{{, where=<mask>}})
mean nanmean ~64 : np.F(<a>{{, axis=<axes>}}{{, dtype=<dtype inexact>}}{{, keepdims=<flag>}}{{, where=<mask>}})
std var nanstd nanvar ~1024 : np.F(<a real>{SPREAD})
std var nanstd nanvar ~1024 : np.F(<a>{{, axis=<axes>}}{{, ddof=<0..2>}})
argmax argmin nanargmax nanargmin : np.F(<a>{{, axis=<axis>}}{{, keepdims=<flag>}})
count_nonzero : np.F(<a>{{, axis=<axes>}}{{, keepdims=<flag>}})
cumsum cumprod nancumsum nancumprod ~64 : np.F(<a>{{, axis=<axis>}})
cumulative_sum cumulative_prod ~64 : np.F(<a 1d+>{{, axis=<axis>}}{{, include_initial=<flag>}})
average ~256 : np.F(<a tame>{{, axis=<axis>}}{{, weights=<a positive like tame>}}{{, returned=<flag>}}{{, keepdims=<flag>}})
median nanmedian ~64 : np.F(<a real>{{, axis=<axes>}}{{, keepdims=<flag>}})
percentile nanpercentile ~64 : np.F(<a real>, <fractions percent>{{, axis=<axes>}}{{, keepdims=<flag>}}{{, method=<'linear'|'lower'|'nearest'|'midpoint'|'hazen'|'weibull'|'inverted_cdf'>}})
quantile nanquantile ~64 : np.F(<a real>, <fractions>{{, axis=<axes>}}{{, keepdims=<flag>}}{{, method=<'linear'|'higher'|'median_unbiased'|'interpolated_inverted_cdf'>}})
"""

SHAPES = """
reshape : np.F(<a>, <reshaped>{, order=<'C'|'F'|'A'>}{, copy=<True|None>})
ravel : np.F(<a>{, order=<'C'|'F'|'A'|'K'>})
transpose permute_dims : np.F(<a>{, <permutation>})
swapaxes : np.F(<a>, <axis>, <axis>)
moveaxis : np.F(<a>, <axis>, <axis>)
rollaxis : np.F(<a>, <axis>{, <0..2>})
squeeze : np.F(<a>{, axis=<axes>})
expand_dims : np.F(<a>, <axis>)
atleast_1d atleast_2d atleast_3d : np.F(<x>)
broadcast_to : np.F(<a>, <broadcast>)
broadcast_arrays : np.F(<a>, <a fits>)
broadcast_shapes : np.F((<1..3>, 1), (<1..2>,), <1..3>)
matrix_transpose : np.F(<a>)
flip : np.F(<a>{, axis=<axes>})
fliplr flipud : np.F(<a>)
rot90 : np.F(<a 2d+>{, <-2..5>}{, axes=<(0, 1)|(1, 0)|(-1, 0)>})
roll : np.F(<a>, <-7..7>{, axis=<axis>})
tile : np.F(<a>, <shape>)
matlib.repmat : np.F(<a>, <0..3>, <0..3>)
repeat : np.F(<a>, <0..3>{, axis=<axis>})
resize : np.F(<a>, <shape>)
concatenate concat : np.F(<sequence tame positive>{, axis=<axis>}{, dtype=<dtype>, casting='unsafe'})
stack : np.F(<sequence>{, axis=<axis>})
hstack vstack row_stack column_stack dstack : np.M(<sequence>)
block : np.F([<sequence 1d+>, <sequence same like>])
append : np.F(<a>, <x>{, axis=<axis>})
split array_split : np.F(<a 1d+>, <sections>{, axis=<axis>})
hsplit vsplit dsplit : np.F(<a>, <sections>)
unstack : np.F(<a 1d+>{, axis=<axis>})
delete : np.F(<a 1d+>, <places>{, axis=<axis>})
insert : np.F(<a 1d+>, <places>, <number>{, axis=<axis>})
pad : np.F(<a>, <widths>{, mode=<'constant'|'edge'|'linear_ramp'|'maximum'|'mean'|'median'|'minimum'|'reflect'|'symmetric'|'wrap'>})
pad : np.F(<a>, <widths>, constant_values=<number>)
trim_zeros : np.F(<a 1d>{, <'f'|'b'|'fb'>})
ndim shape size : np.F(<x>)
kron ~4 : np.F(<a>, <a>)
diag diagflat tril triu : np.F(<a>{, <-2..2>})
diagonal : np.F(<a 2d+>{, <-2..2>}{, axis1=<axis>}{, axis2=<axis>})
trace ~16 : np.F(<a 2d+>{, <-2..2>}{, dtype=<dtype inexact>})
vander ~16 : np.F(<a 1d>{, <0..3>}{, increasing=<flag>})
lib.stride_tricks.sliding_window_view : np.F(<a 1d+>, <1..3>{, axis=<axis>})
lib.stride_tricks.as_strided : np.F(<a f8 1d whole filled>, (1,), (8,))
lib.array_utils.normalize_axis_index : np.F(<-4..3>, 3)
lib.array_utils.normalize_axis_tuple : np.F((<-4..3>, 1), 3)
"""

CREATION = """
zeros ones : np.F(<shape>{, dtype=<dtype>}{, order=<'C'|'F'>})
full : np.F(<shape>, <number positive>{, dtype=<dtype>})
empty : np.shape(np.F(<shape>{, dtype=<dtype>}))
zeros_like ones_like : np.F(<a>{, dtype=<dtype>}{, shape=<shape>})
full_like : np.F(<a>, <number positive>{, dtype=<dtype>})
empty_like : np.shape(np.F(<a>{, shape=<shape>}))
eye : np.F(<0..4>{, <0..4>}{, k=<-2..2>}{, dtype=<dtype>})
identity : np.F(<0..4>{, dtype=<dtype>})
tri : np.F(<0..4>{, <0..4>}{, <-2..2>}{, dtype=<dtype>})
arange ~4 : np.F(<-3..9>{, <-3..9>}{, <-2|-1|1|2|0.5>}{, dtype=<dtype ordered>})
linspace ~4 : np.F(<number real>, <number real>{, <0..6>}{, endpoint=<flag>}{, dtype=<dtype ordered>})
linspace ~4 : np.F(<a tame>, <x tame>, <0..4>{, endpoint=<flag>}{, axis=<0|-1>})
logspace ~64 : np.F(<-2..2>, <0.0..3.0>{, <0..6>}{, endpoint=<flag>}{, base=<2|2.5>})
geomspace ~64 : np.F(<1..9>, <1..1000>{, <0..6>}{, endpoint=<flag>})
array asarray asanyarray : np.F(<x tame positive>{, dtype=<dtype>}{, copy=<True|None>})
array : np.F(<x>, ndmin=<0..4>)
array : np.F(<sequence>)
ascontiguousarray asfortranarray : np.F(<a tame positive>{, dtype=<dtype>})
asarray_chkfinite require : np.F(<a>{, dtype=<dtype complex>})
copy : np.F(<x>)
astype : np.F(<a tame positive>, <dtype>{, copy=<flag>})
meshgrid : np.F(<a 1d>, <a 1d>{, sparse=<flag>}{, indexing=<'xy'|'ij'>})
indices : np.F((<0..3>, <1..2>){, dtype=<dtype int>}{, sparse=<flag>})
fromfunction : np.F(<np.add|np.multiply|np.equal>, (<1..3>, <1..3>){, dtype=<dtype ordered>})
fromiter : np.F([1, 2, <0..9>], dtype=<dtype>)
fromstring : np.F('1 2 <3..9>', sep=' '{, dtype=<dtype ordered>})
frombuffer : np.F(b'0123456789abcdef', dtype=<dtype ordered>{, offset=<0|8>})
bartlett blackman hamming hanning ~256 : np.F(<0..9>)
kaiser ~256 : np.F(<0..9>, <0.0..14.0>)
diag_indices tril_indices triu_indices : np.F(<0..4>{, <1..3>})
diag_indices_from : np.F(<a square>)
tril_indices_from triu_indices_from : np.F(<a 2d>{, <-2..2>})
mask_indices : np.F(<0..4>, np.triu{, <-1..1>})
mgrid ogrid : np.F[<-2..1>:<2..4>, 0:1:<2|3|0.5|3j>]
r_ c_ : np.F[<a 1d>, <a 1d>]
r_ : np.F[<0..2>:<3..5>{:2}, <number>]
s_ index_exp : np.zeros((3, 4))[np.F[<0..2>, ::2]]
ix_ : np.F(<[0, 2]|[1]>, <[True, False, True]|[2, 0, 1]>)
"""

INDEXING = """
take : np.F(<a 1d+>, <places>{, axis=0}{, mode=<'raise'|'wrap'|'clip'>})
take_along_axis : np.F(<a 1d+>, <along>, axis=0)
put_along_axis : np.F(<a 1d+>, <along>, <number>, axis=0)
put : np.F(<a 1d+>, <places flat>, <number>{, mode=<'raise'|'wrap'|'clip'>})
place putmask : np.F(<a 1d+>, <a bool like>, [1, <number>])
copyto : np.F(<a>, <x tame positive>{, casting='unsafe'}{, where=<mask>})
fill_diagonal : np.F(<a square>, <number>{, wrap=<flag>})
choose : np.F([0, <0..2>, 1], [<a 0d>, 1, 2]{, mode=<'raise'|'wrap'|'clip'>})
compress : np.F(<[True, False]|[False]|[1, 0, 1]>, <a 1d+>{, axis=<axis>})
extract : np.F(<a bool>, <a like>)
where : np.F(<a bool>, <x>, <x>)
where nonzero argwhere flatnonzero : np.F(<a>)
select : np.F([<a bool>, <a bool like>], [<a like>, <a like>]{, <number>})
piecewise : np.F(<a number>, [<a bool like>], [<number>{, <number>}])
ndarray.nonzero ndarray.copy ndarray.flatten ndarray.tolist ndarray.tobytes ndarray.conj ndarray.conjugate : <a>.M()
searchsorted : np.F(<a 1d ordered sorted tame>, <x ordered tame>{, side=<'left'|'right'>})
digitize : np.F(<a real>, <a 1d ordered sorted tame filled>{, right=<flag>})
unravel_index : np.F(<0..11>, (3, 4){, order=<'C'|'F'>})
ravel_multi_index : np.F((<0..2>, <0..3>), (3, 4){, mode=<'wrap'|'clip'>}{, order=<'C'|'F'>})
ndindex : np.F((<0..3>, <1..3>))
ndenumerate : np.F(<a real tame 1d>)
broadcast : np.F(<a>, <x>).shape
nditer : np.array([1.0 * x for x in np.F(<a f8 tame filled whole 1d>)])
packbits : np.F(<a bool>{, axis=<axis>}{, bitorder=<'big'|'little'>})
unpackbits : np.F(<a uint8>{, axis=<axis>}{, bitorder=<'big'|'little'>})
shares_memory may_share_memory : np.F(<a>, <a>)
isfortran : np.F(<a 2d filled>)
operator.getitem : <a 1d+>[<index>]
operator.getitem : <a 1d+>[<a bool like>]
operator.setitem : <a 1d+>[<index>] = <number>; None
operator.setitem : <a 1d+>[<index>] = <a 0d same>; None
"""

OPERATORS = """
operator.add operator.sub operator.mul operator.eq operator.ne operator.lt operator.gt operator.le operator.ge ~2 : <a> OP <x>
operator.truediv ~4 : <a> OP <x>
operator.floordiv operator.mod : <a real> OP <x real>
operator.pow ~16 : <a number> OP <x positive>
operator.and_ operator.or_ operator.xor : <a real> OP <x real>
operator.lshift operator.rshift : <a int tame> OP <x int positive tame>
operator.matmul ~16 : <a 1d+ tame> OP <a times tame>
operator.neg operator.pos operator.invert operator.abs : np.F(<a>)
operator.iadd operator.isub operator.imul ~2 : <a 1d+> OP <x>; a0
operator.itruediv ~4 : <a 1d+> OP <x>; a0
operator.ifloordiv operator.imod ~2 : <a 1d+ real> OP <x real>; a0
operator.ipow ~16 : <a 1d+ number> OP <x positive>; a0
operator.iand operator.ior operator.ixor : <a 1d+ real> OP <x real>; a0
operator.ilshift operator.irshift : <a 1d+ int tame> OP <x int positive tame>; a0
operator.imatmul ~16 : <a square tame> OP <a square tame>; a0
operator.contains : np.F(<a 1d+>, <number>)
operator.not_ : np.F(<a>)
"""
SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and_": "&",
    "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@", "eq": "==", "ne": "!=", "lt": "<",
    "gt": ">", "le": "<=", "ge": ">=", "iadd": "+=", "isub": "-=", "imul": "*=", "itruediv": "/=", "ifloordiv": "//=",
    "imod": "%=", "ipow": "**=", "iand": "&=", "ior": "|=", "ixor": "^=", "ilshift": "<<=", "irshift": ">>=",
    "imatmul": "@=",
}  # fmt: skip

METHODS = """
ndarray.sum ndarray.prod ~64 : <a>.M(<axes>{, dtype=<dtype inexact>}{, keepdims=<flag>})
ndarray.max ndarray.min ndarray.any ndarray.all : <a>.M(<axes>{, keepdims=<flag>})
ndarray.mean ~64 : <a>.M(<axes>{, keepdims=<flag>})
ndarray.std ndarray.var ~1024 : <a>.M(<axes>{, ddof=<0..2>})
ndarray.argmax ndarray.argmin ndarray.argsort : <a distinct>.M({axis=<axis>})
ndarray.cumsum ndarray.cumprod ~64 : <a>.M({axis=<axis>})
ndarray.sort : <a>.M({axis=<axis>}); a0
ndarray.partition : <a 1d real filled whole>.M(0); a0[0]
ndarray.argpartition : <a 1d real filled>[a0.M(0)][0]
ndarray.reshape : <a>.M(<reshaped>{, order=<'C'|'F'|'A'>})
ndarray.ravel ndarray.flatten : <a>.M({order=<'C'|'F'|'A'|'K'>})
ndarray.transpose : <a>.M({<permutation>})
ndarray.swapaxes : <a>.M(<axis>, <axis>)
ndarray.squeeze : <a>.M({axis=<axes>})
ndarray.repeat : <a>.M(<0..3>{, axis=<axis>})
ndarray.take : <a 1d+>.M(<places>{, axis=0}{, mode=<'wrap'|'clip'>})
ndarray.put : <a 1d+>.M(<places flat>, <number>)
ndarray.choose : <a int 1d+ tame>.M([<number>, 2, 3], mode=<'wrap'|'clip'>)
ndarray.compress : <a 1d+>.M(<[True, False]|[False]>{, axis=<axis>})
ndarray.diagonal : <a 2d+>.M({<-2..2>})
ndarray.trace ~16 : <a 2d+>.M({<-2..2>})
ndarray.searchsorted : <a 1d ordered sorted tame>.M(<x ordered tame>{, side=<'left'|'right'>})
ndarray.dot ~16 : <a tame>.M(<a times tame>)
ndarray.clip : <a>.M(<None|-1|0.5>, <1|2.5|3>)
ndarray.round ~4 : <a>.M({<-2..3>})
ndarray.astype : <a tame positive>.M(<dtype>{, copy=<flag>})
ndarray.view : <a whole 1d+>.M(<dtype>)
ndarray.byteswap : <a>.M()
ndarray.item : <a>.M({<0..2>})
ndarray.fill : <a>.M(<number>); a0
ndarray.resize : x = <a whole>.copy(); np.array(x)
ndarray.T ndarray.size ndarray.itemsize ndarray.nbytes ndarray.real ndarray.imag ndarray.mT : <a>.M
ndarray.strides : <a filled whole>.M
ndarray.flat : <a 1d+>.flat[<places flat>]
dtype.kind dtype.name dtype.char dtype.str dtype.names dtype.fields dtype.isbuiltin dtype.isnative dtype.byteorder dtype.shape dtype.ndim dtype.hasobject dtype.alignment : np.dtype(<dtype>).M
finfo.bits finfo.eps finfo.epsneg finfo.iexp finfo.machep finfo.max finfo.maxexp finfo.min finfo.minexp finfo.negep finfo.nexp finfo.nmant finfo.precision finfo.resolution finfo.smallest_normal finfo.smallest_subnormal finfo.tiny : np.finfo(<dtype inexact>).M
iinfo.bits iinfo.kind iinfo.max iinfo.min : np.iinfo(<dtype int>).M
"""

LINALG = """
dot inner ~64 : np.F(<a tame>, <a tame times>)
dot ~64 : np.F(<a real>, <a real times>)
matmul linalg.matmul ~64 : np.F(<a tame>, <a tame times>)
matmul ~64 : np.F(<a real>, <a real times>{, dtype=<dtype inexact>})
vdot outer linalg.outer ~64 : np.F(<a 1d tame>, <a 1d tame>)
vecdot linalg.vecdot ~64 : np.F(<a 1d+ tame>, <a fits tame>)
matvec ~64 : np.F(<a 2d+ tame>, <a 1d tame>)
vecmat ~64 : np.F(<a 1d tame>, <a times tame>)
tensordot linalg.tensordot ~64 : np.F(<a tame>, <a tame like>{, axes=<axes>})
cross linalg.cross ~16 : np.F(np.resize(<a>, (2, 3)), np.resize(<a>, (2, 3)))
einsum ~64 : np.F(<'ij,jk'|'ij,jk->ik'|'ij,ij->j'|'ij,kj->'|'ij,ij'>, <a square tame>, <a like tame>)
einsum ~64 : np.F(<'i'|'i->'|'ij->ji'|'ii'|'ii->i'|'...'|'ij->i'>, <a>)
linalg.diagonal linalg.trace ~16 : np.F(<a 2d+>{, offset=<-2..2>})
linalg.matrix_transpose : np.F(<a>)
linalg.norm ~256 : np.F(<a>{, ord=<None|1|2|-1|-2|0|3|float('inf')|-float('inf')|'fro'|'nuc'>}{, axis=<axes>}{, keepdims=<flag>})
linalg.vector_norm ~256 : np.F(<a number>{, axis=<axes>}{, keepdims=<flag>}{, ord=<0|1|2|3|float('inf')>})
linalg.matrix_norm ~256 : np.F(<a wide tame 2d+>{, keepdims=<flag>}{, ord=<'fro'|1|2|-1|float('inf')|'nuc'>})
linalg.det ~1024 : np.F(<a square stack tame>)
linalg.slogdet ~1024 : np.F(<a square stack tame wide> + 9 * np.eye(a0.shape[-1]))
linalg.inv linalg.pinv ~65536 : np.F(<a square stack tame> + 9 * np.eye(a0.shape[-1]))
linalg.solve ~65536 : np.F(<a square tame> + 9 * np.eye(a0.shape[-1]), np.ones(a0.shape[-1]))
linalg.lstsq ~65536 : np.F(<a square tame> + 9 * np.eye(a0.shape[-1]), np.ones(a0.shape[-1]), rcond=None)
linalg.cholesky ~65536 : np.F(<a square tame f8> @ a0.T + 3 * np.eye(a0.shape[-1]){, upper=<flag>})
linalg.eigvalsh linalg.eigvals ~65536 : np.F(<a square tame f8> + a0.T)
linalg.eigh ~65536 : np.F(<a square tame f8> + a0.T{, UPLO=<'L'|'U'>})[0]
linalg.eig ~65536 : np.F(np.diag(<a 1d distinct f8 filled>))
linalg.svdvals ~65536 : np.F(<a 2d tame solid filled>)
linalg.svd ~65536 : np.F(<a 2d tame filled>, compute_uv=False)
linalg.svd ~65536 : np.F(<a 2d tame filled>{, full_matrices=<flag>})[1]
linalg.qr ~65536 : np.F(<a square tame> + 9 * np.eye(a0.shape[-1]){, mode=<'reduced'|'complete'|'r'>})
linalg.cond ~65536 : np.F(<a square tame> + 9 * np.eye(a0.shape[-1]){, <None|1|2|'fro'|float('inf')>})
linalg.matrix_rank : np.F(<a tame 2d filled>)
linalg.matrix_power ~1024 : np.F(<a square stack tame>, <0..4>)
linalg.multi_dot ~256 : np.F([<a square tame>, <a like tame>, <a like tame>])
linalg.tensorinv ~65536 : np.F(np.eye(4).reshape(2, 2, 2, 2) + 0 * <a 0d tame>)
linalg.tensorsolve ~65536 : np.F(3 * np.eye(4).reshape(2, 2, 2, 2), np.ones((2, 2)) * <a 0d tame>)
fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft ~64 : np.F(<a 1d+ tame>{, n=<1..6>}{, axis=<axis>}{, norm=<'ortho'|'forward'|'backward'>})
fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2 ~64 : np.F(<a 2d+ tame>{, s=(<1..4>, <1..4>)}{, norm=<'ortho'|'forward'>})
fft.fftn fft.ifftn fft.rfftn fft.irfftn ~64 : np.F(<a 1d+ tame>{, norm=<'ortho'|'forward'>})
fft.fftfreq fft.rfftfreq ~4 : np.F(<1..9>{, d=<0.5|2>})
fft.fftshift fft.ifftshift : np.F(<a 1d+>{, axes=<axes>})
"""

STATISTICS = """
sort : np.F(<a>{, axis=<None|0|-1>}{, kind='stable'})
argsort : np.F(<a>{, axis=<None|0|-1>}, kind='stable')
lexsort : np.F(<sequence tame>{, axis=<axis>})
partition : np.F(<a 1d real filled>, 0)[0]
argpartition : <a 1d real filled>[np.F(a0, 0)][0]
sort_complex : np.F(<a 1d>)
unique : np.F(<a>{, return_index=<flag>}{, return_inverse=<flag>}{, return_counts=<flag>}{, equal_nan=<flag>})
unique : np.F(<a 1d+ tame>, axis=<axis>)
unique_values : np.sort(np.F(<a>))
unique_counts unique_inverse unique_all : np.F(<a tame>)
union1d setxor1d setdiff1d intersect1d : np.F(<a tame>, <a tame>)
isin : np.F(<a>, <a>{, invert=<flag>}{, assume_unique=False})
bincount : np.F(<a 1d int positive tame>{, minlength=<0..8>})
bincount ~16 : np.F(<a 1d int positive tame>, weights=<a real like tame>)
histogram ~16 : np.F(<a real tame>{, bins=<1..5>}{, range=(<-3..0>, <1..4>)}{, density=<flag>})
histogram_bin_edges ~16 : np.F(<a real tame>{, bins=<1..5>}{, range=(<-3..0>, <1..4>)})
histogram2d ~16 : np.F(<a 1d real tame filled>, <a 1d real tame like>{, bins=<1..4>})
histogramdd ~16 : np.F(<a 2d f8 tame filled>, bins=<1..3>)
cov ~1024 : np.F(<a tame 2d>{, rowvar=<flag>}{, bias=<flag>}{, ddof=<0..1>})
corrcoef ~1024 : np.F(<a tame 2d filled>{, rowvar=<flag>})
correlate convolve ~64 : np.F(<a 1d tame filled>, <a 1d tame filled>, <'full'|'same'|'valid'>)
interp ~64 : np.F(<x real tame>, [0.0, 1.0, 2.5], [<number real>, <number>, 3.0]{, left=<number real>}{, right=<number real>}{, period=<2.0..5.0>})
diff ~2 : np.F(<a>{, n=<0..3>}{, axis=<axis>}{, prepend=<number>}{, append=<number>})
ediff1d ~2 : np.F(<a>{, to_end=<number int>}{, to_begin=<number int>})
gradient ~16 : np.F(<a 1d+>{, <0.5|2>}{, axis=<axis>}{, edge_order=<1..2>})
trapezoid ~64 : np.F(<a 1d+>{, dx=<0.5|2>}{, axis=<axis>})
apply_along_axis ~64 : np.F(<np.sum|np.sort|np.cumsum|np.max>, <axis>, <a 1d+ filled>)
apply_over_axes ~64 : np.F(np.sum, <a 2d+>, [<axis>])
poly ~256 : np.F(<a 1d tame f8>)
polyval ~256 : np.F(<a 1d tame>, <x tame>)
polyadd polysub polymul ~64 : np.F(<a 1d tame filled>, <a 1d tame filled>)
polyder polyint ~64 : np.F(<a 1d tame filled>{, <0..2>})
polydiv ~65536 : np.F(<a 1d tame filled f8 nonzero>, <a 1d filled f8 tame nonzero>)
polyfit ~1048576 : np.F([0.0, 1.0, 2.0, 4.0], np.resize(<a tame filled f8>, 4), <0..2>)
roots ~1048576 : np.sort(np.F([1.0, <2..4>, <-9..-1>]))
poly1d.deriv poly1d.integ ~64 : np.poly1d(<a 1d tame filled>).M(<1..2>).coef
poly1d.c poly1d.coef poly1d.coefficients poly1d.coeffs poly1d.order poly1d.o poly1d.variable : np.poly1d(<a 1d tame filled>).M
poly1d.r poly1d.roots ~1048576 : np.sort(np.poly1d([1.0, <2..4>, <-9..-1>]).M)
polynomial.polynomial.polyval ~256 : np.F(<x tame>, <a 1d tame filled>)
polynomial.polynomial.polyadd polynomial.polynomial.polysub polynomial.polynomial.polymul ~64 : np.F(<a 1d tame filled>, <a 1d tame filled>)
polynomial.polynomial.polyder polynomial.polynomial.polyint ~64 : np.F(<a 1d tame filled>{, <0..2>})
polynomial.polynomial.polymulx polynomial.polynomial.polytrim ~4 : np.F(<a 1d tame filled>)
polynomial.polyutils.trimcoef polynomial.polyutils.trimseq ~4 : np.F(<a 1d tame filled>)
polynomial.polyutils.getdomain ~4 : np.F(<a 1d tame filled>)
polynomial.polyutils.as_series ~4 : np.F([<a 1d tame filled>])
polynomial.polyutils.mapdomain ~64 : np.F(<x tame>, [-1, 2], [0.5, 4])
polynomial.polyutils.mapparms ~4 : np.F([-1, 2], [0.5, 4])
polynomial.polynomial.polypow ~64 : np.F(<a 1d tame filled>, <0..3>)
polynomial.polynomial.polyvander ~64 : np.F(<a 1d tame>, <0..3>)
polynomial.polynomial.polyval2d polynomial.polynomial.polygrid2d ~256 : np.F(<a 1d tame filled>, <a 1d tame filled>, np.ones((2, 3)))
polynomial.polynomial.polyval3d polynomial.polynomial.polygrid3d ~1024 : np.F(<a 1d tame>, <a 1d tame>, 0.5, np.ones((2, 2, 2)))
polynomial.polynomial.polyvalfromroots ~256 : np.F(<a tame>, <a 1d tame filled>{, <flag>})
polynomial.polynomial.polyvander2d ~64 : np.F(<a 1d tame>, <a 1d tame>, <[1, 2]|(2, 0)|[1]>)
polynomial.polynomial.polyvander3d ~64 : np.F(<a 1d tame>, <a 1d tame>, 2.0, <[1, 2, 1]|(0, 1, 0)>)
polynomial.polynomial.polycompanion ~64 : np.F(<a 1d tame filled f8>)
polynomial.polynomial.polyline : np.F(<number>, <number>)
polynomial.polynomial.polyfromroots ~256 : np.F(<a 1d tame f8>)
polynomial.polynomial.polydiv ~65536 : np.F(<a 1d tame filled f8 nonzero>, <a 1d filled f8 tame nonzero>)
polynomial.polynomial.polyroots ~1048576 : np.F([<-9..-1>, <2..4>, 1.0])
polynomial.polynomial.polyfit ~1048576 : np.F([0.0, 1.0, 2.0, 4.0], np.resize(<a tame filled f8>, 4), <0..2>)
polynomial.Polynomial.deriv polynomial.Polynomial.integ ~64 : np.polynomial.Polynomial(<a 1d tame filled>).M(<1..2>).coef
polynomial.Polynomial.degree : np.polynomial.Polynomial(<a 1d tame filled>).M()
polynomial.Polynomial.roots ~1048576 : np.polynomial.Polynomial([<-9..-1>, <2..4>, 1.0]).M()
polynomial.Polynomial.trim polynomial.Polynomial.copy : np.polynomial.Polynomial(<a 1d tame filled>).M().coef
polynomial.Polynomial.cutdeg : np.polynomial.Polynomial(<a 1d tame filled>).M(<0..3>).coef
polynomial.Polynomial.convert polynomial.Polynomial.linspace polynomial.Polynomial.mapparms ~64 : np.polynomial.Polynomial(<a 1d tame filled>, [0, <1..4>]).linspace(3)
can_cast : np.F(<dtype>, <dtype>{, <'no'|'equiv'|'safe'|'same_kind'|'unsafe'>})
promote_types : np.F(<dtype>, <dtype>)
result_type : np.F(<a>, <a>)
result_type : np.F(<a 1d+>, <number>)
min_scalar_type : np.F(<number>)
common_type : np.F(<a number>, <a number>)
issubdtype : np.F(<dtype>, <np.floating|np.integer|np.number|np.complexfloating|np.signedinteger|np.unsignedinteger|np.inexact|np.generic>)
isdtype : np.F(np.dtype(<dtype>), <'bool'|'integral'|'real floating'|'numeric'|'signed integer'>)
isscalar iterable : np.F(<x 1d+>)
binary_repr : np.F(<-9..9>{, width=<0..8>})
base_repr : np.F(<-9..99>{, <1..37>}{, padding=<0..3>})
format_float_positional format_float_scientific : np.F(<number real>{, precision=<0..6>}{, trim=<'k'|'.'|'0'|'-'>}{, sign=<flag>}{, pad_left=<0..9>})
array2string array_repr array_str : np.F(<a tame>{, precision=<2..6>})
testing.assert_allclose testing.assert_array_equal testing.assert_equal testing.assert_array_less testing.assert_almost_equal testing.assert_array_almost_equal : np.F(<x>, <x>)
testing.assert_approx_equal : np.F(<1.0..2.0>, <1.0|1.5>, significant=<1..3>)
testing.assert_array_almost_equal_nulp testing.assert_array_max_ulp : np.F(<a solid tame>, <a same tame like>)
"""

RANDOM = f"""
beta : <R>.M(<0.1..3.0>, <0.1..3.0>, {SIZED})
binomial negative_binomial : <R>.M(<1..40>, <0.05..0.95>, {SIZED})
chisquare standard_t power pareto weibull standard_gamma : <R>.M(<0.2..9.0>, {SIZED})
exponential rayleigh standard_exponential : <R>.standard_exponential({SIZED})
exponential rayleigh : <R>.M(<0.1..3.0>, {SIZED})
poisson : <R>.M(<0.0..30.0>, {SIZED})
geometric : <R>.M(<0.05..0.95>, {SIZED})
logseries : <R>.M(<0.05..0.95>, {SIZED})
zipf : <R>.M(<1.5..4.0>, {SIZED})
gamma f wald : <R>.M(<0.5..5.0>, <0.5..5.0>, {SIZED})
gumbel laplace logistic normal vonmises lognormal : <R>.M(<0.1..2.0>, <0.1..2.0>, {SIZED})
uniform : <R>.M(<-2..0>, <1..3>, {SIZED})
triangular : <R>.M(0, <0..3>, 3, {SIZED})
hypergeometric : <R>.M(<1..20>, <1..20>, <1..10>, {SIZED})
noncentral_chisquare : <R>.M(<0.5..5.0>, <0.0..3.0>, {SIZED})
noncentral_f : <R>.M(<0.5..5.0>, <0.5..5.0>, <0.1..3.0>, {SIZED})
multinomial : <R>.M(<0..20>, [0.25, 0.25, 0.5], {SIZED})
dirichlet : <R>.M([<0.5..3.0>, 1.0, 2.0], {SIZED})
multivariate_normal : <R>.M([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]], {SIZED})
standard_cauchy standard_normal random : <R>.M({SIZED})
choice : <R>.M(<1..20>, {SIZED})
permutation : <R>.M(<0..9>)
permutation : <R>.M(<a filled 1d+>)
bytes : <R>.M(<0..9>)
"""
GENERATOR = f"""
integers : np.random.default_rng(<seed>).M(<-3..0>, <1..300>, {SIZED}{{, dtype=np.int16}}{{, endpoint=<flag>}})
permuted : np.random.default_rng(<seed>).M(<a filled 1d+>{{, axis=<axis>}})
multivariate_hypergeometric : np.random.default_rng(<seed>).M([3, <0..5>, 4], <0..3>, {SIZED})
shuffle : np.random.default_rng(<seed>).M(<a filled 1d+ whole>)
"""
LEGACY = f"""
rand randn : np.random.RandomState(<seed>).M(<1..3>, 2)
randint : np.random.RandomState(<seed>).M(<-3..0>, <1..300>, {SIZED}{{, dtype=np.int16}})
random_sample : np.random.RandomState(<seed>).M({SIZED})
shuffle : np.random.RandomState(<seed>).M(<a filled 1d+ whole>)
"""


def lines(text: str) -> list[tuple[list[str], str, float]]:
    """Names, template and slack of every line."""
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        head, _, template = line.partition(" : ")
        head, _, slack = head.partition("~")
        found.append((head.split(), template, float(slack or 0)))
    return found


def rows() -> list[Row]:
    """The whole table, a row for each name and template."""
    found = []
    for text in (ELEMENTWISE, REDUCTIONS, SHAPES, CREATION, INDEXING, OPERATORS, METHODS, LINALG, STATISTICS, *SERIES):
        for names, template, slack in lines(text):
            for name in names:
                last = name.rpartition(".")[2]
                source = template.replace("OP", SYMBOLS.get(last, "OP"))
                called = f"np.{name}" if not name.startswith("operator.") else name
                found.append(Row(name, source.replace("np.F", called).replace(".M", f".{last}"), slack))
    owners = {"random.Generator": "np.random.default_rng(<seed>)", "random.RandomState": "np.random.RandomState(<seed>)"}
    for owner, stream in owners.items():
        for names, template, _ in lines(RANDOM + (GENERATOR if owner == "random.Generator" else LEGACY)):
            for name in names:
                source = template.replace("<R>", stream).replace(".M", f".{name}")
                found.append(Row(f"{owner}.{name}", source, 64))
    for names, template, _ in lines(RANDOM + LEGACY.replace("np.random.RandomState(<seed>)", "<R>")):
        for name in names:
            source = template.replace("<R>", "np.random").replace(".M", f".{name}")
            found.append(Row(f"random.{name}", "np.random.seed(<seed>); " + source, 64))
    return found
