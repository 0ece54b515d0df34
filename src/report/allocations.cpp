#include "report/allocations.h"

#include <algorithm>
#include <limits>

namespace trainyard::report {
namespace {

constexpr base::Ticks not_yet{std::numeric_limits<std::int64_t>::max()};

// From the start of an instruction's first run to the end of its last, and how often it ran.
struct Span {
  base::Ticks begin = not_yet;
  base::Ticks end;
  std::int64_t runs = 0;
};

// An instruction holds its operands while it works. Waiting for them, it may not have them yet, and
// the engine that issues a transfer never has them.
std::vector<Span> spans_of(const isa::Program& program, const trace::Timeline& timeline) {
  std::vector<Span> spans(program.instructions.size());
  for (std::size_t t = 0; t < timeline.rows.size(); ++t) {
    const bool is_engine = timeline.tracks[t].kind == trace::TrackKind::engine;
    for (const trace::Interval& row : timeline.rows[t]) {
      if (row.reason != trace::Reason::working || row.instruction >= spans.size()) continue;
      if (is_engine && program.info_at(row.instruction).kind == isa::Kind::dma) continue;
      Span& span = spans[row.instruction];
      span.begin = std::min(span.begin, row.begin);
      span.end = std::max(span.end, row.end);
      span.runs = std::max(span.runs, std::int64_t{row.iteration} + 1);
    }
  }
  return spans;
}

}  // namespace

std::vector<Allocation> allocations_of(const isa::Program& program,
                                       const trace::Timeline& timeline) {
  const std::vector<Span> spans = spans_of(program, timeline);
  std::vector<Allocation> all(program.tensors.size());
  for (isa::TensorId t = 0; t < all.size(); ++t) all[t] = {.tensor = t, .begin = not_yet};
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    const Span& span = spans[i];
    if (span.runs == 0) continue;
    program.for_each_tile(i,
                          [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
                            if (tile.tensor >= all.size()) return;
                            Allocation& each = all[tile.tensor];
                            each.begin = std::min(each.begin, span.begin);
                            each.end = std::max(each.end, span.end);
                            if (isa::reads(access)) each.moved.read += tile.bytes() * span.runs;
                            if (isa::writes(access)) each.moved.written += tile.bytes() * span.runs;
                          });
  }
  std::erase_if(all, [](const Allocation& each) { return each.begin == not_yet; });
  return all;
}

}  // namespace trainyard::report
