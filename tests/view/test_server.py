"""Does the server tell the truth about stretches of a trace, and only to pages of its own?"""

import http.client
import json
import threading
import time

import numpy as np
import pytest
from browser import opened
from trainyard import InputError, UsageError, view
from trainyard.view import files, server, timeline


@pytest.fixture(scope="module")
def served(saved):
    made = server.server_of(view.runs_at(saved))
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made.server_port
    made.shutdown()
    made.server_close()


def ask(port, path, host=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read()


def random_track(rows, seed):
    rng = np.random.default_rng(seed)
    steps = rng.integers(0, 50, 2 * rows)
    steps[1::2] += 1
    times = np.cumsum(steps)
    made = {"begin": times[0::2], "end": times[1::2]}
    made["reason"] = rng.integers(0, 10, rows).astype(np.uint8)
    made |= {key: np.zeros(rows, np.uint32) for key in ("instruction", "iteration", "cause")}
    return timeline.Track("t", "engine", 0, made)


def test_shares_are_exact():
    """Against every tick counted."""
    track = random_track(200, 1)
    end = int(track.rows["end"][-1]) + 10
    ticks = np.zeros((end, 4))
    for begin, stop, reason in zip(
        *(track.rows[key] for key in ("begin", "end", "reason")), strict=True
    ):
        ticks[begin:stop, {0: 0, 8: 3, 9: 2}.get(int(reason), 1)] = 1
    for start, columns in ((0, 7), (13, 10), (end - 100, 20)):
        stop = start + columns * ((end - start) // columns)
        expected = ticks[start:stop].reshape(columns, -1, 4).mean(axis=1)
        found = server.Sums(track).shares(start, stop, columns)
        assert np.allclose(found, expected, atol=1e-6)


def test_a_window_holds_the_intervals_that_meet_it(served, saved):
    (run,) = view.runs_at(saved)
    start, stop = run.timeline.end // 3, run.timeline.end // 2
    status, content = ask(served, f"/window?run=0&from={start}&to={stop}")
    assert status == 200
    for track, whole in zip(json.loads(content)["tracks"], run.timeline.tracks, strict=True):
        begin, end = whole.rows["begin"], whole.rows["end"]
        inside = (end > start) & (begin < stop)
        assert track["count"] == inside.sum()
        if track["count"]:
            assert track["gap"][0] == begin[inside][0]
            assert (
                np.cumsum(track["instruction"]).tolist()
                == whole.rows["instruction"].astype(np.int64)[inside].tolist()
            )


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nothing", 404),
        ("/shares", 400),
        ("/shares?run=9&from=0&to=5&columns=5", 400),
        ("/shares?run=0&from=5&to=5&columns=5", 400),
        ("/shares?run=0&from=0&to=5&columns=9999999", 400),
        ("/shares?run=0&from=a&to=5&columns=5", 400),
        ("/../../etc/passwd", 404),
    ],
)
def test_bad_requests_are_refused(served, path, status):
    assert ask(served, path)[0] == status


def test_pages_of_other_hosts_get_nothing(served):
    assert ask(served, "/document.json", host="evil.example")[0] == 403


def test_a_port_that_is_taken_is_said(served, saved):
    with pytest.raises(UsageError, match=f"port {served}"):
        server.server_of(view.runs_at(saved), port=served)


def test_the_page_shows_a_served_run(served):
    with opened() as page:
        page.open(f"http://127.0.0.1:{served}/")
        assert "attention" in page.text("h1") and "large trace" in page.text(".legend")
        page.ask("trainyard.show(0, 2000)")
        page.wait("trainyard.near() > 0")
        assert not page.errors
        assert all(
            one.startswith((f"http://127.0.0.1:{served}/", "about:")) for one in page.requests
        )


def test_ten_million_intervals_are_ready_soon():
    """Sums of 10 million intervals in seconds, and each answer in a frame or two."""
    tracks = [random_track(1_000_000, seed) for seed in range(10)]
    end = max(int(track.rows["end"][-1]) for track in tracks)
    labels = {"strings": [""], "instructions": {}, "frames": {}, "nests": []}
    run = files.Run(
        {"name": "x", "report": {}}, timeline.Timeline("x", "trn3", end, 168, tracks, labels)
    )
    made = server.Served([run], None)
    started = time.process_time()
    made.shares(0, 0, end, 1280)
    ready = time.process_time() - started
    started = time.process_time()
    for k in range(10):
        made.shares(0, k * end // 20, end // 2 + k * end // 20, 2560)
    each = (time.process_time() - started) / 10
    assert ready < 10 and each < 0.25


@pytest.fixture
def long(saved, monkeypatch):
    """The run as if its rows were too many for memory."""
    monkeypatch.setattr(timeline, "ROWS_MAX", 10)
    (run,) = view.runs_at(saved)
    assert run.timeline.long is not None
    return run


def test_a_long_trace_answers_as_a_short_one_does(saved, long, monkeypatch):
    monkeypatch.setattr(timeline, "ROWS_MAX", 10**6)
    (short,) = view.runs_at(saved)
    one, other = (server.Served([run], None) for run in (short, long))
    assert long.timeline.count == short.timeline.count
    assert long.as_dict(rows=False)["timeline"] == short.as_dict(rows=False)["timeline"]
    end = short.timeline.end
    for start, stop, columns in ((0, end, 1280), (end // 3, end // 2, 77), (end - 50, end + 9, 5)):
        found, expected = (
            np.frombuffer(each.shares(0, start, stop, columns), np.float32) for each in (other, one)
        )
        assert np.allclose(found, expected, atol=1e-5)
        assert other.window(0, start, stop) == one.window(0, start, stop)


def test_a_long_trace_is_served_and_not_exported(long):
    with pytest.raises(UsageError, match="trainyard view --serve"):
        long.as_dict()
    with pytest.raises(UsageError, match="are held at once"):
        view.need_rows(long.timeline)


def test_a_damaged_long_trace_is_refused(saved, monkeypatch, tmp_path):
    monkeypatch.setattr(timeline, "ROWS_MAX", 10)
    content = bytearray((saved / "attention.tytrace").read_bytes())
    content[80] ^= 0xFF  # in the first chunk
    (tmp_path / "x.tytrace").write_bytes(content)
    with pytest.raises(InputError):
        view.runs_at(tmp_path / "x.tytrace")
