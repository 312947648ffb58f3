"""Where in the user's text a failure comes from, found out from the compiler rather than from what it says."""
