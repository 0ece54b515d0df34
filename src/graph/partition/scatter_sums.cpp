// Sums that an author wants whole, and of which every reader takes its part: what constraints on
// activations are for their gradients.
#include <algorithm>
#include <set>
#include <utility>

#include "graph/partition/partitioner.h"
#include "graph/reads.h"

namespace trainyard::graph {

namespace {

using ReadersOfValues = std::map<ValueId, std::vector<std::size_t>>;

// The operations of a region that read a value, by their places.
ReadersOfValues readers_in(const Region& region) {
  ReadersOfValues readers;
  for (std::size_t i = 0; i < region.ops.size(); ++i) {
    std::set<ValueId> read;
    add_read(region.ops[i], read);
    for (const ValueId value : read) readers[value].push_back(i);
  }
  return readers;
}

bool lies_within(const Axes& axes, const Axes& all) {
  return std::ranges::all_of(
      axes, [&](std::size_t axis) { return std::ranges::find(all, axis) != all.end(); });
}

}  // namespace

// Each device's part of a sum, in two steps where others hold the same part.
std::vector<Op> Partitioner::scattered(const Op& all_reduce, const Sum& sum, ValueId part,
                                       const Cut& cut) {
  Axes left = sum.axes;
  std::erase_if(left, [&](std::size_t axis) { return lies_within({axis}, cut.axes); });
  const Type type = main_.type(part);
  std::vector<Op> ops{all_reduce};
  ops[0].kind = OpKind::reduce_scatter;
  ops[0].attributes = {{"replica_groups", {groups(*sum.mesh, cut.axes)}},
                       {"scatter_dimension", {static_cast<std::int64_t>(cut.dim)}}};
  ops[0].results = {left.empty() ? part : main_.add_value(type)};
  if (!left.empty()) {
    ops.push_back({.kind = OpKind::all_reduce,
                   .operands = ops[0].results,
                   .results = {part},
                   .attributes = {{"replica_groups", {groups(*sum.mesh, left)}}},
                   .regions = {sum_region(type.element)},
                   .location = all_reduce.location});
  }
  return ops;
}

void Partitioner::scatter_sums(Region& region) {
  const ReadersOfValues readers = readers_in(region);
  std::set<ValueId> made;  // parts of sums, before the cuts that made them
  std::vector<Op> ops;
  for (Op& op : region.ops) {
    if (op.kind == OpKind::while_) {
      for (Region& inner : op.regions) scatter_sums(inner);
    }
    if (!op.results.empty() && made.contains(op.results[0])) continue;
    const auto sum = op.results.empty() ? sums_.end() : sums_.find(op.results[0]);
    const auto reader = sum == sums_.end() ? readers.end() : readers.find(op.results[0]);
    if (reader != readers.end() && reader->second.size() == 1) {
      const std::vector<ValueId>& read = region.ops[reader->second[0]].results;
      const auto cut = read.empty() ? cuts_.end() : cuts_.find(read[0]);
      if (cut != cuts_.end() && *cut->second.mesh == *sum->second.mesh &&
          lies_within(cut->second.axes, sum->second.axes)) {
        made.insert(read[0]);
        for (Op& each : scattered(op, sum->second, read[0], cut->second))
          ops.push_back(std::move(each));
        continue;
      }
    }
    ops.push_back(std::move(op));
  }
  region.ops = std::move(ops);
}

}  // namespace trainyard::graph
