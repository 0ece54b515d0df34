#include "planner/blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace trainyard::planner {

namespace {

constexpr std::int64_t rows_step = 512;   // samples have whole blocks of so many rows
constexpr std::int64_t experts_max = 64;  // of one program, where each computes every token
constexpr double passes_backward = 3;     // products with gradients, over those without
constexpr double array_side = 128;  // a narrower product takes as many instructions as a full one

double experts_macs(const Block& block) {
  double products = 0;
  for (const Matrix& matrix : block.matrices)
    if (matrix.name != "router")
      products +=
          std::max(array_side, real(matrix.depth)) * std::max(array_side, real(matrix.width));
  return real(block.rows * block.hidden * block.routing.experts) +
         real(block.routing.local * capacity(block)) * products;
}

// Keys that a row sees.
double seen_keys(const Block& block) {
  if (block.context > 0) return real(block.context);
  const double seen = real(block.past) + real(block.rows + std::min(rows_step, block.rows)) / 2;
  return block.window > 0 ? std::min(seen, real(block.window)) : seen;
}

}  // namespace

std::string_view name(BlockKind kind) {
  switch (kind) {
    case BlockKind::attention: return "attention";
    case BlockKind::feed_forward: return "feed_forward";
    case BlockKind::experts: return "experts";
    case BlockKind::norm: return "norm";
  }
  base::fail("unknown block");
}

std::string count_text(std::int64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string title(const Block& block) {
  switch (block.kind) {
    case BlockKind::attention: {
      const std::string heads = count_text(block.heads.queries, "head");
      if (block.context > 0)
        return fmt::format("attention block, {}, {} keys", heads, block.context);
      return block.window > 0 ? fmt::format("attention block, {}, window {}", heads, block.window)
                              : fmt::format("attention block, {}", heads);
    }
    case BlockKind::feed_forward:
      return fmt::format("feed-forward block, inner {}", block.matrices.front().width);
    case BlockKind::experts:
      return fmt::format("{}, inner {}, {}", count_text(block.routing.local, "expert"),
                         block.matrices.at(1).width,
                         block.routing.every ? std::string("all tokens")
                                             : count_text(capacity(block), "token") + " each");
    case BlockKind::norm:
      return fmt::format("norm and residual, {}", count_text(block.rows, "row"));
  }
  base::fail("unknown block");
}

std::int64_t capacity(const Block& block) {
  const Routing& routing = block.routing;
  if (routing.every) return block.rows;
  return std::max<std::int64_t>(
      1, (block.rows * routing.chosen + routing.experts - 1) / routing.experts);
}

double weight_macs(const Block& block) {
  if (block.kind == BlockKind::experts) return experts_macs(block);
  if (block.kind == BlockKind::norm) return array_side * real(block.rows * block.hidden);
  return real(block.rows) * elements(block.matrices);
}

double macs(const Block& block) {
  const double weights = weight_macs(block);
  if (block.kind != BlockKind::attention) return weights;
  return weights + real(block.rows) * pair_macs(block.heads) * seen_keys(block);
}

Block with_rows(const Block& block, std::int64_t rows) {
  Block fewer = block;
  if (block.kind == BlockKind::attention && block.context == 0) {
    fewer.past += (block.rows - rows) / 2;
    if (block.window > 0) fewer.past = std::min(fewer.past, (block.window + 127) / 128 * 128);
  }
  fewer.rows = rows;
  return fewer;
}

Block sample_of(const Block& block, double macs_max) {
  const double most = macs_max / (block.backward ? passes_backward : 1);
  Block sample = block;
  while (macs(sample) > most && sample.rows > rows_step)
    sample = with_rows(block, std::max(rows_step, sample.rows / 2 / rows_step * rows_step));
  if (sample.routing.every) sample.routing.local = std::min(sample.routing.local, experts_max);
  return sample;
}

double times_of(const Block& block, const Block& sample) {
  const double experts =
      block.kind == BlockKind::experts ? real(block.routing.local) / real(sample.routing.local) : 1;
  return real(block.rows) / real(sample.rows) * experts;
}

std::string sample_text(const Block& block, const Block& sample) {
  std::string text;
  if (sample.rows < block.rows) text = fmt::format("{} of {} rows", sample.rows, block.rows);
  if (sample.routing.local < block.routing.local)
    text += fmt::format("{}{} of {} experts", text.empty() ? "" : ", ", sample.routing.local,
                        block.routing.local);
  return text;
}

}  // namespace trainyard::planner
