"""What an editor's panels ask for: kernels chosen, recordings read, answers as public JSON, without the protocol."""
