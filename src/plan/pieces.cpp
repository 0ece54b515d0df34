#include "plan/pieces.h"

#include <algorithm>
#include <array>
#include <utility>

#include "graph/reads.h"

namespace trainyard::plan {

namespace {

using graph::OpKind, graph::Type;

constexpr std::int64_t few_elements = 16;  // of numbers that places are computed from

}  // namespace

Pieces::Pieces(const Function& function, const Region& region, std::function<bool(const Op&)> cuts)
    : function_(function), region_(region), cuts_(std::move(cuts)) {
  std::set<ValueId> computed;  // in the region, by what is not repeated
  for (std::size_t i = 0; i < region.ops.size(); ++i) {
    const Op& op = region.ops[i];
    repeats_.push_back(may_repeat(op, computed));
    if (repeats_[i]) {
      repeated_at_.emplace(op.results[0], i);
      continue;
    }
    computed.insert(op.results.begin(), op.results.end());
    std::set<ValueId> read;
    add_read(op, read);
    const bool is_cut = i + 1 == region.ops.size() || cuts_(op);
    for (const ValueId value : read) {
      last_read_.insert_or_assign(value, i);
      if (is_cut) last_read_cut_.insert_or_assign(value, i);
    }
  }
  for (std::size_t i = region.ops.size(); i-- > 0;) {  // what is repeated reads as late
    const Op& op = region.ops[i];
    if (!repeats_[i] || !last_read_.contains(op.results[0])) continue;
    const std::size_t last = last_read_[op.results[0]];
    for (const ValueId value : op.operands) last_read_[value] = std::max(last_read_[value], last);
  }
}

bool Pieces::may_repeat(const Op& op, const std::set<ValueId>& computed) const {
  if (op.kind == OpKind::return_ || cuts_(op) || !op.regions.empty() || op.results.size() != 1)
    return false;
  if (std::ranges::any_of(op.operands, [&](ValueId v) { return computed.contains(v); }))
    return false;
  const Type& type = function_.type(op.results[0]);
  const bool is_small =
      type.kind == Type::Kind::tensor && type.is_static() && type.elements() <= few_elements;
  const auto is = [&](graph::Trait trait) { return graph::is(op.kind, trait); };
  return is(graph::Trait::arrange) || is(graph::Trait::created) ||
         op.kind == OpKind::dynamic_slice || (is_small && is(graph::Trait::elementwise));
}

std::vector<Op> Pieces::ops(std::size_t begin, std::size_t end) const {
  std::set<std::size_t> chosen;
  std::vector<std::size_t> waiting;
  const auto choose = [&](std::size_t i) {
    if (chosen.insert(i).second) waiting.push_back(i);
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (!repeats_[i] || last_read_cut_.contains(region_.ops[i].results[0])) choose(i);
  }
  while (!waiting.empty()) {
    std::set<ValueId> read;
    add_read(region_.ops[waiting.back()], read);
    waiting.pop_back();
    for (const ValueId value : read) {
      if (const auto at = repeated_at_.find(value); at != repeated_at_.end()) choose(at->second);
    }
  }
  std::vector<Op> ops;
  for (const std::size_t i : chosen) ops.push_back(region_.ops[i]);
  return ops;
}

std::vector<ValueId> Pieces::outputs(std::size_t begin, std::size_t end) const {
  std::set<ValueId> outputs;
  for (std::size_t i = begin; i < end; ++i) {
    const Places& readers = repeats_[i] ? last_read_cut_ : last_read_;
    for (const ValueId value : region_.ops[i].results) {
      const auto reader = readers.find(value);
      if (reader != readers.end() && reader->second >= end) outputs.insert(value);
    }
  }
  return {outputs.begin(), outputs.end()};
}

bool Pieces::is_read_from(std::size_t begin, ValueId value) const {
  const auto reader = last_read_.find(value);
  return reader != last_read_.end() && reader->second >= begin;
}

}  // namespace trainyard::plan
