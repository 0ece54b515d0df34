#include "trace/perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/hash.h"
#include "trace/perfetto_fields.h"
#include "trace/perfetto_interning.h"
#include "trace/protobuf.h"

namespace trainyard::trace {
namespace {

namespace pf = perfetto;

constexpr unsigned part_bits = 32;  // of a track's number, the part is above these
constexpr std::uint64_t core_uuid_base = 1u << 20;
constexpr std::uint64_t counter_uuid_base = 1u << 21;

std::uint64_t nanosecond(base::Ticks time) {
  return static_cast<std::uint64_t>(time.value / base::ticks_per_nanosecond);
}

// A slice, for looking up its arrows: (track, begin) names it.
using SliceKey = std::pair<std::uint32_t, std::int64_t>;

class Export {
 public:
  Export(const Timeline& timeline, const Labels& labels, const Metadata& metadata,
         const PerfettoOptions& options)
      : timeline_(timeline),
        labels_(labels),
        metadata_(metadata),
        options_(options),
        interning_(labels) {}

  std::string run() {
    attributes();
    descriptors();
    find_flows(timeline_.rows);
    for (std::uint32_t t = 0; t < timeline_.rows.size(); ++t) {
      for (const Interval& interval : timeline_.rows[t]) slice(t, interval);
    }
    return out_.bytes();
  }

 private:
  void packet(ProtoMessage packet, std::uint64_t flags = pf::packet::flag_needs_state) {
    packet.number(pf::packet::sequence_id, 1 + options_.part)
        .number(pf::packet::sequence_flags, flags);
    const ProtoMessage interned = interning_.take();
    if (!interned.empty()) packet.message(pf::packet::interned_data, interned);
    out_.message(pf::trace_packet, packet);
  }

  void attributes() {
    ProtoMessage list;
    const auto add = [&](std::string_view key, std::string_view value) {
      list.message(
          pf::attributes::attribute,
          ProtoMessage().text(pf::attributes::key, key).text(pf::attributes::string_value, value));
    };
    add("program", metadata_.program);
    add("machine", metadata_.machine);
    add("trainyard", metadata_.version);
    add("program_hash", fmt::format("{:016x}", metadata_.program_hash));
    add("machine_hash", fmt::format("{:016x}", metadata_.machine_hash));
    for (const auto& [key, value] : metadata_.more) add(key, value);
    packet(ProtoMessage().message(pf::packet::trace_attributes, list),
           pf::packet::flag_state_cleared);
  }

  // One group for each core, with its tracks in the recorder's order.
  void descriptors() {
    std::set<std::uint32_t> cores;
    for (const Track& track : timeline_.tracks) cores.insert(track.core);
    for (const std::uint32_t core : cores) {
      descriptor(
          ProtoMessage()
              .number(pf::track::uuid, uuid(core_uuid_base + core))
              .text(pf::track::name, fmt::format("{}{}NeuronCore {}", options_.name,
                                                 options_.name.empty() ? "" : ", ", core))
              .number(pf::track::sibling_order_rank, std::uint64_t{options_.part} * 64 + core)
              .number(pf::track::child_ordering, pf::track::ordering_explicit));
    }
    std::uint64_t rank = 0;
    for (std::uint32_t t = 0; t < timeline_.tracks.size(); ++t) {
      const Track& track = timeline_.tracks[t];
      descriptor(child(1 + t, track.core, track.name, ++rank));
    }
  }

  void descriptor(const ProtoMessage& track) {
    packet(ProtoMessage().message(pf::packet::track_descriptor, track));
  }

  // Of this part.
  [[nodiscard]] std::uint64_t uuid(std::uint64_t number) const {
    return number | std::uint64_t{options_.part} << part_bits;
  }

  [[nodiscard]] ProtoMessage child(std::uint64_t number, std::uint32_t core, std::string_view name,
                                   std::uint64_t rank) const {
    return ProtoMessage()
        .number(pf::track::uuid, uuid(number))
        .text(pf::track::name, name)
        .number(pf::track::parent_uuid, uuid(core_uuid_base + core))
        .number(pf::track::sibling_order_rank, rank);
  }

  // What let a wait go on is the last slice of the cause's track that began before the wait ended.
  // The arrow leads to what followed the wait, because Perfetto takes the earlier of two slices for
  // an arrow's start.
  void find_flows(const std::vector<std::vector<Interval>>& intervals) {
    std::uint64_t flow = uuid(0);
    for (std::uint32_t t = 0; t < intervals.size(); ++t) {
      for (std::size_t i = 0; i + 1 < intervals[t].size(); ++i) {
        const Interval& wait = intervals[t][i];
        if (wait.cause == no_track || index(wait.cause) == t || !is_shown(intervals[t][i + 1]))
          continue;
        const std::vector<Interval>& causes = intervals[index(wait.cause)];
        auto cause = std::ranges::partition_point(
            causes, [&](const Interval& c) { return c.begin < wait.end; });
        while (cause != causes.begin() && std::prev(cause)->reason == Reason::idle) --cause;
        if (cause == causes.begin()) continue;
        ++flow;
        flows_out_.emplace(
            SliceKey{static_cast<std::uint32_t>(wait.cause), std::prev(cause)->begin.value}, flow);
        flows_in_.emplace(SliceKey{t, intervals[t][i + 1].begin.value}, flow);
      }
    }
  }

  void slice(std::uint32_t track, const Interval& interval) {
    if (!is_shown(interval)) return;
    ProtoMessage event;
    event.number(pf::event::type, pf::event::type_slice_begin)
        .number(pf::event::track_uuid, uuid(1 + track))
        .number(pf::event::category_iids, interning_.category(interval.reason))
        .number(pf::event::name_iid, slice_name(interval));
    arguments(event, interval);
    if (const std::uint64_t meeting = meeting_of(interval); meeting != 0)
      event.fixed64(pf::event::flow_ids, meeting);
    const SliceKey key{track, interval.begin.value};
    for (auto [at, end] = flows_out_.equal_range(key); at != end; ++at)
      event.fixed64(pf::event::flow_ids, at->second);
    if (const auto flow = flows_in_.find(key); flow != flows_in_.end()) {
      event.fixed64(pf::event::terminating_flow_ids, flow->second);
    }
    packet(ProtoMessage()
               .number(pf::packet::timestamp, nanosecond(interval.begin))
               .message(pf::packet::track_event, event));
    packet(ProtoMessage()
               .number(pf::packet::timestamp, nanosecond(interval.end))
               .message(pf::packet::track_event,
                        ProtoMessage()
                            .number(pf::event::type, pf::event::type_slice_end)
                            .number(pf::event::track_uuid, uuid(1 + track))));
  }

  // The same number for all who work at one meeting; its highest bit tells it from other arrows.
  std::uint64_t meeting_of(const Interval& interval) {
    if (interval.reason != Reason::working || interval.instruction >= options_.meetings.size())
      return 0;
    const std::uint64_t key = options_.meetings[interval.instruction];
    if (key == 0) return 0;
    const auto met = met_.try_emplace({interval.instruction, interval.iteration}, counts_[key]);
    if (met.second) ++counts_[key];
    return base::hash_combine(key, met.first->second) | std::uint64_t{1} << 63;
  }

  static bool is_shown(const Interval& interval) { return interval.reason != Reason::idle; }
  bool is_labelled(const Interval& interval) const { return interval.instruction < labels_.size(); }

  std::uint64_t slice_name(const Interval& interval) {
    if (interval.reason != Reason::working || !is_labelled(interval))
      return interning_.event_name(interval.reason);
    return interning_.event_name(labels_[interval.instruction].mnemonic);
  }

  void arguments(ProtoMessage& event, const Interval& interval) {
    const auto add = [&](ProtoMessage argument) {
      event.message(pf::event::debug_annotations, argument);
    };
    const auto named = [&](Argument argument) {
      return ProtoMessage().number(pf::annotation::name_iid, interning_.argument(argument));
    };
    add(named(Argument::ticks)
            .number(pf::annotation::uint_value,
                    static_cast<std::uint64_t>((interval.end - interval.begin).value)));
    add(named(Argument::reason)
            .number(pf::annotation::string_value_iid, interning_.value_of_reason(interval.reason)));
    if (interval.cause != no_track) {
      const std::string& cause = timeline_.tracks[index(interval.cause)].name;
      add(named(Argument::waits_for)
              .number(pf::annotation::string_value_iid,
                      interning_.value_of_track(interval.cause, cause)));
    }
    if (interval.instruction == no_instruction) return;
    add(named(Argument::instruction).number(pf::annotation::uint_value, interval.instruction));
    add(named(Argument::iteration).number(pf::annotation::uint_value, interval.iteration));
    if (is_labelled(interval)) label_arguments(event, interval);
  }

  void label_arguments(ProtoMessage& event, const Interval& interval) {
    const Label& label = labels_[interval.instruction];
    const auto add = [&](Argument argument, std::uint64_t value) {
      event.message(pf::event::debug_annotations,
                    ProtoMessage()
                        .number(pf::annotation::name_iid, interning_.argument(argument))
                        .number(pf::annotation::string_value_iid, value));
    };
    if (label.operands != 0) add(Argument::operands, interning_.value(label.operands));
    if (label.frame != no_frame) {
      event.number(pf::event::source_location_iid, interning_.source_location(label.frame));
      event.number(pf::event::callstack_iid, interning_.callstack(label.frame));
      add(Argument::stack, interning_.value_of_stack(label.frame));
    }
    if (label.nest == 0) return;
    ProtoMessage dictionary;
    dictionary.number(pf::annotation::name_iid, interning_.argument(Argument::loops));
    const std::vector<LoopIndex> indices =
        labels_.indices(interval.instruction, interval.iteration);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::uint32_t name = labels_.nest(label.nest)[i].name;
      dictionary.message(pf::annotation::dict_entries,
                         ProtoMessage()
                             .number(pf::annotation::name_iid, interning_.argument_of_loop(name))
                             .signed_number(pf::annotation::int_value, indices[i].value));
    }
    event.message(pf::event::debug_annotations, dictionary);
  }

  const Timeline& timeline_;
  const Labels& labels_;
  const Metadata& metadata_;
  const PerfettoOptions& options_;
  PerfettoInterning interning_;
  std::multimap<SliceKey, std::uint64_t> flows_out_;
  std::map<SliceKey, std::uint64_t> flows_in_;
  std::map<std::uint64_t, std::uint64_t> counts_;  // by number: meetings so far
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> met_;  // by instruction and run
  ProtoMessage out_;
};

}  // namespace

std::string series_to_perfetto(std::string_view name, std::span<const Series> series,
                               base::Ticks end, std::uint32_t part) {
  ProtoMessage out;
  const std::uint64_t first = std::uint64_t{part} << part_bits;
  const auto packet = [&](ProtoMessage one) {
    out.message(pf::trace_packet, one.number(pf::packet::sequence_id, 1 + part));
  };
  packet(
      ProtoMessage().message(pf::packet::track_descriptor,
                             ProtoMessage()
                                 .number(pf::track::uuid, first + core_uuid_base)
                                 .text(pf::track::name, name)
                                 .number(pf::track::sibling_order_rank, std::uint64_t{part} * 64)));
  for (std::size_t s = 0; s < series.size(); ++s) {
    const std::uint64_t track = first + counter_uuid_base + s;
    packet(ProtoMessage().message(
        pf::packet::track_descriptor,
        ProtoMessage()
            .number(pf::track::uuid, track)
            .text(pf::track::name, series[s].name)
            .number(pf::track::parent_uuid, first + core_uuid_base)
            .number(pf::track::sibling_order_rank, s)
            .message(pf::track::counter, ProtoMessage().text(pf::counter::unit_name, "%"))));
    std::int64_t before = -1;
    const auto count = static_cast<std::int64_t>(series[s].values.size());
    for (std::int64_t b = 0; b < count; ++b) {
      const double value = series[s].values[static_cast<std::size_t>(b)];
      const auto percent = static_cast<std::int64_t>(value * 100 + 0.5);
      if (percent == before) continue;
      before = percent;
      packet(ProtoMessage()
                 .number(pf::packet::timestamp, nanosecond({end.value / count * b}))
                 .message(pf::packet::track_event,
                          ProtoMessage()
                              .number(pf::event::type, pf::event::type_counter)
                              .number(pf::event::track_uuid, track)
                              .signed_number(pf::event::counter_value, percent)));
    }
  }
  return out.bytes();
}

std::string to_perfetto(const Timeline& timeline, const Labels& labels, const Metadata& metadata,
                        const PerfettoOptions& options) {
  return Export(timeline, labels, metadata, options).run();
}

}  // namespace trainyard::trace
