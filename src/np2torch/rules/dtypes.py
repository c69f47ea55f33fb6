"""Questions about dtypes, memory and text: what the shim gives back."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.results import always
from np2torch.rules.core import declare

declare("dtypes", {
    "issubdtype(arg1, arg2)": always(v.BOOL),
    "isscalar(element)": always(v.BOOL),
    "iterable(y)": always(v.BOOL),
    "can_cast(from_, to)": always(v.BOOL),
    "result_type(*arrays)": always(v.one(v.DType())),
    "promote_types(a, b)": always(v.one(v.DType())),
})  # fmt: skip
declare("copies", {"may_share_memory(a, b)": always(v.BOOL), "shares_memory(a, b)": always(v.BOOL)})
declare("testing", {
    "array2string(a)": always(v.TEXT), "array_repr(a)": always(v.TEXT), "array_str(a)": always(v.TEXT),
})  # fmt: skip
