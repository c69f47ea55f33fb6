"""np2torch: turn NumPy source into PyTorch source that people would merge."""

__version__ = "0.1.0"
