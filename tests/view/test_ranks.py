"""Does a page show each recorded rank that differs, and those alike once?"""

import json

import pytest
from browser import opened
from trainyard import UsageError, view
from view_pages import page_at


def test_ranks_that_do_the_same_are_one_kind(late_rank):
    kinds = view.ranks.kinds_of(late_rank)
    names = [name for kind in kinds for name in kind.names]
    assert len(set(names)) == len(names) == sum(run.is_recorded for run in late_rank.runs) == 16
    (alone,) = (kind for kind in kinds if len(kind.names) == 1)
    assert alone.names == ("rank 3",)
    assert kinds[0].run is late_rank._recorded  # the one that the report is of
    for kind in kinds:  # another way to see that they are alike
        intervals = [
            run.intervals()
            for instance, run in zip(late_rank.instances, late_rank.runs, strict=True)
            if f"rank {instance.rank}" in kind.names
        ]
        assert all(one == intervals[0] for one in intervals)


def test_a_run_of_one_core_has_no_ranks(attention):
    assert view.ranks.kinds_of(attention) == []
    assert "ranks" not in view.of_result(attention)


def test_files_bring_all_kinds_back(late_rank, tmp_path):
    late_rank.save(tmp_path / "sum")
    parts = {kind.part for kind in view.ranks.kinds_of(late_rank)[1:]}
    assert {file.name for file in tmp_path.glob("*.tytrace")} == {
        "sum.tytrace",
        *(f"sum.{part}.tytrace" for part in parts),
    }
    (run,) = view.runs_at(tmp_path)  # files of ranks are no runs of their own
    document = run.as_dict()
    assert document["ranks"] == view.of_result(late_rank)["ranks"]
    view.validate(view.document_of([document]), "document")
    assert run.rows == sum(
        sum(track["count"] for track in one["timeline"]["tracks"])
        for one in [document, *document["ranks"][1:]]
    )
    assert "ranks" not in run.as_dict(rows=False)  # a server tells of one
    # One that is named opens alone, and one that is gone is named as such.
    (alone,) = view.runs_at(tmp_path / "sum.rank3.tytrace")
    assert alone.timeline.count > 0
    (tmp_path / "sum.rank3.tytrace").unlink()
    (run,) = view.runs_at(tmp_path)
    (gone,) = (one for one in run.as_dict()["ranks"] if one["name"] == "rank 3")
    assert "timeline" not in gone


@pytest.mark.parametrize(
    "ranks",
    [
        3,
        [3],
        [{"name": "rank 0", "alike": []}],
        [{"name": "rank 0", "alike": [1], "part": "rank0"}],
        [{"name": "rank 0", "alike": [], "part": "../../rank0"}],
        [{"name": "rank 0", "alike": [], "part": "rank0/../../x"}],
        [{"name": "rank 0", "alike": [], "part": "rank0\n"}],
    ],
)
def test_details_that_name_ranks_wrongly_are_refused(late_rank, tmp_path, ranks):
    late_rank.save(tmp_path / "sum")
    path = tmp_path / "sum.details.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"ranks": ranks}))
    with pytest.raises(UsageError, match="ranks"):
        view.runs_at(tmp_path / "sum.tytrace")


def test_the_page_shows_the_rank_that_is_chosen(late_rank, tmp_path):
    kinds = view.ranks.kinds_of(late_rank)
    late = [kind.names[0] for kind in kinds].index("rank 3")
    with opened() as page:
        page.open(page_at(tmp_path / "page.html", late_rank))
        choice = "document.querySelector('select[aria-label=rank]')"
        options = page.ask(f"[...{choice}.options].map(one => one.text)")
        assert options == [
            f"{kind.names[0]} and {len(kind.names) - 1} alike" if len(kind.names) > 1 else "rank 3"
            for kind in kinds
        ]

        def first_work():
            """When the first instruction of the rank that is shown begins to work."""
            return page.ask("trainyard.firstWork()")

        starts = []
        for number in range(len(kinds)):
            assert page.ask(f"{choice}.selectedIndex") == number
            starts.append(first_work())
            page.key("r")
        assert page.ask(f"{choice}.selectedIndex") == 0
        assert starts.index(max(starts)) == late
        assert max(starts) > sorted(starts)[-2] + 40_000  # ns
        assert not page.errors
