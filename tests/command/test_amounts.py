"""Are large numbers read as people write them?"""

import argparse

import pytest
from trainyard.commands.amounts import amount


@pytest.mark.parametrize(
    ("text", "value"), [("15e12", 15e12), ("15T", 15e12), ("4M", 4e6), ("1.5b", 1.5e9), ("7", 7)]
)
def test_numbers_with_and_without_a_letter(text, value):
    assert amount(text) == value


@pytest.mark.parametrize("text", ["", "T", "1X", "1TT", "ten"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="write 15e12 or 15T"):
        amount(text)
