"""Are recorded arrivals read as they are published, and is every other file refused at its line?"""

import json
import re
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trainyard import _core
from trainyard.serving import planned, traces
from trainyard.usage import UsageError

HEAD = "TIMESTAMP,ContextTokens,GeneratedTokens"
once = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
lengths = st.integers(1, 200_000)
rows_of = st.lists(st.tuples(st.integers(0, 36_000_000_000), lengths, lengths), min_size=1)


@pytest.fixture
def read(tmp_path):
    def made(content):
        path = tmp_path / "trace"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return traces.read_trace(path)

    return made


def azure_of(rows, form):
    """As the tables of a year are published. rows: 100 ns, prompt, answer."""
    start = datetime(2023, 11, 16, 18, 15, 46)
    lines = [HEAD]
    for at, prompt, output in rows:
        moment = start + timedelta(seconds=at // 10**7)
        if form == "2023":  # seven digits, and lines that end as Windows ends them
            stamp = f"{moment}.{at % 10**7:07}"
        else:  # microseconds and the zone, which whole seconds have without a point
            micros = at % 10**7 // 10
            stamp = f"{moment}{f'.{micros:06}' if micros else ''}+00:00"
        lines.append(f"{stamp},{prompt},{output}")
    return ("\r\n" if form == "2023" else "\n").join(lines)  # the last line does not end


@once
@given(rows=rows_of, form=st.sampled_from(["2023", "2024"]))
def test_tables_of_azure_are_read_as_published(read, rows, form):
    found = read(azure_of(rows, form))
    unit = 1 if form == "2023" else 10
    ordered = sorted(rows, key=lambda row: row[0] // unit)
    first = ordered[0][0] // unit * unit
    assert [row[1:3] for row in found.rows] == [row[1:] for row in ordered]
    for (ticks, *_), (at, *_) in zip(found.rows, ordered, strict=True):
        seconds = (at // unit * unit - first) / 1e7
        assert ticks / _core.TICKS_PER_SECOND == pytest.approx(seconds, abs=1e-7)
    assert found.content_tokens == 0


@once
@given(rows=st.lists(st.tuples(st.integers(0, 3_600_000), lengths, lengths), min_size=1))
def test_lines_of_mooncake_are_read_as_published(read, rows):
    kinds = ("timestamp", "input_length", "output_length")
    lines = []
    for number, row in enumerate(rows):
        ids = [number * 1000 + i for i in range(-(-row[1] // 512))]
        lines.append(json.dumps(dict(zip(kinds, row, strict=True)) | {"hash_ids": ids}))
    found = read("\n".join(lines) + "\n")
    assert found.content_tokens == 512
    assert sorted((prompt, output) for _, prompt, output, _ in found.rows) == sorted(
        row[1:] for row in rows
    )
    assert all(len(ids) == -(-prompt // 512) for _, prompt, _, ids in found.rows)


def check_refusal(path, error):
    """One line that says where."""
    text = str(error)
    assert "\n" not in text and len(text) < 500 + len(path)
    assert text.startswith(path)


def expect_trace_or_refusal(read, content):
    try:
        found = read(content)
    except UsageError as error:
        check_refusal(re.match(r"\S+", str(error))[0].partition(":")[0], error)
        return None
    assert found.rows[0][0] == 0
    ticks = [row[0] for row in found.rows]
    assert ticks == sorted(ticks) and ticks[-1] < 2**63
    assert all(1 <= one <= 10_000_000 for row in found.rows for one in row[1:3])
    return found


@once
@given(content=st.binary(max_size=300) | st.text(max_size=300))
def test_any_bytes_are_a_trace_or_refused(read, content):
    if isinstance(content, str):
        content = content.encode("utf-8", "replace")
    expect_trace_or_refusal(read, content)


STRANGE = (
    *("", "0", "-1", "1.5", "1e3", "\u0661", "9" * 30, "nan", "inf", "null", "true", "[", "{}"),
    *('"', "x" * 70, "2023-11-16", "2023-02-30 00:00:00", "2023-11-16 18:17:03.1e5", "1e300"),
    *("2023-11-16 18:17:03+02:00", "9999-12-31 23:59:59", "0001-01-01 00:00:00", "\0", ","),
)


@once
@given(
    rows=st.lists(st.tuples(st.integers(0, 10**9), lengths, lengths), min_size=1, max_size=4),
    cut=st.integers(0, 400),
    piece=st.sampled_from(STRANGE),
    drop=st.integers(0, 20),
    is_table=st.booleans(),
)
def test_damaged_traces_are_refused_or_still_traces(read, rows, cut, piece, drop, is_table):
    if is_table:
        text = azure_of(rows, "2024")
    else:
        names = ("timestamp", "input_length", "output_length")
        text = "\n".join(
            json.dumps(dict(zip(names, row, strict=True)) | {"hash_ids": [1, 2]}) for row in rows
        )
    cut %= len(text)
    expect_trace_or_refusal(read, text[:cut] + piece + text[cut + drop :])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"{HEAD}\n1,2,3,4\n", ":2: 4 values under 3 names"),
        (f"{HEAD}\n1,2\n", ":2: 2 values under 3 names"),
        (
            "TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n1,2,3,4\n",
            ":1: a column 'NumImages'",
        ),
        (f"{HEAD}\n1,2.5,3\n", ":2: ContextTokens is 1 to"),
        (f"{HEAD}\n2023-11-16 18:17:03+02:00,2,3\n", ":2: TIMESTAMP .* is no time"),
        (f"{HEAD}\n2023-11-16 18:17:03.1e5,2,3\n", ":2: TIMESTAMP .* is no time"),
        (f"{HEAD}\n0,2,3\n1e9,2,3\n", "11,574 days, above 366"),
        (f"{HEAD}\n1,2,3{'0' * 200_000}\n", ":2: field larger than"),
        ('{"timestamp": 1, "input_length": 1.5, "output_length": 1}', ":1: input_length"),
        ('{"timestamp": 1, "input_length": true, "output_length": 1}', ":1: input_length"),
        ('{"timestamp": "1", "input_length": 1, "output_length": 1}', ":1: timestamp is"),
        ('{"timestamp": 1, "input_length": 1, "output_length": 1, "hash_ids": "a"}', "hash_ids"),
        ('{"a":' * 100_000, ":1: no request of a Mooncake trace"),
    ],
    ids=range(13),
)
def test_a_damaged_line_is_named(read, text, says):
    with pytest.raises(UsageError, match=says):
        read(text)


def test_a_trace_is_not_stretched_beyond_the_clock(read):
    trace = read(f"{HEAD}\n0,2,3\n1,2,3\n")
    with pytest.raises(UsageError, match="days"):
        trace.at_rate(1e-9)


@pytest.mark.parametrize("ids", [[], [7], list(range(40))])
def test_names_may_be_fewer_or_more_than_the_blocks_of_a_prompt(read, ids):
    line = {"timestamp": 0, "input_length": 1100, "output_length": 9, "hash_ids": ids}
    trace = read("\n".join(json.dumps(line | {"timestamp": at}) for at in (0, 50_000)))
    plan = planned.run("llama3-8b", "trn3-gen2", planned.Load(trace=trace), tp=1, weights="fp8")
    assert plan.served.bench["completed"] == 2
