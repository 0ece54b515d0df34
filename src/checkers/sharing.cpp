#include "checkers/sharing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "checkers/reach.h"
#include "checks/registry.h"
#include "isa/core/runs.h"
#include "isa/semantics/meeting.h"

namespace trainyard::checkers {

using isa::Access;
using isa::Tile;

SharingCheck::SharingCheck(std::span<const Watched> tensors) {
  for (const Watched& place : tensors) tensors_.push_back({.place = place});
}

SharingCheck::Seat SharingCheck::join() {
  for (Shared& shared : tensors_) shared.by_core.emplace_back();
  passed_.emplace_back();
  old_.emplace_back();
  return {this, old_.size() - 1};
}

SharingCheck::Shared* SharingCheck::find(const Tile& tile, const isa::Execution& execution) {
  if (tile.space != isa::Space::hbm) return nullptr;
  const std::int64_t first = execution.hbm_base[tile.tensor];
  const auto found =
      std::ranges::find(tensors_, first, [](const Shared& shared) { return shared.place.first; });
  return found == tensors_.end() ? nullptr : &*found;
}

// --- Intervals and spans ---

SharingCheck::Intervals SharingCheck::intervals_of(const Tile& tile, isa::Execution& execution) {
  Intervals found;
  for_each_part(tile, execution, [&](const Part& part) {
    isa::for_each_run(part.tile, [&](std::int64_t first, std::int64_t bytes) {
      found.push_back({first, first + bytes});
      return true;
    });
  });
  std::ranges::sort(found, {}, &Interval::first);
  Intervals merged;
  for (const Interval& one : found) {
    if (!merged.empty() && one.first <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, one.end);
    } else {
      merged.push_back(one);
    }
  }
  return merged;
}

// Calls f(entry, overlap) for the spans that reach into an interval, in ascending order.
template <typename F>
void SharingCheck::for_each_overlap(const Spans& spans, Interval where, F&& f) {
  auto at = spans.upper_bound(where.first);
  if (at != spans.begin() && std::prev(at)->second.end > where.first) --at;
  for (; at != spans.end() && at->first < where.end; ++at)
    f(*at, Interval{std::max(at->first, where.first), std::min(at->second.end, where.end)});
}

std::span<const std::byte> SharingCheck::part_of(const Spans::value_type& span, Interval where) {
  if (span.second.bytes.empty()) return {};
  return std::span(span.second.bytes)
      .subspan(static_cast<std::size_t>(where.first - span.first),
               static_cast<std::size_t>(where.end - where.first));
}

// Takes the place of whatever is there.
void SharingCheck::put(Spans& spans, std::int64_t first, Span span) {
  Spans rest;
  for_each_overlap(spans, {first, span.end}, [&](const Spans::value_type& old, Interval) {
    const auto keep = [&](Interval part) {
      if (part.first >= part.end) return;
      const std::span<const std::byte> bytes = part_of(old, part);
      rest.emplace(part.first, Span{part.end, old.second.event, {bytes.begin(), bytes.end()}});
    };
    keep({old.first, std::min(old.second.end, first)});
    keep({std::max(old.first, span.end), old.second.end});
  });
  auto at = spans.upper_bound(first);
  if (at != spans.begin() && std::prev(at)->second.end > first) --at;
  spans.erase(at, spans.lower_bound(span.end));
  spans.merge(rest);
  spans.insert_or_assign(first, std::move(span));
}

namespace {

bool share_one(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  return std::ranges::any_of(
      a, [&](std::uint32_t fence) { return std::ranges::find(b, fence) != b.end(); });
}

}  // namespace

bool SharingCheck::ordered(const Event& a, const Event& b) {
  return share_one(a.before, b.behind) || share_one(b.before, a.behind);
}

// --- What is found ---

namespace {

// "instance 1 writes it by dma_copy, run 3, at kernel.py:12 in kernel".
std::string told(const Side& side) {
  return fmt::format("{} {} it by {}{}{}", side.actor.substr(0, side.actor.find(',')), side.role,
                     side.what, side.run > 1 ? fmt::format(", run {},", side.run) : "",
                     side.place.empty() ? "" : " at " + side.place);
}

}  // namespace

Side SharingCheck::side_of(const Event& event, std::string_view role) {
  Side side = side_at(*event.program, role, event.instruction, event.when);
  side.actor = fmt::format("instance {}, {}", event.core, side.actor);
  return side;
}

void SharingCheck::report_conflict(const Event& read, const Event& write, const Event& now,
                                   std::int64_t byte, Findings& findings) {
  findings.report(
      checks::find("grid.conflict"), now.program->instructions[now.instruction].location, 0, [&] {
        const isa::Tensor& tensor = now.program->tensors[now.tensor];
        const Side reads = side_of(read, "reads"), writes = side_of(write, "writes");
        return Findings::Details{
            .found = fmt::format("element {} of '{}': {}; {}; no core_barrier on it lies between",
                                 element_at(tensor, byte), tensor.name, told(reads), told(writes)),
            .sides = {reads, writes},
            .category = base::FaultCategory::race};
      });
}

// What several cores have written since the last barrier: the same everywhere?
void SharingCheck::compare(const Shared& shared, Findings& findings) {
  for (std::size_t one = 0; one < shared.by_core.size(); ++one) {
    for (std::size_t other = one + 1; other < shared.by_core.size(); ++other) {
      for (const auto& mine : shared.by_core[one].written) {
        for_each_overlap(shared.by_core[other].written, {mine.first, mine.second.end},
                         [&](const Spans::value_type& theirs, Interval both) {
                           const Event &a = *mine.second.event, &b = *theirs.second.event;
                           if (ordered(a, b)) return;
                           const auto x = part_of(mine, both), y = part_of(theirs, both);
                           const auto differs = std::ranges::mismatch(x, y).in1;
                           if (differs == x.end()) return;
                           report_overwrite(a, b, both.first + (differs - x.begin()), findings);
                         });
      }
    }
  }
}

void SharingCheck::report_overwrite(const Event& a, const Event& b, std::int64_t byte,
                                    Findings& findings) {
  // The line is one of the program whose findings these are.
  const Event& mine = a.program == &findings.program() ? a : b;
  findings.report(
      checks::find("grid.overwrite"), mine.program->instructions[mine.instruction].location, 0,
      [&] {
        const isa::Tensor& tensor = mine.program->tensors[mine.tensor];
        const Side x = side_of(a, "writes"), y = side_of(b, "writes");
        return Findings::Details{
            .found = fmt::format("element {} of '{}': {}; {}, another value; no core_barrier on it "
                                 "lies between",
                                 element_at(tensor, byte), tensor.name, told(x), told(y)),
            .sides = {x, y},
            .category = base::FaultCategory::race};
      });
}

// --- What cores do ---

bool SharingCheck::touch(const Intervals& a, const Intervals& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].first < b[j].end && b[j].first < a[i].end) return true;
    a[i].end < b[j].end ? ++i : ++j;
  }
  return false;
}

void SharingCheck::read(Shared& shared, const std::shared_ptr<Event>& event, Interval where,
                        Findings& findings) {
  Deeds& mine = shared.by_core[event->core];
  // What the core itself left there.
  std::vector<std::pair<Interval, std::span<const std::byte>>> own;
  for_each_overlap(mine.written, where, [&](const Spans::value_type& span, Interval part) {
    own.emplace_back(part, part_of(span, part));
  });
  for (std::size_t other = 0; other < shared.by_core.size(); ++other) {
    if (other == event->core) continue;
    for_each_overlap(
        shared.by_core[other].written, where, [&](const Spans::value_type& span, Interval both) {
          if (ordered(*event, *span.second.event)) return;
          std::int64_t alike = both.first;  // up to here
          for (const auto& [part, bytes] : own) {
            if (part.end <= alike || part.first > alike) continue;
            const Interval common{alike, std::min(part.end, both.end)};
            if (common.first >= common.end) break;
            const auto theirs = part_of(span, common);
            const auto left = bytes.subspan(static_cast<std::size_t>(common.first - part.first));
            alike += std::ranges::mismatch(theirs, left).in1 - theirs.begin();
            if (alike < common.end) break;
          }
          if (alike < both.end)
            report_conflict(*event, *span.second.event, *event, alike, findings);
        });
  }
  put(mine.read, where.first, {where.end, event, {}});
  for (const auto& [part, bytes] : own)
    put(mine.read, part.first, {part.end, event, {bytes.begin(), bytes.end()}});
}

void SharingCheck::write(Shared& shared, const std::shared_ptr<Event>& event, Interval where,
                         const std::byte* bytes, Findings& findings) {
  for (std::size_t other = 0; other < shared.by_core.size(); ++other) {
    if (other == event->core) continue;
    for_each_overlap(
        shared.by_core[other].read, where, [&](const Spans::value_type& span, Interval both) {
          if (ordered(*event, *span.second.event)) return;
          const std::byte* mine = bytes + (both.first - where.first);
          // What was there before both began may be read and then overwritten: attention blocks of
          // nki-library read a cache whole, mask the newest rows and store them without a barrier.
          const auto theirs = part_of(span, both);
          const auto differs = std::ranges::mismatch(theirs, std::span(mine, theirs.size())).in1;
          if (differs == theirs.end()) return;
          report_conflict(*span.second.event, *event, *event,
                          both.first + (differs - theirs.begin()), findings);
        });
  }
  const auto count = static_cast<std::size_t>(where.end - where.first);
  put(shared.by_core[event->core].written, where.first, {where.end, event, {bytes, bytes + count}});
}

void SharingCheck::fence(std::size_t core, const isa::InstructionInfo& info, const void* record,
                         isa::Execution& execution, Findings& findings) {
  const isa::Meeting meeting = info.meeting(record);
  const std::pair way{static_cast<int>(execution.engine), meeting.channel};
  if (++passed_[core][way] <= fences_[way]) return;  // another core was here before
  ++fences_[way];
  isa::for_each_operand_piece(
      info, record, [&](const isa::OperandInfo&, const Tile&, const Tile& piece, Access) {
        Shared* shared = find(piece, execution);
        if (shared == nullptr) return;
        const Intervals where = intervals_of(piece, execution);
        if (where.size() == 1 && where[0].end - where[0].first == shared->place.bytes) {
          compare(*shared, findings);
          shared->by_core.assign(shared->by_core.size(), {});
          shared->partial.clear();
          return;
        }
        shared->partial.emplace_back(++partial_fences_, where);
        for (const Deeds& deeds : shared->by_core) {
          for (const Spans* spans : {&deeds.written, &deeds.read}) {
            for (const Interval& part : where) {
              for_each_overlap(*spans, part, [&](const Spans::value_type& span, Interval) {
                std::vector<std::uint32_t>& before = span.second.event->before;
                if (before.empty() || before.back() != partial_fences_)
                  before.push_back(partial_fences_);
              });
            }
          }
        }
      });
}

std::shared_ptr<SharingCheck::Event> SharingCheck::event_of(const Shared& shared,
                                                            const Doing& doing, const Tile& tile,
                                                            const Intervals& where) {
  auto event = std::make_shared<Event>(Event{.core = doing.core,
                                             .program = &doing.execution.program,
                                             .tensor = tile.tensor,
                                             .instruction = doing.instruction,
                                             .when = doing.when});
  for (const auto& [fence, region] : shared.partial) {
    if (touch(region, where)) event->behind.push_back(fence);
  }
  return event;
}

// --- From the runner ---

// Calls f(shared, tile, access) for the watched tensors that an instruction touches.
template <typename F>
void SharingCheck::for_each_watched(const isa::InstructionInfo& info, const void* record,
                                    const isa::Execution& execution, F&& f) {
  isa::for_each_operand_piece(
      info, record, [&](const isa::OperandInfo&, const Tile&, const Tile& piece, Access access) {
        if (Shared* shared = find(piece, execution)) f(*shared, piece, access);
      });
}

void SharingCheck::apply(std::size_t core, const isa::InstructionInfo& info, const void* record,
                         isa::Execution& execution) {
  old_[core].clear();
  for_each_watched(info, record, execution, [&](Shared& shared, const Tile& tile, Access access) {
    if (access != Access::write_some) return;
    for (const Interval& part : intervals_of(tile, execution)) {
      const std::byte* from = execution.core.hbm->at(shared.place.first + part.first);
      old_[core].insert(old_[core].end(), from, from + (part.end - part.first));
    }
  });
}

void SharingCheck::applied(const Doing& doing, const isa::InstructionInfo& info, const void* record,
                           Findings& findings) {
  const isa::Encounter encounter = info.encounter(record);
  if (encounter == isa::Encounter::barrier || encounter == isa::Encounter::collective)
    return fence(doing.core, info, record, doing.execution, findings);
  const bool keeps = copies_onto_itself(info, record);
  const auto look = [&](bool writes) {
    const std::byte* old = old_[doing.core].data();
    for_each_watched(
        info, record, doing.execution, [&](Shared& shared, const Tile& tile, Access access) {
          if (writes ? !isa::writes(access) || keeps : !isa::reads(access)) return;
          const Intervals where = intervals_of(tile, doing.execution);
          const auto event = event_of(shared, doing, tile, where);
          for (const Interval& part : where) {
            if (!writes) {
              read(shared, event, part, findings);
              continue;
            }
            const std::byte* now = doing.execution.core.hbm->at(shared.place.first + part.first);
            if (access != Access::write_some) {
              write(shared, event, part, now, findings);
              continue;
            }
            // Only what is seen to change was surely written.
            const std::int64_t count = part.end - part.first;
            for (std::int64_t i = 0, end = 0; i < count; i = end) {
              for (end = i + 1; end < count && (old[end] != now[end]) == (old[i] != now[i]);) ++end;
              if (old[i] != now[i])
                write(shared, event, {part.first + i, part.first + end}, now + i, findings);
            }
            old += count;
          }
        });
  };
  look(false);
  look(true);
}

void SharingCheck::finish(Findings& findings) const {
  for (const Shared& shared : tensors_) compare(shared, findings);
}

}  // namespace trainyard::checkers
