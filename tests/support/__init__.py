"""What tests share: paths, conversions of texts, facts of expressions, both sides run and compared."""
