"""What the analyser knows, held against what NumPy does: a recorder for whole programs, and the scores."""
