"""Do the code and the names of docs/pytorch.md work as they are pasted?"""

import contextlib
import importlib
import io
import re
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tutorial"))
from pages import blocks_of  # noqa: E402

PAGE = (ROOT / "docs" / "pytorch.md").read_text()
BLOCKS = blocks_of(PAGE)
CODE = [
    each.text
    for each, after in zip(BLOCKS, [*BLOCKS[1:], None], strict=True)
    if each.language == "python" and (after is None or "trainyard migrate" not in after.text)
]
# Of code in the text: a name of PyTorch's or of ours, with the modules it is in.
NAMES = sorted(
    set(re.findall(r"`[^`\n]*?\b((?:torch|torch_neuronx|trainyard\.torch)(?:\.\w+)+)", PAGE))
)


def test_the_blocks_run_in_order_and_show_times():
    model = torch.nn.Linear(4, 4)
    scope = {"model": model, "x": torch.ones(2, 4, device="neuron")}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for code in CODE:
            exec(compile(code, "pytorch.md", "exec"), scope)
    assert len(CODE) == 3
    assert scope["launches"][0].seconds > 0 and scope["launches"][0].joules[1] > 0
    assert scope["launches"][0].text in said.getvalue()
    assert float(said.getvalue().splitlines()[-1]) > 0  # simulated milliseconds
    torch.testing.assert_close(
        scope["model"](scope["x"]).cpu(), torch.ones(2, 4) @ model.weight.cpu().T + model.bias.cpu()
    )


def resolved(name):
    """What it stands for: modules are imported as far as they are such."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        with contextlib.suppress(ModuleNotFoundError):
            found = importlib.import_module(".".join(parts[:count]))
            for part in parts[count:]:
                found = getattr(found, part)
            return found
    raise ModuleNotFoundError(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_the_page_exists(name):
    assert resolved(name) is not None


def test_names_are_found_in_the_page():
    assert {"torch.OutOfMemoryError", "torch_neuronx.explain", "torch.neuron.Event"} <= set(NAMES)
    with pytest.raises(AttributeError):
        resolved("torch.neuron.no_such_thing")
