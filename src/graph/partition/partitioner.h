// Rewrites main operation by operation: every value is known by what a device holds of it. How
// values best lie was decided before (propagation.h); what operations need otherwise is moved.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/partition.h"
#include "graph/partition/propagation.h"

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
  // The module has no calls. `of_weights`: the axes that weights get where they are contested.
  Partitioner(const Module& module, std::set<std::string> of_weights);
  Partitioned run();
  // The axes that were contested and that nobody decided, behind run().
  [[nodiscard]] const std::set<std::string>& contested() const { return contested_; }

 private:
  // The operation on parts, with its attributes and regions; results lie as said, with their sums
  // along `partial` still to come.
  void emit(const Op& op, std::vector<ValueId> parts, const std::vector<Sharding>& results,
            const Axes& partial = {});
  // The sum of all devices' parts along those axes, combined by a region of the operation.
  void combine(ValueId value, const Region& region, const Axes& axes);
  using Values = std::map<ValueId, Placed>;
  struct Known {  // a value that was moved already
    ValueId part = 0;
    Sharding sharding{};
    ValueId moved = 0;
  };

  struct Sum {  // over all devices along the axes
    std::shared_ptr<const Mesh> mesh;
    Axes axes;
  };
  struct Cut {  // of parts of a dimension
    std::shared_ptr<const Mesh> mesh;
    Axes axes;
    std::size_t dim = 0;
  };

  struct Begin {  // of parts, among the prelude's values
    Mesh mesh;
    Axes axes;
    std::int64_t elements = 0;
    ValueId value = 0;
  };

  [[nodiscard]] const Type& type(ValueId value) const { return function_->type(value); }
  [[nodiscard]] const Sharding& sharding(ValueId value) const { return values_.at(value).sharding; }
  [[nodiscard]] const Placed& placed(ValueId value) const { return values_.at(value); }
  // What a device holds of a value when it lies as wanted.
  ValueId get(ValueId value, const Sharding& wanted);
  ValueId whole(ValueId value) { return get(value, {}); }
  void put(ValueId value, Placed placed);
  // Adds up what is partial, into the parts that were decided.
  void settle(ValueId value);
  void settle_read(const Region& region);
  void add_given(const Region& region, Given& given);
  void keep_what_divides(const Op& op, Sharding& sharding);

  void run_ops(const Region& region);
  void run_op(const Op& op);
  void run_whole(const Op& op);
  void note_product(const Op& op);
  void run_constraint(const Op& op);
  void run_manual(const Op& op);
  void run_barrier(const Op& op);
  void run_branch(const Op& op);
  void run_loop(const Op& op);
  // A region whose arguments and results lie as said.
  Region run_region(const Region& region, const std::vector<Sharding>& arguments,
                    const std::vector<Sharding>& results);

  // --- Along factors: divide.cpp ---
  // How an operation is divided, and its operands' parts.
  struct Division {
    const Factors& factors;
    Chosen chosen;
    std::vector<Sharding> operands{}, results{};
    std::vector<ValueId> parts{};
    Axes partial{};  // along which results are still to be added up
  };
  // False where nothing of it is divided.
  bool divide(const Op& op, const Factors& factors);
  // Sums pass through operations that only move elements, and through sums of sums.
  bool pass_partial(const Op& op, const Factors& factors);
  void name_gathered(const Op& op, const Division& division);
  void emit_divided(const Op& op, Division& division);
  // Attributes that say sizes.
  void adjust(Op& op, const Division& division) const;
  ValueId iota(const Op& op, const Sharding& sharding);
  void emit_gather(const Op& op, const Division& division);
  void emit_scatter(const Op& op, const Division& division);
  // --- Places written into a dimension that is divided: updates.cpp ---
  void emit_update(const Op& op, const Division& division);
  ValueId clamped(ValueId value, std::int64_t low, std::int64_t high);
  ValueId slice_at(ValueId value, std::vector<ValueId> starts, const Type& type);
  ValueId rows_from(ValueId update, ValueId before, std::size_t dim);
  ValueId are_rows(const Type& update, ValueId before, std::size_t dim);
  // Of indices into a dimension that is divided, those into a device's part.
  ValueId indices_of_part(ValueId indices, const Sharding& table, std::size_t dim,
                          std::int64_t size);
  ValueId spread(ValueId value, std::vector<std::int64_t> shape, std::vector<std::int64_t> dims);
  ValueId splat(std::int64_t value, Type type);
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
  static Literal groups(const Mesh& mesh, const Axes& axes);
  Region sum_region(ElementType element);
  // Sums of which each device reads its part only are scattered: scatter_sums.cpp.
  void scatter_sums(Region& region);
  std::vector<Op> scattered(const Op& all_reduce, const Sum& sum, ValueId part, const Cut& cut);

  const Module& module_;
  const std::set<std::string> of_weights_;
  std::set<std::string> contested_;
  Meshes meshes_;
  const Function* function_ = nullptr;
  std::optional<Facts> facts_;
  std::optional<Propagation> decided_;
  Values values_;
  Function main_;
  std::vector<Op> ops_;      // of the region at hand
  std::vector<Op> prelude_;  // of main, before all others: where a device's parts begin
  std::vector<Known> known_;
  std::vector<Begin> begins_;
  std::map<ValueId, Sum> sums_;  // by result
  std::map<ValueId, Cut> cuts_;
  std::optional<ValueId> device_;
  LocationId location_ = 0;
  bool is_manual_ = false;
  std::set<std::string> computed_whole_;
  std::vector<PlacedProduct> products_;
  std::map<const Op*, std::size_t> product_of_;
};

}  // namespace trainyard::graph
