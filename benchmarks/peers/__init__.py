"""tilescope and its peers on the same kernels: what each finds, in what time, with how much output.

    make peers      # installs the peers in .compat/peers, runs them, writes docs/peers.md

A tool is driven as its users do: language servers over stdio by a client, the others by their command line or, where
they watch a program, by a program that compiles a kernel (``programs/``).
"""
