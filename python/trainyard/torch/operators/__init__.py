"""How each operator is written as StableHLO: a function of the writer, of what the operator gives
(`out`, a tensor without values or several), and of the operator's arguments. `table` names them.
"""
