"""Facts about expressions: values, dtypes and ranks, and the tables they are looked up in."""
