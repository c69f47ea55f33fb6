"""Handlers by kind of syntax: calls, names, operators, subscripts, statements, builtins, boundaries."""

from np2torch.rules.syntax import annotations as annotations
from np2torch.rules.syntax import builtins as builtins
from np2torch.rules.syntax import calls as calls
from np2torch.rules.syntax import foreign as foreign
from np2torch.rules.syntax import names as names
from np2torch.rules.syntax import operators as operators
from np2torch.rules.syntax import statements as statements
from np2torch.rules.syntax import subscripts as subscripts
