"""Representation of NumPy scalars in torch: 0-D tensors, unless it is proved that nobody can tell.

An element of an array is a number in NumPy: a copy. In torch it is a 0-D view of the array's memory. An expression
that reads one (`reads`) is left as a view only where its value is consumed at once (`destinations`), or where it is
bound to local names that are only consumed while nothing can write the array (`lifetimes`). Everywhere else, where it
is kept, it gets memory of its own (`ownership`).
"""
