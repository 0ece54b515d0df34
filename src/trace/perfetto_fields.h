// Field numbers of Perfetto's messages, as in google/perfetto protos/perfetto/trace
// (trace_packet.proto, track_event/*.proto, interned_data/interned_data.proto,
// profiling/profile_common.proto, common/trace_attributes.proto). Only those that the export
// writes.
#pragma once

#include <cstdint>

namespace trainyard::trace::perfetto {

inline constexpr std::uint32_t trace_packet = 1;

namespace packet {
inline constexpr std::uint32_t timestamp = 8, sequence_id = 10, track_event = 11,
                               interned_data = 12, sequence_flags = 13, track_descriptor = 60,
                               trace_attributes = 126;
inline constexpr std::uint64_t flag_state_cleared = 1, flag_needs_state = 2;
}  // namespace packet

namespace event {
inline constexpr std::uint32_t category_iids = 3, debug_annotations = 4, type = 9, name_iid = 10,
                               track_uuid = 11, counter_value = 30, source_location_iid = 34,
                               flow_ids = 47, terminating_flow_ids = 48, callstack_iid = 56;
inline constexpr std::uint64_t type_slice_begin = 1, type_slice_end = 2, type_counter = 4;
}  // namespace event

namespace annotation {
inline constexpr std::uint32_t name_iid = 1, uint_value = 3, int_value = 4, dict_entries = 11,
                               string_value_iid = 17;
}

namespace interned {
inline constexpr std::uint32_t event_categories = 1, event_names = 2, annotation_names = 3,
                               source_locations = 4, function_names = 5, frames = 6, callstacks = 7,
                               source_paths = 18, annotation_strings = 29;
// Most entries are {iid, text}.
inline constexpr std::uint32_t iid = 1, text = 2;
}  // namespace interned

namespace source_location {
inline constexpr std::uint32_t file_name = 2, function_name = 3, line_number = 4;
}
namespace frame {
inline constexpr std::uint32_t function_name_id = 2, source_path_iid = 5, line_number = 6;
}
namespace callstack {
inline constexpr std::uint32_t frame_ids = 2;
}

namespace track {
inline constexpr std::uint32_t uuid = 1, name = 2, parent_uuid = 5, counter = 8,
                               child_ordering = 11, sibling_order_rank = 12;
inline constexpr std::uint64_t ordering_explicit = 3;
}  // namespace track
namespace counter {
inline constexpr std::uint32_t unit_name = 6;
}
namespace attributes {
inline constexpr std::uint32_t attribute = 1, key = 1, string_value = 3;
}

}  // namespace trainyard::trace::perfetto
