"""What a launch is bound by, what it achieves of the device's peak, and what the lowering has to do with it."""
