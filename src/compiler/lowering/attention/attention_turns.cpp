#include "compiler/lowering/attention/attention_turns.h"

#include <algorithm>
#include <map>

#include "base/units.h"
#include "compiler/lowering/attention/attention_operands.h"

namespace trainyard::compiler {

namespace {

constexpr std::int64_t room_percent = 70;  // of SBUF

// How many batches have the same keys.
std::int64_t batches_of_keys(const AttentionShape& shape) {
  std::int64_t all = 1;
  for (std::size_t i = 0; i < shape.outer.size(); ++i)
    all *= shape.key_dims[i] == AttentionShape::repeats ? shape.outer[i] : 1;
  return all;
}

// As few parts of whole units as there may be, all of about the same size.
std::int64_t even(std::int64_t all, std::int64_t most, std::int64_t unit) {
  const std::int64_t units = base::ceil_div(all, unit);
  const std::int64_t parts = base::ceil_div(units, most / unit);
  return base::ceil_div(units, parts) * unit;
}

// A part takes whole batches, or some of one.
std::size_t part_end(std::span<const AttentionBand> bands, std::size_t begin, std::size_t part) {
  std::size_t end = std::min(begin + part, bands.size());
  const auto is_cut = [&](std::size_t at) {
    return at < bands.size() && bands[at].batch == bands[at - 1].batch;
  };
  while (is_cut(end) && bands[end - 1].batch != bands[begin].batch) --end;
  return end;
}

}  // namespace

std::vector<AttentionTurn> attention_turns(std::span<const AttentionBand> bands, std::size_t part,
                                           std::int64_t keys, std::int64_t chunk) {
  std::vector<AttentionTurn> all;
  for (std::size_t begin = 0, end = 0; begin < bands.size(); begin = end) {
    end = part_end(bands, begin, part);
    for (std::int64_t key = 0; key < keys; key += chunk) {
      const KeyRange some{key, std::min(keys, key + chunk)};
      const std::size_t first = all.size();
      for (std::size_t i = begin; i < end; ++i) {
        if (bands[i].keys.begin < some.end && bands[i].keys.end > some.begin)
          all.push_back({.band = i, .keys = some});
      }
      if (all.size() == first) continue;
      all[first].is_first = all.back().is_last = true;
    }
  }
  std::map<std::size_t, AttentionTurn*> of_band;
  std::map<std::int64_t, AttentionTurn*> of_keys;
  for (AttentionTurn& turn : all) of_band[turn.band] = of_keys[turn.keys.begin] = &turn;
  for (const auto& [band, turn] : of_band) turn->ends_band = true;
  for (const auto& [key, turn] : of_keys) turn->ends_keys = true;
  return all;
}

std::int64_t bands_of_part(const AttentionShape& shape, std::int64_t operand_bytes,
                           const machine::Core& core) {
  const std::int64_t rows = core.array.rows, blocks = base::ceil_div(shape.keys, rows);
  const std::int64_t width = std::max(shape.depth, shape.columns);
  const std::int64_t of_batch = base::ceil_div(shape.queries, rows);
  const std::int64_t all = batches_of_keys(shape) * of_batch;
  const std::int64_t of_band = 2 * (width + rows) * operand_bytes + shape.depth * 4;
  const std::int64_t of_keys = shape.keys * 2 * operand_bytes + blocks * width * operand_bytes;
  const std::int64_t of_sums = blocks * (shape.depth + shape.columns) * 4;
  const std::int64_t room = core.sbuf.usable().value * room_percent / 100 - 2 * of_keys;
  if (room >= all * of_band) return all;
  const std::int64_t most = std::max<std::int64_t>(0, room - of_sums) / of_band;
  if (most >= of_batch) return even(all, most, of_batch);
  return most >= bands_together ? even(of_batch, most, bands_together) : 0;
}

}  // namespace trainyard::compiler
