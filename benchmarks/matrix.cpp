// How fast do whole instructions of the Tensor engine and of the DMA run on values, tiles and
// addresses included, next to OpenBLAS's SGEMM, the core's peak and the host's copy?

#include <memory>
#include <string>
#include <vector>

#include "host_copy.h"
#include "host_peak.h"
#include "host_sgemm.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/dma_transpose.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/nc_matmul_mx.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/quantize_mx.h"
#include "isa/semantics/execution.h"
#include "machine/machine.h"
#include "rate.h"

namespace trainyard::benchmarks {
namespace {

using isa::DType;
using isa::Space;
using isa::Tile;

constexpr int K = 128, M = 128, N = 512;

// A core whose memories hold ordinary numbers.
struct Core {
  Core()
      : machine(machine::load("trn3")),
        core({.partitions = static_cast<int>(machine.core.sbuf.partitions),
              .sbuf_bytes_per_partition = machine.core.sbuf.partition_size.value,
              .psum_bytes_per_partition = machine.core.psum.partition_size().value,
              .registers_per_engine = 1},
             std::make_shared<state::Hbm>(1 << 24)),
        execution{.core = core, .program = program, .hbm_base = base, .machine = machine.core} {}

  Tile sbuf(DType dtype, int partitions, int columns) {
    Tile tile = on_chip(Space::sbuf, dtype, partitions, columns);
    tile.offset = next;
    next += (columns * tile.element_bytes() + 63) / 64 * 64;
    const auto n = static_cast<std::size_t>(columns);
    for (int p = 0; p < partitions && !numerics::is_packed(dtype); ++p) {
      std::vector<float> row(n);
      for (std::size_t i = 0; i < n; ++i)
        row[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(p)) % 17) * 0.25F - 2.0F;
      isa::store_floats(tile, execution, p, row.data());
    }
    return tile;
  }
  static Tile on_chip(Space space, DType dtype, int partitions, int columns) {
    Tile tile{.space = space, .dtype = dtype, .rank = 1};
    tile.partitions = static_cast<std::uint16_t>(partitions);
    tile.dims[0] = {1, columns};
    return tile;
  }
  static Tile hbm(DType dtype, int rows, int columns) {
    Tile tile{.space = Space::hbm, .dtype = dtype, .rank = 2, .tensor = 0};
    tile.dims[0] = {columns, rows};
    tile.dims[1] = {1, columns};
    return tile;
  }

  machine::Machine machine;
  isa::Program program;
  std::vector<std::int64_t> base{0};
  state::Core core;
  isa::Execution execution;
  std::int64_t next = 0;
};

template <typename Make>
void add(const std::string& name, double work, const char* unit, Make make) {
  benchmark::RegisterBenchmark(("isa/" + name).c_str(), [=](benchmark::State& state) {
    Core core;
    const auto record = make(core);
    for (auto _ : state) {
      isa::info_of<std::remove_const_t<decltype(record)>>().execute(&record, core.execution);
      benchmark::ClobberMemory();
    }
    report_rate(state, work, 1e9, unit);
  });
}

template <typename Make>
void add_product(const std::string& name, double work, Make make) {
  add(name, work, "G multiply-adds/s", make);
  benchmark::RegisterBenchmark(("isa/" + name + " | host limit").c_str(), host_sgemm);
}

template <typename Make>
void add_movement(const std::string& name, std::size_t bytes, Make make) {
  add(name, static_cast<double>(bytes), "GB/s", make);
  benchmark::RegisterBenchmark(("isa/" + name + " | host limit").c_str(),
                               [bytes](benchmark::State& state) { host_copy(state, bytes); });
}

isa::NcMatmul product(Core& core, DType operand, DType result) {
  isa::NcMatmul op;
  op.stationary = core.sbuf(operand, K, M);
  op.moving = core.sbuf(operand, K, N);
  op.dst = Core::on_chip(Space::psum, result, M, N);
  op.accumulate = isa::Accumulate::add;
  return op;
}

isa::NcMatmulMx product_mx(Core& core) {
  isa::NcMatmulMx op;
  op.stationary = core.sbuf(DType::float8_e4m3fn_x4, K, M);
  op.moving = core.sbuf(DType::float8_e4m3fn_x4, K, N);
  op.stationary_scale = core.sbuf(DType::uint8, K, M);
  op.moving_scale = core.sbuf(DType::uint8, K, N);
  op.dst = Core::on_chip(Space::psum, DType::float32, M, N);
  op.accumulate = isa::Accumulate::add;
  const isa::QuantizeMx left{op.stationary, core.sbuf(DType::bfloat16, K, 4 * M),
                             op.stationary_scale};
  const isa::QuantizeMx right{op.moving, core.sbuf(DType::bfloat16, K, 4 * N), op.moving_scale};
  isa::info_of<isa::QuantizeMx>().execute(&left, core.execution);
  isa::info_of<isa::QuantizeMx>().execute(&right, core.execution);
  return op;
}

const bool registered = [] {
  const double work = 1.0 * K * M * N;
  add_product("nc_matmul bf16", work,
              [](Core& c) { return product(c, DType::bfloat16, DType::float32); });
  add_product("nc_matmul bf16 to bf16", work,
              [](Core& c) { return product(c, DType::bfloat16, DType::bfloat16); });
  add_product("nc_matmul fp32", work,
              [](Core& c) { return product(c, DType::float32, DType::float32); });
  add("nc_matmul_mx fp8", 4 * work, "G multiply-adds/s", product_mx);
  benchmark::RegisterBenchmark("isa/nc_matmul_mx fp8 | host peak", host_peak);
  add("quantize_mx bf16", K * 2048.0, "G elements/s", [](Core& c) {
    return isa::QuantizeMx{c.sbuf(DType::float8_e4m3fn_x4, K, 512),
                           c.sbuf(DType::bfloat16, K, 2048), c.sbuf(DType::uint8, K, 512)};
  });
  add_movement("nc_transpose bf16", 4 * K * M, [](Core& c) {
    return isa::NcTranspose{Core::on_chip(Space::psum, DType::bfloat16, M, K),
                            c.sbuf(DType::bfloat16, K, M)};
  });
  add_movement("nc_matmul transpose bf16", 4 * K * M, [](Core& c) {
    isa::NcMatmul op;
    op.stationary = c.sbuf(DType::bfloat16, K, M);
    op.moving = c.sbuf(DType::bfloat16, K, K);
    for (int p = 0; p < K; ++p) {
      std::vector<float> row(K);
      row[static_cast<std::size_t>(p)] = 1;
      isa::store_floats(op.moving, c.execution, p, row.data());
    }
    op.dst = Core::on_chip(Space::psum, DType::bfloat16, M, K);
    op.is_transpose = true;
    return op;
  });
  add_movement("dma_copy bf16", 4 * K * 2048, [](Core& c) {
    isa::DmaCopy op;
    op.src = Core::hbm(DType::bfloat16, K, 2048);
    op.dst = c.sbuf(DType::bfloat16, K, 2048);
    return op;
  });
  add_movement("dma_transpose bf16", 4 * 512 * K, [](Core& c) {
    isa::DmaTranspose op;
    op.src = Core::hbm(DType::bfloat16, 512, K);
    op.dst = c.sbuf(DType::bfloat16, K, 512);
    return op;
  });
  return true;
}();

}  // namespace
}  // namespace trainyard::benchmarks
