"""np2torch: turn NumPy source into PyTorch source that people would merge."""

__version__ = "0.1.0"

# Installed, the shim lies in `bundled`; where np2torch-shim is there too, `shim` beside this file is its.
__path__ = [*__path__, f"{__path__[0]}/bundled"]
