"""What editors ask for: diagnostics, what is known of an expression, conversions."""
