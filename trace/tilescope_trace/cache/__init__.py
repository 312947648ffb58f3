"""Results of analyses, kept by what they depend on."""
