"""Is what no option can mean refused by the option's name, whatever the run needs it for?"""

import argparse

import pytest
from trainyard.__main__ import make_parser
from trainyard.commands import given
from trainyard.usage import UsageError

SERVE = ("plan", "serve", "llama3-8b", "--on", "trn3-gen2", "--tp", "1", "--requests", "20")
RUN = (*SERVE, "--at", "5")
FIT = ("fit", "llama3-8b", "--on", "trn3-gen2")
COST = ("cost", "llama3-8b", "--on", "trn3-gen2")
TRAIN = ("plan", "train", "llama3-8b", "--on", "trn1", "--chips", "32", "--tokens", "1e9")

RECOMMEND = ("recommend", "llama3-8b", "--on", "trn1", "--users", "9")


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        *(((*RUN, "--isl", value), "--isl") for value in ("0", "-1", "nan", "inf", "1e30")),
        *(((*RUN, "--osl", value), "--osl") for value in ("0", "nan", "inf")),
        *(((*RUN, "--range", value), "--range") for value in ("-1", "nan", "2")),
        *(((*RUN, "--share", value), "--share") for value in ("0", "-1", "nan", "1.5")),
        ((*RUN, "--routing", "bogus"), "--routing"),
        ((*RUN, "--replicas", "0"), "--replicas"),
        ((*RUN, "--cold-start", "-1"), "--cold-start"),
        ((*RUN, "--ep", "perhaps"), "--ep"),
        ((*RUN, "--rate", "5"), "--rate"),
        ((*RUN, "--explain-request", "9" * 20), "--explain-request"),
        ((*RUN, "--trace", ""), "--trace"),
        ((*RUN, "--weights", ""), "--weights"),
        ((*RUN, "--fault", ""), "--fault"),
        ((*RUN, "--price=--"), "--price"),
        ((*RUN, "--weights", "fp9"), "--weights"),
        ((*RUN, "--price", "gift"), "--price"),
        ((*RUN, "--slo", "soon"), "--slo"),
        ((*RUN, "--set", "reach.link"), "--set"),
        ((*SERVE, "--rate", "0"), "--rate"),
        (("serve", ""), "model"),
        (("serve", "random-1x64", "--seed", "-1"), "--seed"),
        (("serve", "random-1x64", "--embeddings", "bogus"), "--embeddings"),
        (("serve", "random-1x64", "--fault", "soon"), "--fault"),
        ((*FIT, "--input", "0"), "--input"),
        ((*FIT, "--input", "1e30"), "--input"),
        ((*FIT, "--cache", "int3"), "--cache"),
        ((*FIT, "--chips", "-1"), "--chips"),
        (("fit", "llama3-8b", "--on", "abacus"), "--on"),
        ((*COST, "--training-format", "fp7"), "--training-format"),
        ((*COST, "--recompute", "some"), "--recompute"),
        ((*TRAIN, "--global-batch", "0"), "--global-batch"),
        ((*TRAIN, "--idle", "2"), "--idle"),
        ((*TRAIN, "--power-cap", "nan"), "--power-cap"),
        ((*RECOMMEND, "--power-cap", "nan"), "--power-cap"),
        ((*RECOMMEND, "--power-cap", "-1"), "--power-cap"),
        (("recommend", "llama3-8b", "--on", "trn1", "--rate", "0"), "--rate"),
    ],
)
def test_an_impossible_value_is_refused_by_the_name_of_its_option(trainyard, arguments, option):
    done = trainyard(*arguments)
    assert done.code in (2, 3), done.err
    assert option in done.err
    assert "Traceback" not in done.err


def test_a_name_that_is_too_long_is_not_called_unwritable(trainyard):
    done = trainyard("fit", "x" * 5000, "--on", "trn3-gen2")
    assert done.code == 2
    assert "too long for a file" in done.err


def parsed(*arguments: str) -> argparse.Namespace:
    return make_parser().parse_args([str(one) for one in arguments])


@pytest.mark.parametrize(
    ("text", "arguments", "wanted"),
    [
        (
            "error: plan.range: 1e+30; expected: input is 1 to 9\n  at: input",
            (*FIT, "--input", "1e30", "--output", "7"),
            "error: plan.range: 1e+30; expected: input is 1 to 9\n  option: --input 1e+30\n"
            "  at: input",
        ),
        (
            "error: plan.range: 7; expected: global batch is 1 to 9",
            (*FIT, "--input", "7", "--global-batch", "7"),
            "error: plan.range: 7; expected: global batch is 1 to 9\n  option: --global-batch 7.0",
        ),
        (  # either may be meant
            "error: plan.range: 7; expected: there is one",
            (*FIT, "--input", "7", "--output", "7"),
            "error: plan.range: 7; expected: there is one",
        ),
        ("trainyard: 'x' is no level", (*RUN, "--slo", "x"), "trainyard: --slo: 'x' is no level"),
        ("trainyard: --tp is missing", (*RUN, "--slo", "is"), "trainyard: --tp is missing"),
        ("trainyard: nothing of it", (*RUN, "--slo", "x"), "trainyard: nothing of it"),
    ],
)
def test_an_error_names_the_option_that_it_is_about(text, arguments, wanted):
    assert given.named(text, parsed(*arguments)) == wanted


def test_what_an_option_says_where_it_is_left_out_may_be_said():
    given.check(parsed(*RUN, "--region", ""))
    given.check(parsed("run", "script.py", ""))
    with pytest.raises(UsageError, match="--csv says nothing"):
        given.check(parsed(*RUN, "--csv", ""))
