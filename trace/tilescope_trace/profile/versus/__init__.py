"""Two profiles of one kernel: line by line, lane by lane, stamp by stamp."""
