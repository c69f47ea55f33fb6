"""What is said about a conversion: counts, diffs, findings. Nothing here looks at a tree or decides anything."""
