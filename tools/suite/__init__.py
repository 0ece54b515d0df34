"""What tools/nki_suite is made of: layouts of checkouts, a pool of processes, results."""
