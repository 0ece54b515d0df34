"""The few names of AWS's compiler package that newer suites still import; no kernel language."""
