"""The place of the dtypes of AWS's compiler."""
