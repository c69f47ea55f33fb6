"""Arrays as buffers, which tensors are not: what the standard library reads the bytes of, or writes into."""

from __future__ import annotations

import ast
import re

from np2torch.facts import values as v
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.handlers import Phase, on
from np2torch.rules.scalars.reads import library_name
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.foreign import holds_tensor
from np2torch.rules.syntax.runtime_dispatch import shim_invoke

DIGESTS = r"hashlib\.(?:new|md5|sha\w+|blake2[bs])"
FUNCTIONS = re.compile(
    rf"{DIGESTS}|(?:zlib|gzip|bz2|lzma)\.(?:de)?compress|(?:zlib|binascii)\.(?:crc32|adler32|crc_hqx)|hmac\.(?:new|digest)"
    r"|(?:base64|binascii)\.\w+|int\.from_bytes|io\.BytesIO|struct\.(?:unpack|unpack_from|iter_unpack|pack_into)"
    r"|os\.(?:write|readv|writev|pwrite)|pickle\.loads|marshal\.loads|socket\.socket\(\)\.send"
)
"""Functions of the standard library that take buffers, by their dotted names."""
METHODS = frozenset(
    "write writelines readinto readinto1 sendall sendto recv_into recvfrom_into frombytes unpack_from "
    "iter_unpack pack_into from_bytes".split()
)
"""Methods of files, sockets, arrays and structs that take them, by names that nothing else has: generators `send`."""
OF_DIGESTS = re.compile(rf"(?:{DIGESTS}|hmac\.new)\(\)")


@on(Phase.PYTHON, ast.Call)
def buffer_taken(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`file.write(x)`, `hashlib.sha256(x)`, `b"".join([x, y])`: the bytes of the ndarray over the same memory."""
    if not ctx.converted_already() and _takes_buffers(ctx, node):
        for argument in (*node.args, *(one.value for one in node.keywords)):
            fact = ctx.fact(argument)
            if v.only(fact, "array"):
                ctx.wrap(argument, "", ".numpy()", "boundary", "NPT401", "a tensor has no buffer, its ndarray has")
            elif v.known_to_include(fact, "array", "scalar") or holds_tensor(fact) or _may_be_memory(ctx, argument):
                ctx.wrap(argument, "shim.to_numpy(", ")", "boundary", "NPT401", "a tensor has no buffer")
    elif not ctx.converted_already() and _may_take_buffers(ctx, node):
        return shim_invoke(node, node.func.attr, f".{node.func.attr}()")  # type: ignore[attr-defined]
    return None


def _may_be_memory(ctx: ModuleContext, node: ast.expr) -> bool:
    """Tell `x.data` of what may be an array: its memory, which of a tensor is a tensor."""
    return isinstance(node, ast.Attribute) and node.attr == "data" and ctx.is_open(node)


def _may_take_buffers(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether an array is written to what may be a file as well as an object of the project."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in METHODS:
        return False
    given = [ctx.fact(one) for one in node.args]
    may_be_file = ctx.is_open(function.value) or v.known_to_include(ctx.fact(function.value), "opaque")
    return may_be_file and any(v.only(fact, "array", "scalar") and v.is_tensor(fact) for fact in given)


def _takes_buffers(ctx: ModuleContext, node: ast.Call) -> bool:
    """Tell whether it calls a standard library function that takes buffers, or a method known only from these."""
    if FUNCTIONS.fullmatch(library_name(ctx.fact(node.func))):
        return True
    if not isinstance(node.func, ast.Attribute) or node in ctx.engine.callees:
        return False
    owner, name = ctx.fact(node.func.value), node.func.attr
    if feeds_digest(owner, name):
        return True
    if name == "join":
        return isinstance(node.func.value, ast.Constant) and isinstance(node.func.value.value, bytes)
    may_be = not v.known_to_include(owner, "function", "array")
    return name in METHODS and may_be and not _is_ours(ctx, name)


def feeds_digest(owner: v.Fact, name: str) -> bool:
    """Tell whether it is the method `update` of a digest."""
    origins = [getattr(atom, "origin", "") for atom in owner]
    return name == "update" and bool(origins) and all(OF_DIGESTS.fullmatch(one) for one in origins)


def _is_ours(ctx: ModuleContext, name: str) -> bool:
    """Tell whether a class of the project has a method of this name, or stores something in such an attribute."""
    return name in ctx.engine.once(_bound_by_classes)


def _bound_by_classes(engine: Interpreter) -> frozenset[str]:
    parts = [part for one in engine.classes.values() for part in tree_walk(one.node)]
    methods = {part.name for part in parts if isinstance(part, ast.FunctionDef)}
    stored = {part.attr for part in parts if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)}
    return frozenset(methods | stored)
