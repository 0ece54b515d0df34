"""Do fit, compare and cost answer from Python and from the command, with intervals and sources?"""

import base64
import gzip
import importlib.util
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
import trainyard
from trainyard.planner import ratio


def command(*arguments):
    """The command's exit code and output."""
    line = [sys.executable, "-m", "trainyard", *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def test_fit_explains_the_peak_and_ranks_what_else_fits():
    fit = trainyard.fit("llama3-70b", on="h100", chips=1)
    assert not fit.serving.fits
    assert fit.serving.largest == "weights"
    assert fit.serving.total_bytes == pytest.approx(sum(fit.serving.parts.values()))
    chips = [layout.plan["chips"] for layout in fit.serving_alternatives]
    assert chips == sorted(chips)
    assert "fp8" in fit.serving_alternatives[0].what
    assert "does not fit" in str(fit)


def test_compare_gives_every_machine_an_interval():
    result = trainyard.compare("llama3-8b", on="h100,trn2")
    for row in result:
        for name, one in row.values.items():
            assert one.low <= one.value <= one.high, name
    assert result["h100"].values["output_tput_per_gpu"].moved_by[0].source
    frame = result.frame()
    if importlib.util.find_spec("pandas") is None:
        assert [row["machine"] for row in frame] == ["h100", "trn2"]


def test_a_machine_on_which_nothing_fits_says_so_and_the_others_answer():
    result = trainyard.compare("llama3-70b", on="inf2,h100", interactivity=60)
    assert result["inf2"].plan is None
    assert "interactivity" in result["inf2"].why
    assert result["h100"].plan


def test_an_unknown_cost_is_named_and_no_dollars_are_made_up():
    cost = trainyard.cost("llama3-8b", on="trn4")
    assert cost.unknown == ("capex.trn4",)
    assert not any(name.startswith("usd") for name in cost.values)


def test_training_costs_the_chips_times_their_hours():
    cost = trainyard.cost("llama3-8b", on="trn1", phase="training", chips=512, tokens=1e12)
    hours = cost.values["days"].value * 24
    rate = cost.values["usd_per_gpu_hour"].value
    assert cost.values["usd"].value == pytest.approx(rate * 512 * hours)
    assert any(one["key"] == "capex.trn1" for one in cost.rates)


def test_the_same_machine_twice_is_a_ratio_of_one():
    assert ratio("llama3-8b", "h100", "h100")["output_tput_per_gpu"].value == 1


def test_figures_are_drawings_that_parse():
    result = trainyard.compare("llama3-8b", on="h100,trn2")
    for figure in (result.figure(), result.pareto()):
        assert ElementTree.fromstring(figure.svg).tag.endswith("svg")
    if importlib.util.find_spec("PIL") is None:
        with pytest.raises(trainyard.UsageError, match="Pillow"):
            _ = result.figure().png


def test_an_option_that_does_not_exist_is_a_type_error():
    with pytest.raises(TypeError, match="interactivity"):
        trainyard.compare("llama3-8b", on="h100", speed=3)


@pytest.mark.parametrize(
    ("options", "label"),
    [
        ({"weights": "int3"}, "plan.format"),
        ({"input": -1}, "plan.range"),
        ({"settings": ["power.allin=3"]}, "machine.unknown_key"),
    ],
)
def test_a_wrong_option_is_refused_by_its_rule(options, label):
    with pytest.raises(trainyard.InputError) as refused:
        trainyard.compare("llama3-8b", on="h100", **options)
    assert refused.value.violations[0].label == label


def test_the_commands_print_documents_of_their_schema(tmp_path):
    page = tmp_path / "page.html"
    for arguments, schema in (
        (("fit", "llama3-8b", "--on", "trn1", "--json"), "trainyard.fit/1"),
        (
            ("compare", "llama3-8b", "--on", "h100", "--page", page, "--json"),
            "trainyard.comparison/1",
        ),
        (("cost", "llama3-8b", "--on", "h100", "--json"), "trainyard.cost/1"),
        (("compare", "--list", "--json"), "trainyard.names/1"),
    ):
        code, out, err = command(*arguments)
        assert code == 0, err
        assert json.loads(out)["schema"] == schema
    packed = re.search(r'id="document">([^<]*)<', page.read_text())[1]
    text = gzip.decompress(base64.b64decode(packed)).decode()
    assert {"bars", "tornado"} <= {part["kind"] for part in json.loads(text)["parts"]}
    assert "capex.h100" in text
    assert "trainyard compare llama3-8b" in text


def test_an_unknown_machine_is_one_clear_error():
    code, _, err = command("compare", "llama3-8b", "--on", "h1000")
    assert code == 3
    assert "machine.not_found" in err
    assert "Traceback" not in err


def test_a_config_that_is_no_transformer_is_one_clear_error(tmp_path):
    config = tmp_path / "config.json"
    config.write_text('{"model_type": "rt_detr", "d_model": 64}')
    code, _, err = command("fit", config, "--on", "h100")
    assert code == 3
    assert "model.unsupported" in err


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"price": "gold"}, "the price list has no 'gold'; known: "),
        ({"price": "spot", "region": "mars"}, "no region 'mars'; it has ap-south-2, "),
        ({"region": "us-east-2"}, "name a price"),
    ],
)
def test_what_nobody_sells_is_refused(options, text):
    with pytest.raises(trainyard.UsageError, match=text):
        trainyard.cost("llama3-8b", "trn2", **options)


def test_a_region_has_a_price_of_its_own():
    rented = trainyard.cost("llama3-8b", "trn2", price="spot", region="us-east-2")
    assert rented.values["usd_per_gpu_hour"].value == pytest.approx(0.81)
