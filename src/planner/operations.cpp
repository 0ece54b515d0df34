#include "planner/operations.h"

namespace trainyard::planner {

std::vector<Matrix> projections(std::int64_t hidden, const Heads& heads) {
  const Latent& l = heads.latent;
  if (l.kv_rank == 0)
    return {{"qkv", hidden, (heads.queries + 2 * heads.keys) * heads.dim},
            {"out", heads.queries * heads.dim, hidden}};
  const std::int64_t of_queries = heads.queries * (l.nope_dim + l.rope_dim);
  std::vector<Matrix> found;
  if (l.q_rank > 0) found.push_back({"q_down", hidden, l.q_rank});
  found.push_back({"q", l.q_rank > 0 ? l.q_rank : hidden, of_queries});
  found.push_back({"kv_down", hidden, l.kv_rank + l.rope_dim});
  found.push_back({"kv", l.kv_rank, heads.queries * (l.nope_dim + l.v_dim)});
  found.push_back({"out", heads.queries * l.v_dim, hidden});
  return found;
}

std::vector<Matrix> feed_forward(std::int64_t hidden, std::int64_t inner, bool gated) {
  std::vector<Matrix> found{{"up", hidden, inner}};
  if (gated) found.push_back({"gate", hidden, inner});
  found.push_back({"down", inner, hidden});
  return found;
}

std::vector<Matrix> router(std::int64_t hidden, std::int64_t experts) {
  return {{"router", hidden, experts}};
}

double elements(const std::vector<Matrix>& matrices) {
  double sum = 0;
  for (const Matrix& matrix : matrices) sum += real(matrix.depth) * real(matrix.width);
  return sum;
}

double pair_macs(const Heads& heads) {
  const Latent& l = heads.latent;
  if (l.kv_rank > 0) return real(heads.queries) * real(l.nope_dim + l.rope_dim + l.v_dim);
  return 2 * real(heads.queries * heads.dim);
}

}  // namespace trainyard::planner
