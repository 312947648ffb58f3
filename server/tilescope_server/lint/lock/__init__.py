"""Golden facts: what the compiler made of each kernel, kept to see when it makes something else."""
