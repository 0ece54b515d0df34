#include "trace/perfetto_interning.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trace/perfetto_fields.h"

namespace trainyard::trace {
namespace {

namespace fields = perfetto::interned;

constexpr std::array<std::string_view, argument_count> argument_names = {
    "", "instruction", "iteration", "operands", "stack", "loops", "reason", "ticks", "waits for"};

// String values are numbered by what they are made of; each kind has a range of its own.
enum class ValueKind : std::uint64_t { label, stack, reason, track };

std::uint64_t value_iid(ValueKind kind, std::uint64_t number) {
  return (static_cast<std::uint64_t>(kind) << 33) + 1 + number;
}

}  // namespace

std::uint64_t PerfettoInterning::category(Reason reason) {
  return text_once(fields::event_categories, 1 + index(reason), name(reason));
}

std::uint64_t PerfettoInterning::event_name(Reason reason) {
  return text_once(fields::event_names, 1 + index(reason), name(reason));
}

std::uint64_t PerfettoInterning::event_name(std::uint32_t label_string) {
  return text_once(fields::event_names, 1 + reason_count + label_string,
                   labels_.string(label_string));
}

std::uint64_t PerfettoInterning::argument(Argument argument) {
  const auto number = static_cast<std::size_t>(argument);
  return text_once(fields::annotation_names, number, argument_names[number]);
}

std::uint64_t PerfettoInterning::argument_of_loop(std::uint32_t label_string) {
  return text_once(fields::annotation_names, argument_count + label_string,
                   labels_.string(label_string));
}

std::uint64_t PerfettoInterning::value(std::uint32_t label_string) {
  return text_once(fields::annotation_strings, value_iid(ValueKind::label, label_string),
                   labels_.string(label_string));
}

std::uint64_t PerfettoInterning::value_of_stack(std::uint32_t frame) {
  const std::uint64_t iid = value_iid(ValueKind::stack, frame);
  return is_new(fields::annotation_strings, iid)
             ? add_text(fields::annotation_strings, iid, stack_text(frame))
             : iid;
}

std::uint64_t PerfettoInterning::value_of_reason(Reason reason) {
  return text_once(fields::annotation_strings, value_iid(ValueKind::reason, index(reason)),
                   prose(reason));
}

std::uint64_t PerfettoInterning::value_of_track(TrackId track, std::string_view name) {
  return text_once(fields::annotation_strings, value_iid(ValueKind::track, index(track)), name);
}

std::uint64_t PerfettoInterning::source_location(std::uint32_t frame_id) {
  const std::uint64_t iid = std::uint64_t{1} + frame_id;
  if (!is_new(fields::source_locations, iid)) return iid;
  const Frame& frame = labels_.frame(frame_id);
  return add(fields::source_locations, iid,
             ProtoMessage()
                 .number(fields::iid, iid)
                 .text(perfetto::source_location::file_name, labels_.string(frame.file))
                 .text(perfetto::source_location::function_name, labels_.string(frame.function))
                 .number(perfetto::source_location::line_number, frame.line));
}

std::uint64_t PerfettoInterning::callstack(std::uint32_t frame_id) {
  const std::uint64_t iid = std::uint64_t{1} + frame_id;
  if (!is_new(fields::callstacks, iid)) return iid;
  ProtoMessage stack;
  stack.number(fields::iid, iid);
  for (const std::uint32_t id : outermost_first(frame_id))
    stack.number(perfetto::callstack::frame_ids, frame(id));
  return add(fields::callstacks, iid, stack);
}

std::uint64_t PerfettoInterning::frame(std::uint32_t frame_id) {
  const std::uint64_t iid = std::uint64_t{1} + frame_id;
  if (!is_new(fields::frames, iid)) return iid;
  const Frame& frame = labels_.frame(frame_id);
  const std::uint64_t function = text_once(
      fields::function_names, std::uint64_t{1} + frame.function, labels_.string(frame.function));
  const std::uint64_t file =
      text_once(fields::source_paths, std::uint64_t{1} + frame.file, labels_.string(frame.file));
  return add(fields::frames, iid,
             ProtoMessage()
                 .number(fields::iid, iid)
                 .number(perfetto::frame::function_name_id, function)
                 .number(perfetto::frame::source_path_iid, file)
                 .number(perfetto::frame::line_number, frame.line));
}

ProtoMessage PerfettoInterning::take() { return std::exchange(data_, {}); }

bool PerfettoInterning::is_new(std::uint32_t field, std::uint64_t iid) {
  return known_.insert((std::uint64_t{field} << 48) | iid).second;
}

std::uint64_t PerfettoInterning::add(std::uint32_t field, std::uint64_t iid,
                                     const ProtoMessage& entry) {
  data_.message(field, entry);
  return iid;
}

std::uint64_t PerfettoInterning::add_text(std::uint32_t field, std::uint64_t iid,
                                          std::string_view text) {
  return add(field, iid, ProtoMessage().number(fields::iid, iid).text(fields::text, text));
}

std::uint64_t PerfettoInterning::text_once(std::uint32_t field, std::uint64_t iid,
                                           std::string_view text) {
  return is_new(field, iid) ? add_text(field, iid, text) : iid;
}

std::vector<std::uint32_t> PerfettoInterning::outermost_first(std::uint32_t frame) const {
  std::vector<std::uint32_t> stack;
  for (; frame != no_frame; frame = labels_.frame(frame).parent) stack.push_back(frame);
  std::ranges::reverse(stack);
  return stack;
}

std::string PerfettoInterning::stack_text(std::uint32_t frame_id) const {
  std::string result;
  for (const std::uint32_t id : outermost_first(frame_id)) {
    const Frame& frame = labels_.frame(id);
    if (!result.empty()) result += " > ";
    result += fmt::format("{} ({}:{})", labels_.string(frame.function), labels_.string(frame.file),
                          frame.line);
  }
  return result;
}

}  // namespace trainyard::trace
