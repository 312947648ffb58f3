"""Specializations of kernels as they were seen when a program ran: the file that keeps them, and who reads it."""
