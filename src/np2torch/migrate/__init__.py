"""`np2torch migrate`: convert a project so far that every test that passed still passes."""
