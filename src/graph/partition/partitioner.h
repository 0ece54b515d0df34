// Rewrites main operation by operation: every value is known by what a device holds of it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/partition.h"

namespace trainyard::graph {

// What a device holds of a value.
struct Placed {
  ValueId part = 0;
  Sharding sharding{};
  Axes partial{};              // the parts along these axes of a mesh are still to be added up
  const Op* source = nullptr;  // whose parts can be computed instead of cut out
};

class Partitioner {
 public:
  explicit Partitioner(const Module& module);
  Partitioned run();

  // --- For rules, of the operation at hand ---
  [[nodiscard]] const Type& type(ValueId value) const { return function_->type(value); }
  // How it lies, sums added up.
  [[nodiscard]] const Sharding& sharding(ValueId value) const;
  [[nodiscard]] const Placed& placed(ValueId value) const { return values_.at(value); }
  [[nodiscard]] bool is_read_once(ValueId value) const;
  [[nodiscard]] bool is_zero(ValueId value) const;  // a constant
  // What a device holds of it when it lies as wanted.
  ValueId get(ValueId value, const Sharding& wanted);
  ValueId whole(ValueId value) { return get(value, {}); }
  void put(ValueId value, Placed placed);
  // The operation on parts, with its attributes and regions; results lie as said, with their sums
  // along `partial` still to come.
  void emit(const Op& op, std::vector<ValueId> parts, const std::vector<Sharding>& results,
            const Axes& partial = {});
  // The sum of all devices' parts along those axes, combined by a region of the operation.
  void combine(ValueId value, const Region& region, const Axes& axes);

 private:
  using Values = std::map<ValueId, Placed>;
  struct Known {  // a value that was moved already
    ValueId part = 0;
    Sharding sharding{};
    ValueId moved = 0;
  };

  struct Begin {  // of parts, among the prelude's values
    Mesh mesh;
    Axes axes;
    std::int64_t elements = 0;
    ValueId value = 0;
  };

  void run_ops(const Region& region);
  void run_op(const Op& op);
  void run_whole(const Op& op);
  void run_constraint(const Op& op);
  void run_manual(const Op& op);
  void run_call(const Op& op);
  void run_branch(const Op& op);
  void run_loop(const Op& op);
  // One attempt; the shardings that its body would rather leave.
  std::vector<Sharding> try_loop(const Op& op, const std::vector<Sharding>& carried);
  // A region whose arguments lie as said; the shardings of its results as they come, or as wanted.
  Region run_region(const Region& region, const std::vector<Sharding>& arguments,
                    const std::vector<Sharding>* wanted, std::vector<Sharding>& found);
  // As it stands, whole values read from outside.
  Region copy(const Region& region);

  ValueId add(OpKind kind, std::vector<ValueId> operands, Type type, Dictionary attributes = {},
              std::vector<Region> regions = {});
  ValueId moved(ValueId value, const Placed& placed, const Sharding& wanted);
  ValueId added_up(const Placed& placed, const Type& whole, const Sharding& wanted,
                   Sharding& reached);
  ValueId gathered(ValueId part, const Type& whole, Sharding& from, std::size_t dim,
                   std::size_t kept);
  ValueId cut(ValueId part, const Type& whole, Sharding& from, std::size_t dim, const Axes& axes);
  bool swap(ValueId& part, const Type& whole, Sharding& from, const Sharding& to);
  // The part of a value that can be computed again: of constants, broadcasts, iota.
  bool again(const Op& op, const Sharding& wanted, ValueId& part);
  // Where each device's part begins: so many elements for each place along the axes.
  ValueId begin_of_part(const Mesh& mesh, const Axes& axes, std::int64_t elements);
  ValueId integer(std::int64_t value);
  Region sum_region(ElementType element);

  const Module& module_;
  Meshes meshes_;
  const Function* function_ = nullptr;  // whose values are at hand
  Values values_;
  Function main_;
  std::vector<Op> ops_;      // of the region at hand
  std::vector<Op> prelude_;  // of main, before all others: where a device's parts begin
  std::vector<Known> known_;
  std::vector<Begin> begins_;
  std::optional<ValueId> device_;
  LocationId location_ = 0;
  bool is_manual_ = false;
  int depth_ = 0;
  std::set<std::string> computed_whole_;
};

// Whether a rule knows how to divide the operation, which is then done.
bool divide(Partitioner& partitioner, const Op& op);

}  // namespace trainyard::graph
