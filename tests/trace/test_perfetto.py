"""Does Perfetto's own schema read our export, and does it say what was recorded?

The file is the one that test_perfetto.cpp proves equal to the export of its example run.
"""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

REASONS = {
    "working", "waiting_semaphore", "waiting_operand", "waiting_bank", "waiting_queue",
    "waiting_dma", "waiting_link", "waiting_peer", "throttle", "overhead",
}  # fmt: skip


class Export:
    """The packets, with every interned number replaced by what it stands for."""

    def __init__(self, data: bytes):
        self.trace = pb.Trace()
        self.trace.ParseFromString(data)
        self.tables = defaultdict(dict)
        self.tracks = {}
        self.slices = defaultdict(list)
        for packet in self.trace.packet:
            self.add(packet)

    def add(self, packet):
        for field, entries in packet.interned_data.ListFields():
            for entry in entries:
                assert entry.iid not in self.tables[field.name], f"{field.name} is sent twice"
                self.tables[field.name][entry.iid] = entry
        if packet.HasField("track_descriptor"):
            self.tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        if packet.HasField("track_event"):
            self.add_event(packet.timestamp, packet.track_event)

    def add_event(self, timestamp, event):
        assert event.track_uuid in self.tracks
        if event.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
            self.slices[event.track_uuid].append([timestamp, None, event])
        else:
            assert self.slices[event.track_uuid][-1][1] is None, "an end without a begin"
            self.slices[event.track_uuid][-1][1] = timestamp

    def name(self, event):
        return self.tables["event_names"][event.name_iid].name

    def category(self, event):
        (iid,) = event.category_iids
        return self.tables["event_categories"][iid].name

    def arguments(self, event):
        return {self.argument_name(a): self.argument_value(a) for a in event.debug_annotations}

    def argument_name(self, argument):
        return self.tables["debug_annotation_names"][argument.name_iid].name

    def argument_value(self, argument):
        if argument.dict_entries:
            return {self.argument_name(a): a.int_value for a in argument.dict_entries}
        if argument.WhichOneof("value") == "string_value_iid":
            return self.tables["debug_annotation_string_values"][
                argument.string_value_iid
            ].str.decode()
        return argument.uint_value

    def callstack(self, event):
        frames = [
            self.tables["frames"][i]
            for i in self.tables["callstacks"][event.callstack_iid].frame_ids
        ]
        return [
            (
                self.tables["function_names"][frame.function_name_id].str.decode(),
                self.tables["source_paths"][frame.source_path_iid].str.decode(),
                frame.line_number,
            )
            for frame in frames
        ]


@pytest.fixture(scope="module")
def export():
    return Export(Path(__file__).with_name("example.pftrace").read_bytes())


def unknown_fields(message):
    """The numbers of all fields, at any depth, that Perfetto's schema does not have."""
    found = [field.field_number for field in UnknownFieldSet(message)]
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for each in value if field.is_repeated else [value]:
                found += unknown_fields(each)
    return found


def test_every_field_is_in_the_schema(export):
    assert unknown_fields(export.trace) == []


def test_the_first_packet_clears_the_state_and_all_others_need_it(export):
    flags = [packet.sequence_flags for packet in export.trace.packet]
    assert flags == [1] + [2] * (len(flags) - 1)
    assert {packet.trusted_packet_sequence_id for packet in export.trace.packet} == {1}


def test_tracks_have_names_and_a_group(export):
    names = {
        track.name: export.tracks[track.parent_uuid].name
        for track in export.tracks.values()
        if track.parent_uuid
    }
    assert names == dict.fromkeys(["tensor", "vector", "dma0"], "NeuronCore 0")


def test_slices_of_a_track_are_closed_and_follow_each_other(export):
    assert len(export.slices) == 3
    for slices in export.slices.values():
        assert len(slices) == 12
        for before, after in pairwise(slices):
            assert before[0] <= before[1] <= after[0]


def test_slices_are_named_by_mnemonic_when_working_and_by_reason_otherwise(export):
    seen = set()
    for slices in export.slices.values():
        for _, _, event in slices:
            category = export.category(event)
            assert category in REASONS
            expected = {"nc_matmul", "tensor_copy"} if category == "working" else {category}
            assert export.name(event) in expected
            seen.add(export.name(event))
    assert {"nc_matmul", "tensor_copy", "waiting_semaphore"} <= seen


def test_every_slice_says_where_it_comes_from(export):
    labelled = 0
    for slices in export.slices.values():
        for begin, end, event in slices:
            arguments = export.arguments(event)
            assert abs((end - begin) - arguments["ticks"] / 168) < 1
            if "instruction" not in arguments:
                continue
            labelled += 1
            number = arguments["instruction"]
            line = 10 + number % 4
            assert arguments["operands"] == f"dst=psum[{number}]"
            assert arguments["loops"] == {"tile": 128 * arguments["iteration"], "k": number // 4}
            assert arguments["stack"] == f"main (main.py:3) > attention (kernel.py:{line})"
            assert export.callstack(event) == [
                ("main", "main.py", 3),
                ("attention", "kernel.py", line),
            ]
            source = export.tables["source_locations"][event.source_location_iid]
            assert (source.file_name, source.line_number) == ("kernel.py", line)
    assert labelled >= 30


def test_waits_name_what_they_wait_for(export):
    causes = [
        export.arguments(event).get("waits for")
        for slices in export.slices.values()
        for _, _, event in slices
        if export.category(event).startswith("waiting")
    ]
    assert causes and set(causes) <= {"tensor", "vector", "dma0"}


def test_every_arrow_leads_forward(export):
    starts, ends = {}, {}
    for slices in export.slices.values():
        for begin, _, event in slices:
            starts.update(dict.fromkeys(event.flow_ids, begin))
            ends.update(dict.fromkeys(event.terminating_flow_ids, begin))
    assert ends and set(ends) == set(starts)
    assert all(starts[flow] <= ends[flow] for flow in ends)


def test_attributes_identify_the_run(export):
    attributes = {a.key: a.string_value for a in export.trace.packet[0].trace_attributes.attribute}
    assert attributes == {
        "program": "attention", "machine": "trn3", "trainyard": "0.1.0", "grid": "2",
        "program_hash": "0000000000000abc", "machine_hash": "0000000000000def",
    }  # fmt: skip
