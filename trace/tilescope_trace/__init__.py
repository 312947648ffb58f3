"""From a kernel file to facts, findings and recordings; never imports tilelang."""
