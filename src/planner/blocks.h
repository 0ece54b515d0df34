// Blocks of a layer as one core does them: what attends, what follows it (one inner size, or
// experts), and norms with residuals. A block ends where tensor parallelism sums over cores. What
// lies above the planner makes programs of them (python/trainyard/planner/programs.py).
#pragma once

#include <string>
#include <vector>

#include "planner/model.h"
#include "planner/plan.h"

namespace trainyard::planner {

enum class BlockKind : std::uint8_t { attention, feed_forward, experts, norm };
[[nodiscard]] std::string_view name(BlockKind kind);

// Router, top-k, rows gathered for the experts of one core, their products, rows added back.
struct Routing {
  std::int64_t experts = 0;  // of the layer
  std::int64_t chosen = 0;   // for a token
  std::int64_t local = 0;    // experts of the core
  bool every = false;        // each expert computes every row, and what it was not chosen for
                             // counts nothing
  friend bool operator==(const Routing&, const Routing&) = default;
};

struct Block {
  BlockKind kind = BlockKind::norm;
  std::int64_t rows = 0, hidden = 0;
  std::vector<Matrix> matrices = {};  // the core's; of experts, the router and those of one
  Format format = Format::bf16;       // of the matrices
  bool backward = false;              // with gradients
  // Attention: rows of one sequence see `past` keys before the first row; or, where there is a
  // `context`, `together` rows are the last tokens of a sequence with so many in its cache.
  Heads heads = {};
  std::int64_t past = 0, window = 0, context = 0, together = 1;
  Format cache = Format::bf16;
  bool rotary = true;
  Routing routing = {};
  bool centred = false;  // of a norm: it subtracts the mean
  friend bool operator==(const Block&, const Block&) = default;
};

// "attention block, 4 heads, window 128", as tables call it.
[[nodiscard]] std::string title(const Block& block);
// "1 head", "2 heads".
[[nodiscard]] std::string count_text(std::int64_t number, std::string_view what);
// Multiply-accumulates with weights, and all. A norm counts for the steps of other engines that it
// takes about as long as.
[[nodiscard]] double weight_macs(const Block& block);
[[nodiscard]] double macs(const Block& block);
// Rows of an expert, with none to spare: where tokens crowd, some are dropped.
[[nodiscard]] std::int64_t capacity(const Block& block);

// Fewer rows, that see what a row sees on average.
[[nodiscard]] Block with_rows(const Block& block, std::int64_t rows);
// What is simulated: all, or as many whole blocks of rows and experts as are quick; the others take
// as long. `macs_max`: of a program.
[[nodiscard]] Block sample_of(const Block& block, double macs_max = 2e11);
// How often a sample is contained in its block.
[[nodiscard]] double times_of(const Block& block, const Block& sample);
// "512 of 2048 rows"; empty: all.
[[nodiscard]] std::string sample_text(const Block& block, const Block& sample);

}  // namespace trainyard::planner
