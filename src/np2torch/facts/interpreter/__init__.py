"""The abstract interpreter: runs the project on facts instead of values."""

from np2torch.facts.interpreter.engine import Engine as Engine
