"""The stages of a conversion: Parsed, Analysed, Planned, Converted. Each is frozen, and made of the one before."""
