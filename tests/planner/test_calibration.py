"""Do somebody's measurements move the figures to where the model is right for them?"""

import pytest
from trainyard.planner import calibration
from trainyard.usage import UsageError


def measured(tmp_path, settings):
    """Rows that a machine with other figures would measure."""
    asks = {
        "prefill": [{"tp": 8, "input": 4096}, {"tp": 4, "input": 2048}, {"tp": 8, "input": 8192}],
        "decode": [{"tp": 8, "batch": 8}, {"tp": 8, "batch": 32}, {"tp": 4, "batch": 16}],
        "training": [{"tp": 8, "pp": 2, "dp": 4, "global_batch": 64, "microbatch": 1}],
    }
    lines = []
    for phase, rows in asks.items():
        for i, ask in enumerate(rows):
            row = calibration.Measurement("x", "llama3-8b", phase, 1.0, ask)
            fields = ", ".join(f"{key} = {value}" for key, value in ask.items())
            lines.append(
                f'[{phase}-{i}]\nmodel = "llama3-8b"\nphase = "{phase}"\n'
                f"value = {row.modelled('h100', settings)}\nask = {{ {fields} }}\n"
            )
    path = tmp_path / "mine.toml"
    path.write_text("\n".join(lines))
    return path


def test_figures_that_made_the_measurements_are_found(tmp_path):
    truth = {"reach.prefill": 0.45, "reach.training": 0.5}
    path = measured(tmp_path, [f"{key}={value}" for key, value in truth.items()])
    found = calibration.calibrate("h100", calibration.read_measurements(str(path)))
    figures = dict(one.split("=") for one in found.settings)
    for key, value in truth.items():
        assert float(figures[key]) == pytest.approx(value, rel=0.01)
    assert max(abs(off) for off in found.after.values()) < 0.02
    assert max(abs(off) for off in found.before.values()) > 0.1


def test_figures_stay_in_their_ranges(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        '[slow]\nmodel = "llama3-8b"\nphase = "prefill"\nvalue = 1e6\nask = { tp = 8 }\n'
    )
    found = calibration.calibrate("h100", calibration.read_measurements(str(path)))
    (setting,) = found.settings
    assert float(setting.split("=")[1]) == pytest.approx(0.4)  # reach.prefill's low end
    given = calibration.settings_of(str(path), "h100", ["reach.prefill=0.5"])
    assert given[-1] == "reach.prefill=0.5"  # what is named outright counts last


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a", "not TOML"),
        ("", "no measurement"),
        ("a = 3", "a table"),
        ('[a]\nmodel = "llama3-8b"\nphase = "lunch"\nvalue = 1', "the phase"),
        ('[a]\nmodel = "llama3-8b"\nphase = "decode"\nvalue = -1', "above 0"),
        ('[a]\nmodel = "llama3-8b"\nphase = "decode"\nvalue = true', "above 0"),
        ('[a]\nphase = "decode"\nvalue = 1', "needs a model"),
        ('[a]\nmodel = "llama3-8b"\nphase = "decode"\nvalue = 1\nspeed = 2', "no speed"),
    ],
)
def test_a_file_that_is_wrong_is_refused(tmp_path, text, message):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        calibration.read_measurements(str(path))
