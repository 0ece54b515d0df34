"""Does the table of what operations become say what the compiler does?"""

from __future__ import annotations

import pytest
import trainyard
from trainyard import _core, graph

TABLE = _core.compiler_legality()
TYPES = list(TABLE["add"])
UNARY = [
    "abs",
    "cbrt",
    "ceil",
    "cosine",
    "count_leading_zeros",
    "exponential",
    "exponential_minus_one",
    "floor",
    "is_finite",
    "log",
    "log_plus_one",
    "logistic",
    "negate",
    "not",
    "popcnt",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "sign",
    "sine",
    "sqrt",
    "tan",
    "tanh",
]
BINARY = [
    "add",
    "and",
    "atan2",
    "divide",
    "maximum",
    "minimum",
    "multiply",
    "or",
    "power",
    "remainder",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "subtract",
    "xor",
]


def program(operation: str, element: str) -> bytes:
    """One operation on arguments of [8, 16]."""
    of = f"tensor<8x16x{element}>"
    result = "tensor<8x16xi1>" if operation == "is_finite" else of
    operands = ["%x"] if operation in UNARY else ["%x", "%y"]
    types = ", ".join(of for _ in operands)
    return f"""module @one {{
  func.func @main(%x: {of}, %y: {of}) -> {result} {{
    %0 = "stablehlo.{operation}"({", ".join(operands)}) : ({types}) -> {result}
    return %0 : {result}
  }}
}}""".encode()


@pytest.fixture(scope="module")
def machine():
    return _core.load_machine("trn3")


@pytest.mark.parametrize("operation", [*UNARY, *BINARY])
def test_elementwise_operations_become_what_the_table_says(operation, machine):
    compiled = 0
    for element in TYPES:
        try:
            module = graph.read(program(operation, element))
        except trainyard.InputError as error:
            assert error.violations[0].label == "graph.verify"  # not defined on such elements
            continue
        made = _core.compile_model(module, machine, "author")
        becomes = "routine" if made.routines else "instructions"
        assert becomes == TABLE[operation][element], element
        compiled += 1
    assert compiled >= 5


def test_what_is_refused_is_what_the_evaluator_does_not_know():
    refused = {name for name, types in TABLE.items() if "refused" in types.values()}
    assert refused == {
        "async_done",
        "async_start",
        "infeed",
        "outfeed",
        "recv",
        "send",
        "unary_einsum",
        "uniform_dequantize",
        "uniform_quantize",
    }


def test_every_operation_has_an_answer_for_every_element():
    answers = {"instructions", "instructions or routine", "routine", "control", "refused"}
    assert len(TABLE) > 110
    for types in TABLE.values():
        assert list(types) == TYPES
        assert set(types.values()) <= answers
