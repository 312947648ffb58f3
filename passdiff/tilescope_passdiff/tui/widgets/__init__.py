"""The panes and bars of the browser; each shows what it is given and posts messages."""
