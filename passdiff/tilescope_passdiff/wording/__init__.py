"""Facts in a few words, without colour or markup: for terminals, reports and panels alike."""
