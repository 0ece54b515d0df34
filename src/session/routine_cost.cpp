#include "session/routine_cost.h"

#include <algorithm>
#include <bit>

#include "compiler/lowering/sorts/sort_rounds.h"
#include "graph/donation.h"
#include "graph/host_callback.h"

namespace trainyard::session {

namespace {

using graph::OpKind;

std::int64_t elements_of(const graph::Type& type) {
  return type.kind == graph::Type::Kind::tensor ? type.elements() : 0;
}

std::int64_t last_dim(const graph::Op& op, const graph::Function& main) {
  return main.type(op.operands.at(0)).rank() - 1;
}

// Elements that pass through the lanes for each element of the result.
std::int64_t work_per_element(const graph::Op& op, const graph::Function& main) {
  const auto extent = [&](graph::ValueId value, std::int64_t dim) {
    return main.type(value).shape.at(static_cast<std::size_t>(dim));
  };
  switch (op.kind) {
    case OpKind::convolution: {
      const graph::Type& kernel = main.type(op.operands.at(1));
      const std::int64_t outputs =
          kernel.shape.at(static_cast<std::size_t>(op.integer("kernel_output_feature_dimension")));
      return std::max<std::int64_t>(1, kernel.elements() / std::max<std::int64_t>(1, outputs));
    }
    case OpKind::dot_general: {
      std::int64_t depth = 1;
      for (const std::int64_t dim : op.integers("lhs_contracting_dimensions"))
        depth *= extent(op.operands.at(0), dim);
      return std::max<std::int64_t>(1, depth);
    }
    case OpKind::fft: {  // radix 2: ten operations for two elements in each stage
      std::int64_t stages = 0;
      for (const std::int64_t length : op.integers("fft_length"))
        stages += static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(length))) - 1;
      return std::max<std::int64_t>(1, 5 * stages);
    }
    case OpKind::cholesky:  // a third of n cubed
      return std::max<std::int64_t>(1, extent(op.operands.at(0), last_dim(op, main)) / 3);
    case OpKind::triangular_solve:  // half of the rows before each one
      return std::max<std::int64_t>(1, extent(op.operands.at(0), last_dim(op, main)) / 2);
    case OpKind::reduce_window:
    case OpKind::select_and_scatter: {
      std::int64_t window = 1;
      if (op.find("window_dimensions") != nullptr) {
        for (const std::int64_t size : op.integers("window_dimensions")) window *= size;
      }
      return window;
    }
    default: return 1;
  }
}

// A scatter that may write its result over its operand reads and writes the rows that change.
bool is_in_place(const graph::Module& module) {
  return std::ranges::any_of(module.attributes, [](const graph::NamedAttribute& attribute) {
    return attribute.name == graph::in_place_attribute;
  });
}

}  // namespace

RoutineCost routine_cost(const graph::Module& module, const machine::Machine& machine) {
  const graph::Function& main = module.entry();
  const graph::Op& op = main.body.ops.front();
  if (graph::host_callback(op)) return {};  // the host's time is not the machine's
  std::int64_t read = 0, bytes = 0, made = 0;
  for (const graph::ValueId value : main.body.arguments) {
    read += elements_of(main.type(value));
    bytes += main.type(value).kind == graph::Type::Kind::tensor ? main.type(value).bytes() : 0;
  }
  for (const graph::ValueId value : op.results) {
    made += elements_of(main.type(value));
    bytes += main.type(value).kind == graph::Type::Kind::tensor ? main.type(value).bytes() : 0;
  }
  if (op.kind == OpKind::scatter && is_in_place(module)) {
    const graph::Type& updates = main.type(op.operands.at(2));
    read = made = updates.elements();
    bytes = 3 * updates.bytes() + main.type(op.operands.at(1)).bytes();
  }
  const machine::Core& core = machine.core;
  std::int64_t elements = 0, starts = 1;
  if (op.kind == OpKind::sort) {
    const compiler::SortRounds sort = compiler::sort_rounds(op, main.type(op.operands.at(0)));
    elements = std::max(read, sort.elements());
    starts = sort.instructions();
  } else {
    elements = std::max(read, made * work_per_element(op, main));
  }
  const base::Ticks computing = compiler::gpsimd_time(elements, starts, core);
  const machine::Bandwidth share{machine.chip.hbm.bandwidth.bytes_per_second / machine.chip.cores};
  economics::Activity activity;
  activity.gpsimd_elements = elements;
  activity.hbm = activity.dma = activity.sbuf = {bytes};
  return {std::max(computing, share({bytes})), activity};
}

}  // namespace trainyard::session
