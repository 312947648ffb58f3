"""From a recording to a reader's eyes: diffs, the terminal browser, reports."""
