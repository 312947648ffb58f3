"""The shared vocabulary of host and worker: facts, messages and their JSON form."""
