"""Handlers by kind of syntax: names, calls, operators, subscripts, assignments, builtins, boundaries.

Importing them registers them. The order of the imports says nothing: each handler states its phase.
"""

from np2torch.rules.scalars import ownership as ownership
from np2torch.rules.scalars import representation as representation
from np2torch.rules.syntax import annotated_values as annotated_values
from np2torch.rules.syntax import annotations as annotations
from np2torch.rules.syntax import assertions as assertions
from np2torch.rules.syntax import assignments as assignments
from np2torch.rules.syntax import augmented_assignment as augmented_assignment
from np2torch.rules.syntax import buffers as buffers
from np2torch.rules.syntax import builtins as builtins
from np2torch.rules.syntax import by_elements as by_elements
from np2torch.rules.syntax import certain_errors as certain_errors
from np2torch.rules.syntax import classes as classes
from np2torch.rules.syntax import dtypes as dtypes
from np2torch.rules.syntax import exceptions as exceptions
from np2torch.rules.syntax import foreign as foreign
from np2torch.rules.syntax import hashing as hashing
from np2torch.rules.syntax import hypothesis_strategies as hypothesis_strategies
from np2torch.rules.syntax import index_tricks as index_tricks
from np2torch.rules.syntax import kind_tests as kind_tests
from np2torch.rules.syntax import library_objects as library_objects
from np2torch.rules.syntax import names as names
from np2torch.rules.syntax import numpy_calls as numpy_calls
from np2torch.rules.syntax import operators as operators
from np2torch.rules.syntax import printing as printing
from np2torch.rules.syntax import public as public
from np2torch.rules.syntax import random_policy as random_policy
from np2torch.rules.syntax import scalar_targets as scalar_targets
from np2torch.rules.syntax import scalars as scalars
from np2torch.rules.syntax import sequences as sequences
from np2torch.rules.syntax import standard as standard
from np2torch.rules.syntax import stores as stores
from np2torch.rules.syntax import subclasses as subclasses
from np2torch.rules.syntax import subscripts as subscripts
from np2torch.rules.syntax import third_party as third_party
from np2torch.rules.syntax import unary_operators as unary_operators
