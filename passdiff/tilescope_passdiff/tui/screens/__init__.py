"""The screens: the browser and its help."""
