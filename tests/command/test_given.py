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
    ("arguments", "wanted"),
    [
        (
            (*FIT, "--input", "1e30", "--output", "7"),
            "input is 1 to 100000000\n  option: --input 1e+30\n",
        ),
        (
            (*FIT, "--global-batch", "1e30"),
            "\n  option: --global-batch 1e+30\n  at: global_batch\n",
        ),
        ((*FIT, "--set", "a=1", "--set", "b"), "option: --set a=1\n"),
        (("fit", "llama3-8b", "--on", "abacus"), "option: --on abacus\n"),
        ((*RECOMMEND, "--max-num-seqs", "0"), "option: --max-num-seqs 0.0\n"),
        ((*TRAIN, "--idle", "2"), "option: --idle 2.0\n"),
        ((*RUN, "--slo", "soon"), "trainyard: --slo: 'soon' is no service level"),
        ((*RUN, "--isl", "0"), "trainyard: --isl: isl is 1 to 1e+07, not 0"),
        ((*RUN, "--range", "2"), "trainyard: --range: spread is 0 to 1, not 2"),
        ((*RUN, "--max-num-seqs", "0"), "trainyard: --max-num-seqs: requests_max is 1 to"),
    ],
)
def test_an_error_names_the_option_that_it_is_about(trainyard, arguments, wanted):
    assert wanted in trainyard(*arguments).err


@pytest.mark.parametrize(
    ("error", "arguments", "wanted"),
    [
        # What was not given is not named, and a value that words of an error repeat says nothing.
        (UsageError("none", "slo"), RUN, "trainyard: none"),
        (UsageError("x is none"), (*RUN, "--slo", "x"), "trainyard: x is none"),
        (UsageError("--slo: none", "slo"), (*RUN, "--slo", "x"), "trainyard: --slo: none"),
        (UsageError("none", "draft_tokens"), (*RUN, "--draft", "9"), "trainyard: --draft: none"),
    ],
)
def test_an_option_is_named_by_what_was_raised(error, arguments, wanted):
    assert given.named(f"trainyard: {error}", error, parsed(*arguments)) == wanted


def test_what_an_option_says_where_it_is_left_out_may_be_said():
    given.check(parsed(*RUN, "--region", ""))
    given.check(parsed("run", "script.py", ""))
    with pytest.raises(UsageError, match="--csv says nothing"):
        given.check(parsed(*RUN, "--csv", ""))
