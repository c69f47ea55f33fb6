"""Reports on a conversion: counts, diffs, findings. Nothing here reads a tree or decides anything."""
