"""What a kernel file says by itself: kernels, arguments, targets and static facts, without executing anything."""
