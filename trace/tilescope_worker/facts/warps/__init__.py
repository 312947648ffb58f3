"""Memory instructions as warps issue them: bank conflicts of shared memory, sectors of global memory."""
