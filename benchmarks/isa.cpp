// How fast do single instructions move elements on tiles of 128 partitions, as wide as kernels use
// them and wider, in bytes read and written, next to the host's copy of as many bytes?
#include <memory>
#include <string>
#include <vector>

#include "host_copy.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/affine_select.h"
#include "isa/instructions/exponential.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/range_select.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/select_reduce.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_copy_predicated.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_tensor.h"
#include "isa/instructions/tensor_tensor_scan.h"
#include "isa/semantics/execution.h"
#include "machine/machine.h"
#include "rate.h"

namespace trainyard::benchmarks {
namespace {

using isa::DType;
using isa::Tile;

constexpr int partitions = 128;
constexpr int widths[] = {2048, 8192};

// A core with tiles side by side in SBUF, filled with ordinary numbers.
struct Bench {
  explicit Bench(int n)
      : columns(n),
        machine(machine::load("trn3")),
        core({.partitions = partitions,
              .sbuf_bytes_per_partition = machine.core.sbuf.partition_size.value,
              .psum_bytes_per_partition = machine.core.psum.partition_size().value,
              .registers_per_engine = 1},
             std::make_shared<state::Hbm>(1 << 20)),
        execution{.core = core, .program = program, .hbm_base = {}, .machine = machine.core} {}

  Tile tile(DType dtype) { return tile(dtype, columns); }
  Tile tile(DType dtype, int free) {
    Tile result{.space = isa::Space::sbuf, .dtype = dtype, .rank = 1, .partitions = partitions};
    result.dims[0] = {1, free};
    result.offset = next;
    next += (result.free_elements() * result.element_bytes() + 63) / 64 * 64;
    std::vector<float> row(static_cast<std::size_t>(free));
    for (int p = 0; p < partitions; ++p) {
      for (int i = 0; i < free; ++i)
        row[static_cast<std::size_t>(i)] = static_cast<float>((i * 7 + p) % 17) * 0.25F - 2.0F;
      isa::store_floats(result, execution, p, row.data());
    }
    return result;
  }

  int columns;
  machine::Machine machine;
  isa::Program program;
  state::Core core;
  isa::Execution execution;
  std::int64_t next = 0;
};

constexpr const char* unit = "GB/s";

template <typename Record>
void run(benchmark::State& state, Bench& bench, const Record& record, std::size_t bytes) {
  const isa::InstructionInfo& info = isa::info_of<Record>();
  for (auto _ : state) {
    info.execute(&record, bench.execution);
    benchmark::ClobberMemory();
  }
  report_rate(state, static_cast<double>(bytes), 1e9, unit);
}

// Registers `name`, which reads and writes `bytes_per_element` for each element of the tile.
template <typename Make>
void add(const std::string& name, std::size_t bytes_per_element, Make make) {
  for (const int columns : widths) {
    const std::size_t bytes = bytes_per_element * partitions * static_cast<std::size_t>(columns);
    const std::string whole = "isa/" + name + ", " + std::to_string(columns) + " columns";
    benchmark::RegisterBenchmark(whole.c_str(), [=](benchmark::State& state) {
      Bench bench(columns);
      run(state, bench, make(bench), bytes);
    });
    benchmark::RegisterBenchmark((whole + " | host limit").c_str(),
                                 [=](benchmark::State& state) { host_copy(state, bytes); });
  }
}

void add_copies() {
  const auto copies = [](DType to, DType from) {
    return [to, from](Bench& b) { return isa::TensorCopy{b.tile(to), b.tile(from)}; };
  };
  add("tensor_copy bf16", 4, copies(DType::bfloat16, DType::bfloat16));
  add("tensor_copy fp32 to bf16", 6, copies(DType::bfloat16, DType::float32));
  add("tensor_copy fp32 to fp8", 5, copies(DType::float8_e4m3, DType::float32));
  add("memset bf16", 2, [](Bench& b) { return isa::Memset{b.tile(DType::bfloat16), 1}; });
}

void add_operators(const std::string& format, DType dtype, std::size_t bytes) {
  add("tensor_tensor add " + format, 3 * bytes, [dtype](Bench& b) {
    return isa::TensorTensor{b.tile(dtype), b.tile(dtype), b.tile(dtype), numerics::AluOp::add};
  });
  add("tensor_scalar multiply add " + format, 2 * bytes, [dtype](Bench& b) {
    isa::TensorScalar op;
    op.dst = b.tile(dtype);
    op.data = b.tile(dtype);
    op.op0 = numerics::AluOp::multiply;
    op.operand0.tile = b.tile(DType::float32, 1);
    op.op1 = numerics::AluOp::add;
    op.operand1.constant = 1;
    return op;
  });
  add("scalar_tensor_tensor " + format, 3 * bytes, [dtype](Bench& b) {
    isa::ScalarTensorTensor op;
    op.dst = b.tile(dtype);
    op.data = b.tile(dtype);
    op.operand1 = b.tile(dtype);
    op.operand0.constant = 2;
    return op;
  });
  add("activation copy " + format, 2 * bytes, [dtype](Bench& b) {
    isa::Activation op;
    op.dst = b.tile(dtype);
    op.data = b.tile(dtype);
    return op;
  });
  add("activation copy with sum " + format, 2 * bytes, [dtype](Bench& b) {
    isa::Activation op;
    op.dst = b.tile(dtype);
    op.data = b.tile(dtype);
    op.reduce_op = numerics::AluOp::add;
    op.reduce_cmd = isa::ReduceCmd::reset_reduce;
    return op;
  });
  add("exponential " + format, 2 * bytes, [dtype](Bench& b) {
    isa::Exponential op;
    op.dst = b.tile(dtype);
    op.src = b.tile(dtype);
    return op;
  });
  add("tensor_reduce add " + format, bytes, [dtype](Bench& b) {
    isa::TensorReduce op;
    op.dst = b.tile(dtype, 1);
    op.data = b.tile(dtype);
    op.axis.push_back(1);
    return op;
  });
}

void add_selects() {
  add("affine_select bf16", 4, [](Bench& b) {
    isa::AffineSelect op;
    op.dst = b.tile(DType::bfloat16);
    op.on_true_tile = b.tile(DType::bfloat16);
    op.pattern.push_back({-1, b.columns});
    op.channel_multiplier = 1;
    op.cmp_op = numerics::AluOp::greater_equal;
    return op;
  });
  add("range_select fp32", 8, [](Bench& b) {
    isa::RangeSelect op;
    op.dst = b.tile(DType::float32);
    op.on_true_tile = b.tile(DType::float32);
    op.bound0 = op.bound1 = b.tile(DType::float32, 1);
    return op;
  });
  add("select_reduce fp32", 9, [](Bench& b) {
    isa::SelectReduce op;
    op.dst = b.tile(DType::float32);
    op.predicate = b.tile(DType::uint8);
    op.on_true = b.tile(DType::float32);
    op.reduce_cmd = isa::ReduceCmd::reset_reduce;
    return op;
  });
  add("tensor_copy_predicated bf16", 5, [](Bench& b) {
    isa::TensorCopyPredicated op;
    op.dst = b.tile(DType::bfloat16);
    op.src.tile = b.tile(DType::bfloat16);
    op.predicate = b.tile(DType::uint8);
    return op;
  });
  add("tensor_tensor_scan fp32", 12, [](Bench& b) {
    isa::TensorTensorScan op;
    op.dst = b.tile(DType::float32);
    op.data0 = b.tile(DType::float32);
    op.data1 = b.tile(DType::float32);
    return op;
  });
}

const int registered = [] {
  add_copies();
  add_operators("bf16", DType::bfloat16, 2);
  add_operators("fp32", DType::float32, 4);
  add_selects();
  return 0;
}();

}  // namespace
}  // namespace trainyard::benchmarks
