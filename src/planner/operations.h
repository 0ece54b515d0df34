// What the layers of a transformer do, each written once for whole layers and for a core's share of
// one: the matrices that rows are multiplied by, and what a pair of tokens takes in attention.
// Formulas add them up (read_family.cpp, forward.cpp); blocks.h makes of them what is simulated.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace trainyard::planner {

// Counts as what formulas multiply.
[[nodiscard]] inline double real(std::int64_t count) { return static_cast<double>(count); }

// Multi-head latent attention (DeepSeek): keys and values are made from a vector of kv_rank.
struct Latent {
  std::int64_t kv_rank = 0;  // 0: ordinary attention
  std::int64_t q_rank = 0;   // 0: queries straight from the hidden vector
  std::int64_t nope_dim = 0, rope_dim = 0, v_dim = 0;
  friend bool operator==(const Latent&, const Latent&) = default;
};

// Heads of attention: of queries, of keys and values (in latent attention each head has its own).
struct Heads {
  std::int64_t queries = 0, keys = 0, dim = 0;
  Latent latent = {};
  friend bool operator==(const Heads&, const Heads&) = default;
};

// A matrix of weights: rows of `depth` elements become rows of `width`.
struct Matrix {
  std::string_view name;
  std::int64_t depth = 0, width = 0;
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

// Those of attention: "qkv" and "out", or "q_down", "q", "kv_down", "kv" and "out".
[[nodiscard]] std::vector<Matrix> projections(std::int64_t hidden, const Heads& heads);
// "up" and "down", with a "gate" between them if `gated`.
[[nodiscard]] std::vector<Matrix> feed_forward(std::int64_t hidden, std::int64_t inner, bool gated);
[[nodiscard]] std::vector<Matrix> router(std::int64_t hidden, std::int64_t experts);
// Of all.
[[nodiscard]] double elements(const std::vector<Matrix>& matrices);

// Multiply-accumulates of scores and values for one token that sees one other.
[[nodiscard]] double pair_macs(const Heads& heads);

}  // namespace trainyard::planner
