"""Answers to editors: diagnostics, what is known of an expression, conversions."""
