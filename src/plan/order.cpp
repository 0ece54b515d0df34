#include "plan/order.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "graph/reads.h"
#include "graph/residuals.h"
#include "plan/collectives.h"
#include "plan/plan.h"

namespace trainyard::plan {

namespace {

using graph::OpKind;

// How far ahead of an operation that waits others are looked for, and how many collectives may be
// under way: what they bring takes room until it is read.
constexpr std::size_t collectives_ahead = 6, under_way_max = 3;
constexpr std::size_t operations_before_max = 1024;  // of a later collective
// From so many bytes on a sum is made early.
constexpr std::int64_t early_sum_bytes_min = std::int64_t{1} << 28;

class Order {
 public:
  Order(const graph::Module& module, const Function& function, const std::vector<Op>& ops)
      : module_(module), function_(function), ops_(ops), flight_(ops.size()), done_(ops.size()) {
    std::map<ValueId, std::size_t> makers;
    std::optional<std::size_t> effect;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      std::set<ValueId> read;
      graph::add_read(ops[i], read);
      std::vector<std::size_t>& before = before_.emplace_back();
      for (const ValueId value : read) {
        if (const auto maker = makers.find(value); maker != makers.end())
          before.push_back(maker->second);
      }
      if (graph::has_effect(ops[i])) {
        if (effect) before.push_back(*effect);
        effect = i;
      }
      for (const ValueId value : ops[i].results) makers[value] = i;
      if (is_early_sum(ops[i])) find_root(i, makers);
    }
  }

  std::vector<std::size_t> run() {
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (done_[i]) continue;
      if (const auto last = awaited(i)) fill(i, *last);
      take(i);
    }
    return std::move(order_);
  }

 private:
  // What is sent on as soon as it can be; gathers of weights wait for nothing and take room.
  [[nodiscard]] static bool is_sent_early(const Op& op) {
    return is_collective(op) && op.kind != OpKind::all_gather;
  }
  [[nodiscard]] bool is_early_sum(const Op& op) const {
    return op.kind == OpKind::reduce_scatter &&
           function_.type(op.operands[0]).bytes() >= early_sum_bytes_min;
  }
  [[nodiscard]] static bool is_view(const Op& op) {
    return op.kind == OpKind::transpose || op.kind == OpKind::reshape;
  }

  void find_root(std::size_t sum, const std::map<ValueId, std::size_t>& makers) {
    std::vector<std::size_t> chain{sum};
    while (true) {
      const auto maker = makers.find(ops_[chain.back()].operands[0]);
      if (maker == makers.end()) return;
      if (!is_view(ops_[maker->second])) {
        std::ranges::reverse(chain);
        sums_[maker->second].push_back(std::move(chain));
        return;
      }
      chain.push_back(maker->second);
    }
  }

  // The last collective under way that an operation reads.
  [[nodiscard]] std::optional<std::size_t> awaited(std::size_t i) const {
    std::size_t last = 0;
    for (const std::size_t each : before_[i]) last = std::max(last, flight_[each]);
    return last > 0 ? std::optional(last) : std::nullopt;
  }

  void take(std::size_t i) {
    if (done_[i]) return;
    for (const std::size_t each : before_[i]) {
      if (flight_[each] > 0) --under_way_;
      flight_[each] = 0;
    }
    done_[i] = true;
    order_.push_back(i);
    if (is_collective(ops_[i])) {
      flight_[i] = ++sent_;
      ++under_way_;
    }
    if (const auto sums = sums_.find(i); sums != sums_.end()) {
      for (const std::vector<std::size_t>& chain : sums->second)
        std::ranges::for_each(chain, [&](std::size_t each) { take(each); });
    }
  }

  // What is left to do before an operation, in order; nothing where that waits for a collective
  // that was sent as late as `last`, for the operation `but`, or for others that are not sent yet.
  [[nodiscard]] std::optional<std::set<std::size_t>> left_before(std::size_t i, std::size_t but,
                                                                 std::size_t last) const {
    std::set<std::size_t> left;
    std::vector<std::size_t> next{i};
    while (!next.empty()) {
      const std::size_t at = next.back();
      next.pop_back();
      for (const std::size_t each : before_[at]) {
        if (flight_[each] >= last) return std::nullopt;
        if (done_[each] || left.contains(each)) continue;
        if (each == but || meets(module_, ops_[each]) || left.size() >= operations_before_max)
          return std::nullopt;
        left.insert(each);
        next.push_back(each);
      }
    }
    return left;
  }

  [[nodiscard]] double work(const std::set<std::size_t>& of) const {
    double all = 0;
    for (const std::size_t i : of) {
      const Op& op = ops_[i];
      if (op.results.empty() || function_.type(op.results[0]).kind != graph::Type::Kind::tensor)
        continue;
      double each = static_cast<double>(function_.type(op.results[0]).elements());
      if (op.kind == OpKind::dot_general) {
        for (const std::int64_t dim : op.integers("lhs_contracting_dimensions"))
          each *= static_cast<double>(
              function_.type(op.operands[0]).shape.at(static_cast<std::size_t>(dim)));
      }
      all += each;
    }
    return all;
  }

  void fill(std::size_t waiting, std::size_t last) {
    struct Ahead {
      double work = 0;
      std::size_t collective = 0;
      std::set<std::size_t> left{};
    };
    std::vector<Ahead> all;
    std::size_t seen = 0;
    for (std::size_t i = waiting + 1; i < ops_.size() && seen < collectives_ahead; ++i) {
      if (done_[i] || !is_sent_early(ops_[i])) continue;
      ++seen;
      if (auto left = left_before(i, waiting, last))
        all.push_back({work(*left), i, std::move(*left)});
    }
    std::ranges::stable_sort(all, {}, &Ahead::work);
    for (const Ahead& each : all) {
      if (under_way_ >= under_way_max) return;
      if (done_[each.collective]) continue;
      std::ranges::for_each(each.left, [&](std::size_t i) { take(i); });
      take(each.collective);
    }
  }

  const graph::Module& module_;
  const Function& function_;
  const std::vector<Op>& ops_;
  std::vector<std::vector<std::size_t>> before_;  // of each operation, those that it needs
  std::map<std::size_t, std::vector<std::vector<std::size_t>>> sums_;  // by what they sum
  std::vector<std::size_t> flight_;  // of collectives under way the number, from 1 on, in order
  std::vector<bool> done_;
  std::vector<std::size_t> order_;
  std::size_t sent_ = 0, under_way_ = 0;
};

}  // namespace

void order_around_collectives(const graph::Module& module, const Function& function,
                              Region& region) {
  bool has_collective = false;
  for (Op& op : region.ops) {
    has_collective |= is_collective(op);
    if (is_collective(op) || !meets(module, op)) continue;
    for (Region& inner : op.regions) order_around_collectives(module, function, inner);
  }
  if (!has_collective) return;
  const std::vector<std::size_t> order = Order(module, function, region.ops).run();
  std::vector<Op> ordered;
  for (const std::size_t i : order) ordered.push_back(std::move(region.ops[i]));
  region.ops = std::move(ordered);
}

}  // namespace trainyard::plan
