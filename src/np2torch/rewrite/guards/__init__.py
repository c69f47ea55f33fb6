"""Guards: a line at the entry of an open function, after which its body is plain torch for all that it accepts."""
