#include "compiler/partition_groups.h"

#include <numeric>

namespace trainyard::compiler {

namespace {

using isa::TensorId;
using isa::Tile;

class Groups {
 public:
  Groups(const isa::Program& program, const machine::Core& core)
      : program_(program),
        core_(core),
        parent_(program.tensors.size()),
        stays_(program.tensors.size(), false) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  PartitionGroups find() {
    for (TensorId t = 0; t < program_.tensors.size(); ++t) stays_[t] = !may_move(t);
    for (std::uint32_t i = 0; i < program_.instructions.size(); ++i) visit(i);
    for (const isa::DynamicAddress& dynamic : program_.dynamics) {
      if (dynamic.index) stays_[root(dynamic.index.tensor)] = true;
    }
    return collected();
  }

 private:
  [[nodiscard]] bool may_move(TensorId t) const {
    const isa::Tensor& tensor = program_.tensors[t];
    return tensor.space == isa::Space::sbuf && !tensor.manual_address &&
           tensor.partition_start == 0 && 2 * tensor.partitions() <= core_.sbuf.partitions;
  }

  void visit(std::uint32_t i) {
    const isa::InstructionInfo& info = program_.info_at(i);
    if (info.kind == isa::Kind::dma) return;
    TensorId input = isa::no_tensor;
    program_.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
      if (tile.space != isa::Space::sbuf) return;
      if (!info.any_partitions || tile.dynamic != 0) stays_[root(tile.tensor)] = true;
      if (!isa::reads(access)) return;
      if (input != isa::no_tensor) join(input, tile.tensor);
      input = tile.tensor;
    });
  }

  PartitionGroups collected() {
    const std::size_t n = program_.tensors.size();
    PartitionGroups lanes{std::vector<std::uint32_t>(n, 0),
                          std::vector<int>(n, static_cast<int>(core_.sbuf.quadrant))};
    for (TensorId t = 0; t < n; ++t) {
      int& step = lanes.step[root(t)];
      while (step < program_.tensors[t].partitions() && step < core_.sbuf.partitions) step *= 2;
    }
    for (TensorId t = 0; t < n; ++t) {
      lanes.step[t] = lanes.step[root(t)];
      if (!stays_[root(t)]) lanes.group[t] = root(t) + 1;
    }
    return lanes;
  }

  TensorId root(TensorId t) {
    while (parent_[t] != t) t = parent_[t] = parent_[parent_[t]];
    return t;
  }

  void join(TensorId a, TensorId b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    parent_[b] = a;
    stays_[a] = stays_[a] || stays_[b];
  }

  const isa::Program& program_;
  const machine::Core& core_;
  std::vector<TensorId> parent_;
  std::vector<bool> stays_;  // of a root: of all in its group
};

}  // namespace

PartitionGroups partition_groups(const isa::Program& program, const machine::Core& core) {
  return Groups(program, core).find();
}

}  // namespace trainyard::compiler
