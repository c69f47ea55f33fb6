"""The package around the code: torch goes into its requirements, NumPy out where nothing needs it any more."""
