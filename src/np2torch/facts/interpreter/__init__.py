"""The abstract interpreter: runs the project on facts instead of values."""

from np2torch.facts.interpreter.fixpoint import Interpreter as Interpreter
