"""Files: which ones, how they are read, what can be known of them without parsing, how they are written back."""
