"""Text output of facts and findings."""
