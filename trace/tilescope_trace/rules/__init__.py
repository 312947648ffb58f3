"""Rules: one kind of fault each, with code, severity, wording and documentation."""
