"""Clock stamps in generated CUDA: where they go (``statements``, ``sites``), how (``rewrite``), what comes back."""
