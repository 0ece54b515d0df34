"""Does a notebook show the page, and hear what its reader selects?"""

import json
import subprocess
import sys
from importlib import resources

import pytest
from browser import opened
from trainyard import UsageError, view
from trainyard.view import widget

# A notebook's side of a widget: what anywidget promises the script.
HOST = """<!doctype html><body><div id="cell"></div><script type="module">
const traits = { page: PAGE, height: 640, selection: null };
const heard = [];
const model = {
  get: (name) => traits[name],
  set: (name, value) => (traits[name] = value),
  save_changes: () => heard.push(structuredClone(traits.selection)),
  on: () => {}, off: () => {},
};
const url = URL.createObjectURL(new Blob([SCRIPT], { type: "text/javascript" }));
const { default: made } = await import(url);
window.end = made.render({ model, el: document.getElementById("cell") });
window.heard = heard;
document.documentElement.dataset.ready = "yes";
</script>"""


@pytest.fixture(scope="module")
def host(attention, tmp_path_factory):
    """A page as a notebook would be around the widget's script."""
    script = resources.files("trainyard.view").joinpath("widget.js").read_text()
    page = view.page_of(view.document_of([view.of_result(attention)]))
    text = HOST.replace("PAGE", json.dumps(page).replace("</", "<\\/"), 1)
    path = tmp_path_factory.mktemp("notebook") / "host.html"
    path.write_text(text.replace("SCRIPT", json.dumps(script)))
    return path


def test_a_cell_shows_the_page_and_hears_the_selection(host, attention):
    with opened(1280, 800) as page:
        page.open(host)
        page.wait("heard.length > 0")  # the page runs, and nothing is selected
        assert page.ask("heard[0]") is None
        assert page.ask("document.querySelector('iframe').clientHeight") == 640
        # The frame is of another origin: the page in it cannot reach the notebook.
        assert page.ask("document.querySelector('iframe').contentDocument") is None
        box = page.ask("document.querySelector('iframe').getBoundingClientRect().toJSON()")
        for x in range(200, 900, 40):  # somewhere on the first engine's row there is a slice
            for y in (0.42, 0.46, 0.5):
                page.click(box["x"] + x, box["y"] + y * box["height"])
                if page.ask("heard.at(-1)"):
                    break
            if page.ask("heard.at(-1)"):
                break
        found = page.ask("heard.at(-1)")
        assert found["run"] == "attention" and found["begin_ns"] < found["end_ns"]
        rows = [one for one in attention.timeline if one["track"] == found["track"]]
        assert any(
            one["begin_ns"] == pytest.approx(found["begin_ns"])
            and one["mnemonic"] == found["mnemonic"]
            for one in rows
        )
        # What somebody else of the notebook's page says is not the reader's selection.
        page.ask("window.postMessage({trainyard: 'selection', selection: {run: 'forged'}}, '*')")
        page.frame()
        assert page.ask("heard.at(-1).run") == "attention"


def test_a_recorded_result_is_a_widget_in_a_notebook(attention):
    pytest.importorskip("anywidget")
    made = attention.view(height=500)
    assert made.height == 500 and made.selection is None
    assert made.page == view.page_of(view.document_of([view.of_result(attention)]))
    data, _ = attention._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data


def test_without_anywidget_a_result_is_tables(attention, monkeypatch):
    monkeypatch.setattr(widget, "is_installed", lambda: False)
    assert attention._repr_mimebundle_() is None
    assert "<table>" in attention._repr_html_()
    with pytest.raises(UsageError, match="pip install anywidget"):
        attention.view()


def test_anywidget_is_imported_by_those_who_ask_for_a_view():
    program = "import sys, trainyard.view.widget; sys.exit('anywidget' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0
