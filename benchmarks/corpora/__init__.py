"""What benchmarks/corpus.py runs over, and how it counts."""
