"""Do the Parquet tables have the form of Neuron Explorer's schema, and say what the run says?"""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from trainyard import UsageError, view
from trainyard.view import explorer

sys.path.insert(0, str(Path(__file__).parents[1] / "command"))
from command_line import run as trainyard

# Fields of each table as the public reference of schema 7.4.0 counts them.
FIELDS = {
    "ActiveTime": 5,
    "AssemblyInstruction": 4,
    "BirInstruction": 19,
    "CcInstruction": 7,
    "CcOp": 19,
    "CcStream": 3,
    "CoreBarriers": 10,
    "CpuUsage": 6,
    "DeviceProfileList": 6,
    "DmaPacket": 17,
    "DmaPacketAggregated": 37,
    "DmaQueuesInfo": 7,
    "DmaUsage": 4,
    "DmaUsageSummary": 7,
    "Error": 7,
    "ExecutionInfo": 6,
    "Flow": 6,
    "FrameworkInstruction": 23,
    "FrameworkNode": 32,
    "HbmUsage": 4,
    "HbmUsageSummaryByType": 4,
    "HloInstruction": 18,
    "HostMemUsage": 6,
    "Instruction": 55,
    "KernelInstructions": 8,
    "KernelIterationVariables": 7,
    "KernelStackFrames": 6,
    "Metadata": 38,
    "NeffHeader": 14,
    "OpcodeSummary": 6,
    "PendingDma": 3,
    "PenguinInstruction": 18,
    "PsumUsage": 11,
    "SbufAllocation": 13,
    "SbufUsage": 7,
    "SchemaFields": 12,
    "SemaphoreUpdate": 9,
    "StackFrame": 3,
    "StackFrameFileLocation": 4,
    "StackFrameFileName": 2,
    "StackFrameFunctionName": 2,
    "Summary": 101,
    "SystemProfileEvents": 15,
    "SystemProfileHbmUsage": 27,
    "SystemProfileMetadata": 6,
    "TensorInfo": 11,
    "Throttle": 6,
    "ThrottleSummary": 5,
    "Warning": 2,
}
# What DuckDB calls the types that the schema names in OpenAPI's words.
TYPES = {
    ("integer", "int64"): "BIGINT",
    ("integer", "int32"): "INTEGER",
    ("number", "float"): "FLOAT",
    ("number", "double"): "DOUBLE",
    ("boolean", None): "BOOLEAN",
    ("string", None): "VARCHAR",
}
# By the end of its name, what a quantity is counted in.
UNITS = {"_ts": "nanoseconds", "_ns": "nanoseconds", "_ghz": "gigahertz", "_percent": "percent"}


class Tables:
    """Tables of a directory, asked in SQL."""

    def __init__(self, folder):
        duckdb = pytest.importorskip("duckdb")
        self.folder, self._connection = folder, duckdb.connect()
        for file in folder.glob("*.parquet"):
            self.ask(f"create view \"{file.stem}\" as from '{file}'")

    def ask(self, query):
        return self._connection.execute(query).fetchall()

    def one(self, query):
        ((value,),) = self.ask(query)
        return value


def written(result, folder):
    pytest.importorskip("pyarrow")
    result.save(folder / "run")
    (run,) = view.runs_at(folder / "run.tytrace")
    explorer.write(run, folder / "tables")
    return Tables(folder / "tables")


@pytest.fixture(scope="module")
def tables(attention, tmp_path_factory):
    return written(attention, tmp_path_factory.mktemp("parquet"))


def test_every_table_and_column_of_the_schema_is_there(tables):
    assert {file.stem for file in tables.folder.glob("*.parquet")} == set(FIELDS)
    told = tables.ask(
        "select table_name, field_name, field_type, field_format, field_required from SchemaFields"
    )
    assert len(told) == sum(FIELDS.values()) == 648
    for table, count in FIELDS.items():
        columns = {name: kind for name, kind, *_ in tables.ask(f'describe "{table}"')}
        fields = [row[1:] for row in told if row[0] == table]
        assert list(columns) == [name for name, *_ in fields]
        assert len(columns) == count
        for name, kind, form, required in fields:
            if kind == "array":
                assert columns[name] in ("BIGINT[]", "VARCHAR[]")
            else:
                assert columns[name] == TYPES[kind, form], (table, name)
            if required:
                missing = f'select count(*) from "{table}" where "{name}" is null'
                assert tables.one(missing) == 0, (table, name)


def test_units_stand_in_the_files_and_in_the_table_of_fields(tables):
    parquet = pytest.importorskip("pyarrow.parquet")
    told = tables.ask("select table_name, field_name, field_unit from SchemaFields")
    for table in FIELDS:
        shape = parquet.read_schema(tables.folder / f"{table}.parquet")
        units = {field.name: (field.metadata or {}).get(b"unit", b"").decode() for field in shape}
        assert units == {name: unit or "" for owner, name, unit in told if owner == table}
    for (table, name, unit), ending in ((one, end) for one in told for end in UNITS):
        if name.endswith(ending) and unit:
            assert unit in (UNITS[ending], "percent"), (table, name)
    assert ("Instruction", "duration_ns", "nanoseconds") in told
    assert ("CcOp", "bus_bandwidth", "bytes_per_second") in told


def test_sums_are_those_of_the_report(tables, attention):
    report = attention.report
    traffic = {one["memory"]: one["bytes"] for one in report["traffic"]}
    for memory in ("hbm", "sbuf", "psum"):
        query = f"select sum({memory}_read_bytes), sum({memory}_write_bytes) from Instruction"
        assert tables.ask(query) == [(traffic[memory]["read"], traffic[memory]["written"])]
        summed = f"select {memory}_read_bytes, {memory}_write_bytes from Summary"
        assert tables.ask(summed) == tables.ask(query)
    assert tables.one("select sum(transfer_bytes) from DmaPacketAggregated") == max(
        traffic["dma"].values()
    )
    moved = tables.one("select max(total_transfer_bytes) from HbmUsage")
    assert moved == sum(traffic["hbm"].values())
    macs = sum(one["macs"] for one in report["throughput"])
    useful, total = tables.ask("select hardware_flops - transpose_flops, total_time from Summary")[
        0
    ]
    assert useful == 2 * macs
    assert total == pytest.approx(attention.time_ns / 1e9)
    assert tables.one("select sum(raw_flops - flops_transpose) from Instruction") == 2 * macs
    share = tables.one("select mfu_inst_estimated_percent from Summary")
    assert share == pytest.approx(100 * report["throughput"][0]["share"], rel=1e-3)


def test_engines_are_active_as_long_as_the_report_says(tables, attention):
    report = attention.report
    for track in report["tracks"]:
        if track["kind"] != "engine":
            continue
        ticks = sum(track["ticks"].get(why, 0) for why in ("working", "overhead", "throttle"))
        expected = ticks / report["ticks_per_ns"]
        found = tables.ask(
            "select coalesce(sum(duration_ns), 0), count(*) from ActiveTime "
            f"where engine = '{track['name']}'"
        )[0]
        assert found[0] == pytest.approx(expected, abs=1 + found[1])  # rounded at each end
        part = tables.one(f"select {track['name']}_engine_active_time from Summary")
        assert part * 1e9 >= expected - 1
    held = next(one["ticks"] for one in report["tracks"] if one["name"] == "tensor")["throttle"]
    throttled = tables.one("select throttle_active_time_ns from ThrottleSummary")
    assert throttled == pytest.approx(held / report["ticks_per_ns"], abs=1)
    assert set(tables.ask("select k, n from Throttle")) == {(4, 8)}


def test_instructions_join_their_call_stacks(tables, attention):
    """The innermost frame of each is where the timeline says that it stands."""
    rows = tables.ask(
        "select pc, start_ts, f.file_path || ':' || f.line_number from Instruction "
        "join KernelInstructions k using (kernel_instruction_name) "
        "join KernelStackFrames f using (stack_frame_id) order by id"
    )
    places = {one["instruction"]: one["place"].split(" in ")[0] for one in attention.timeline}
    assert len(rows) == tables.one("select count(*) from Instruction") == len(places)
    assert all(places[pc].startswith(place) for pc, _, place in rows)
    roots = tables.ask(
        "with recursive up as (select stack_frame_id as id, parent_stack_frame_id as parent from "
        "KernelStackFrames union all select id, f.parent_stack_frame_id from up "
        "join KernelStackFrames f on f.stack_frame_id = up.parent) "
        "select count(*) from up where parent is null"
    )
    assert roots[0][0] == tables.one("select count(*) from KernelStackFrames")


def test_flows_join_rows_that_are_there_and_end_before(tables):
    for table in ("Instruction", "DmaPacketAggregated"):
        for side in ("in", "out"):
            lost = f'select count(*) from Flow anti join "{table}" t on t.id = {side}_id'
            assert tables.one(f"{lost} where {side}_table = '{table}'") == 0
    late = tables.one(
        "select count(*) from Flow join Instruction i on i.id = in_id join Instruction o "
        "on o.id = out_id where in_table = 'Instruction' and out_table = 'Instruction' "
        "and i.end_ts > o.start_ts + 1"
    )
    assert late == 0
    assert tables.one("select count(*) from Flow") > 20


def test_memory_is_what_the_details_say(tables, attention):
    memory = json.loads(attention._recorded.details())["memory"]
    tensors, space = memory["sbuf"]["tensors"], memory["sbuf"]
    times = sorted({one["begin"] for one in tensors})
    peak = max(
        sum(
            one["bytes"] * one["partitions"][1]
            for one in tensors
            if one["begin"] <= now < one["end"]
        )
        for now in times
    )
    share = 100 * peak / (space["bytes"] * space["partitions"])
    assert tables.one("select max(avg_util_percent) from SbufUsage") == pytest.approx(share)
    assert tables.one("select count(*) from SbufAllocation") == sum(
        one["partitions"][1] for one in tensors
    )
    loads = dict(tables.ask("select variable_name, load_to_sbuf_repeat_factor from TensorInfo"))
    assert [loads[name] for name in ("q", "k", "v")] == [1.0, 1.0, 1.0]
    assert tables.one("select max(bank_0_util_percent) from PsumUsage") > 0


def test_loop_variables_have_the_values_of_their_iteration(slowdowns, tmp_path):
    tables = written(slowdowns["load_order"], tmp_path)
    rows = tables.ask(
        "select variable_value from Instruction "
        "join KernelInstructions k using (kernel_instruction_name) "
        "join KernelIterationVariables v on v.iteration_variable_id = k.iteration_variables_id "
        "where opcode = 'activation' and variable_name = 'i' order by start_ts"
    )
    assert [value for (value,) in rows] == list(range(8))


@pytest.mark.parametrize("name", ["small_descriptors", "psum_eviction", "slow_link"])
def test_other_runs_are_written_too(slowdowns, tmp_path, name):
    tables = written(slowdowns[name], tmp_path)
    end = tables.one("select last_hw_timestamp from Metadata")
    assert tables.one("select is_simulation from Metadata") is True
    assert tables.one("select max(end_ts) from Instruction") <= end
    assert tables.one("select count(*) from DmaPacketAggregated") > 0
    assert np.all(np.array(tables.ask("select value from PendingDma")) >= 0)


def test_collectives_tell_their_algorithm_and_bandwidth(slowdowns, tmp_path):
    result = slowdowns["slow_link"]
    tables = written(result, tmp_path)
    rows = tables.ask(
        "select operation, algorithm, num_elements, dtype, trigger_engine, input_size, output_size,"
        " duration_ns, algorithm_bandwidth, bus_bandwidth, cc_trigger_start_delay from CcOp"
    )
    ((name, algorithm, elements, dtype, engine, read, got, ns, rate, bus, delay),) = rows
    (told,) = result.report["collectives"]
    assert (name, algorithm, dtype, engine) == ("AllReduce", told["algorithm"], "float32", "gpsimd")
    assert read == got == told["bytes"] == 4 * elements
    assert rate == pytest.approx(told["bytes"] / ns * 1e9)
    assert bus == pytest.approx(rate * 2 * 15 / 16) and delay >= 0
    links = result.links["collectives"][0]["candidates"][0]
    assert ns > 1000 * links["time_us"]  # on a link at a tenth of its rate
    assert tables.one("select count(*) from Flow where in_table = 'CcOp'") == 1
    assert tables.one("select cc_op_count from Summary") == 1
    assert tables.one("select count(*) from DmaPacketAggregated where op = 'all_reduce'") == 0


@pytest.mark.parametrize("name", ["attention", "load_order", "small_descriptors", "slow_link"])
def test_engines_move_all_bytes_of_each_transfer(attention, slowdowns, tmp_path, name):
    tables = written(attention if name == "attention" else slowdowns[name], tmp_path)
    wrong = tables.ask(
        "select t.id, t.transfer_bytes, sum(p.transfer_bytes) from DmaPacketAggregated t "
        "left join DmaPacket p on p.packet_aggregation_id = t.id group by all "
        "having sum(p.transfer_bytes) is distinct from t.transfer_bytes "
        "or sum(p.read_bytes) is distinct from t.read_bytes "
        "or sum(p.write_bytes) is distinct from t.write_bytes or min(p.start_ts) < t.start_ts "
        "or max(p.end_ts) > t.end_ts or max(p.packet_idx) + 1 <> count(*)"
    )
    assert wrong == []
    alone = "select count(*) from DmaPacket p anti join DmaPacketAggregated t on t.id = "
    assert tables.one(alone + "p.packet_aggregation_id and t.queue_name = p.queue_name") == 0
    # No engine moves two transfers of one queue at a time, nor bytes faster than it can.
    assert tables.one("select max(engine_idx) from DmaPacket") < 16
    assert tables.one("select count(*) from DmaPacket where transfer_bytes < 0") == 0
    served = set(tables.ask("select queue_name, engine_idx from DmaPacket"))
    assert set(tables.ask("select name, engine_idx from DmaQueuesInfo")) == served
    assert len(served) == tables.one("select count(*) from DmaQueuesInfo") > 0


@pytest.mark.parametrize("name", ["attention", "load_order", "psum_eviction", "unfused_norm"])
def test_counts_of_semaphores_are_what_instructions_add_and_take(
    attention, slowdowns, tmp_path, name
):
    result = attention if name == "attention" else slowdowns[name]
    tables = written(result, tmp_path)
    told = json.loads(result._recorded.details())["facts"]["semaphores"]
    changes = tables.ask(
        "select value - lag(value, 1, 0) over "
        "(partition by pcore_idx, id order by timestamp, rowid), update_operation_type, value "
        "from (select *, row_number() over () as rowid from SemaphoreUpdate) "
        "order by timestamp, rowid"
    )
    assert all((change > 0) == (kind == "add") for change, kind, _ in changes)
    assert min(value for *_, value in changes) == 0  # what is not there cannot be taken
    # Each run of an instruction changes what the program says.
    runs = dict(tables.ask("select pc, count(*) from Instruction group by pc"))
    for part, kind in (("signals", "add"), ("waits", "subtract")):
        columns = told[part]
        rows = sum(runs.get(number, 0) for number in columns["instruction"])
        assert sum(one == kind for _, one, _ in changes) == rows > 0
    # A wait ends when what it takes is there.
    assert tables.one("select count(*) from SemaphoreUpdate where timestamp > (select max(end_ts) "
                      "from (select end_ts from Instruction union all select end_ts from "
                      "DmaPacketAggregated))") == 0  # fmt: skip


def test_a_run_of_an_older_version_says_that_it_lacks_semaphores(attention, tmp_path):
    pytest.importorskip("pyarrow")
    attention.save(tmp_path / "run")
    path = tmp_path / "run.details.json"
    details = json.loads(path.read_text())
    del details["facts"]["semaphores"]
    path.write_text(json.dumps(details))
    (run,) = view.runs_at(tmp_path / "run.tytrace")
    rows = explorer.write(run, tmp_path / "tables")
    assert rows["SemaphoreUpdate"] == 0 and rows["DmaPacket"] > 0
    told = Tables(tmp_path / "tables").ask("select message from Warning")
    assert any("SemaphoreUpdate has no row" in message for (message,) in told)


def test_without_details_the_export_says_what_it_needs(attention, tmp_path):
    pytest.importorskip("pyarrow")
    attention.save(tmp_path / "run")
    (tmp_path / "run.details.json").unlink()
    (run,) = view.runs_at(tmp_path / "run.tytrace")
    with pytest.raises(UsageError, match=r"\.details\.json"):
        explorer.write(run, tmp_path / "tables")


def test_without_pyarrow_the_command_says_what_to_install(saved, monkeypatch, tmp_path):
    (run,) = view.runs_at(saved)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match="pip install pyarrow"):
        explorer.write(run, tmp_path / "tables")


def test_the_command_writes_tables(saved, tmp_path):
    pytest.importorskip("pyarrow")
    done = trainyard("view", "--parquet", tmp_path / "tables", saved / "attention.tytrace")
    assert done.code == 0 and "49 tables of schema 7.4.0" in done.err
    assert (tmp_path / "tables/Instruction.parquet").is_file()
