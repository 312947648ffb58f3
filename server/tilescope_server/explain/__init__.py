"""What hovers tell beside the facts of a place: pictures, conflicts, ranges, calls, what became of a buffer."""
