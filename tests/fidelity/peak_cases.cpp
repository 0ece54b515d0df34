// Peaks: every format of the tensor engine, every engine's data path, the memories and the DMA
// engines, each by a micro-kernel that does nothing else.
#include "events/queue.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/exponential.h"
#include "isa/instructions/iota.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/nc_matmul_mx.h"
#include "isa/instructions/quantize_mx.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_tensor.h"
#include "memory/dma.h"
#include "rig.h"

namespace trainyard::fidelity {

namespace {

using isa::DType;
using isa::Engine;
using isa::Tile;
using machine::Machine;

// TFLOPS of a chain of products; `flops` is what one of them does.
double tensor(const Machine& machine, double flops, const std::function<void(Rig&, int)>& add) {
  return flops / spacing(machine, 200, 600, add) / 1000;
}

isa::NcMatmul product(Rig& rig, DType dtype, std::int64_t columns, int i) {
  isa::NcMatmul op;
  op.stationary = rig.sbuf(128, 128, dtype);
  op.moving = rig.sbuf(128, columns, dtype);
  op.dst = rig.psum(i, 128, columns, DType::float32);
  op.accumulate = isa::Accumulate::overwrite;
  return op;
}
double matmul(const Machine& machine, DType dtype) {
  const std::int64_t columns = machine.core.array.moving_free_max_fp32;
  return tensor(machine, 2.0 * 128 * 128 * static_cast<double>(columns), [&](Rig& rig, int i) {
    rig.add(Engine::tensor, product(rig, dtype, columns, columns > 512 ? 0 : i));
  });
}
double double_row(const Machine& machine) {
  const std::int64_t columns = machine.core.array.moving_free_max_fp32;
  return tensor(machine, 4.0 * 128 * 128 * static_cast<double>(columns), [&](Rig& rig, int i) {
    isa::NcMatmul op;
    op.perf_mode = isa::MatmulPerfMode::double_row;
    op.stationary = rig.sbuf(128, 256, DType::float8_e4m3);
    op.moving = rig.sbuf(128, 2 * columns, DType::float8_e4m3);
    op.dst = rig.psum(columns > 512 ? 0 : i, 128, columns, DType::float32);
    op.accumulate = isa::Accumulate::overwrite;
    rig.add(Engine::tensor, op);
  });
}
double mx(const Machine& machine, DType dtype) {
  const std::int64_t columns = machine.core.array.moving_free_max_fp32;
  return tensor(machine, 8.0 * 128 * 128 * static_cast<double>(columns), [&](Rig& rig, int) {
    isa::NcMatmulMx op;
    op.stationary = rig.sbuf(128, 128, dtype);
    op.moving = rig.sbuf(128, columns, dtype);
    op.stationary_scale = rig.sbuf(128, 128, DType::float8_e8m0fnu);
    op.moving_scale = rig.sbuf(128, columns, DType::float8_e8m0fnu);
    op.dst = rig.psum(0, 128, columns, DType::float32);
    op.accumulate = isa::Accumulate::overwrite;
    rig.add(Engine::tensor, op);
  });
}

// Elements a cycle over all lanes of an engine, for instructions of `n` elements a lane.
template <typename Make>
double lanes(const Machine& machine, Engine engine, std::int64_t n, Make make) {
  const double each = spacing(machine, 4, 12, [&](Rig& rig, int) { rig.add(engine, make(rig)); });
  const base::Clock clock = machine.core.engine(engine).clock;
  return 128.0 * static_cast<double>(n) / (each * clock.gigahertz());
}
constexpr std::int64_t long_row = 32768;

auto copy(std::int64_t n, DType dtype) {
  return [=](Rig& rig) {
    return isa::TensorCopy{.dst = rig.sbuf(128, n, dtype), .src = rig.sbuf(128, n, dtype)};
  };
}
auto exp_on_scalar(std::int64_t n, DType dtype) {
  return [=](Rig& rig) {
    isa::Activation a;
    a.op = numerics::ActivationFunction::exp;
    a.dst = rig.sbuf(128, n, dtype);
    a.data = rig.sbuf(128, n, dtype);
    return a;
  };
}

// GB/s of long rows over all DMA engines of a core.
double dma(const Machine& machine, std::int64_t bytes = 64 * 1024) {
  const double each = spacing(machine, 8, 24, [&](Rig& rig, int i) {
    rig.add(i % 2 == 0 ? Engine::sync : Engine::scalar,
            isa::DmaCopy{.dst = rig.sbuf(128, bytes, DType::uint8),
                         .src = rig.hbm(128, bytes, DType::uint8)},
            {.queue = static_cast<std::uint8_t>(i % 2)});
  });
  return 128.0 * static_cast<double>(bytes) / each;
}

// GB/s of one stack while the DMA engines of all cores at its side stream from it.
class Counter final : public events::Port<memory::TransferReply> {
 public:
  void send(const memory::TransferReply& reply) override {
    if (reply.what == memory::TransferReply::What::done) last = reply.time;
  }
  base::Ticks last;
};
double stack(const Machine& machine) {
  events::Queue queue;
  memory::HbmStack hbm(machine.chip);
  Counter counter;
  std::vector<std::unique_ptr<memory::DmaEngines>> cores;
  for (std::int64_t c = 0; c < machine.chip.hbm.cores_per_stack; ++c)
    cores.push_back(std::make_unique<memory::DmaEngines>(machine.core, queue, hbm, counter, nullptr,
                                                         memory::DmaTracks{}));
  Rig rig(machine);
  const std::int64_t bytes = 64 * 1024;
  const isa::DmaCopy record{.dst = rig.sbuf(128, bytes, DType::uint8),
                            .src = rig.hbm(128, bytes, DType::uint8)};
  memory::TransferRequest request;
  request.shape = isa::transfer_of(isa::info(isa::opcode_of<isa::DmaCopy>), &record, machine.core);
  request.maker = isa::maker_of(Engine::sync, machine.core);
  constexpr int transfers = 200;
  for (auto& core : cores) {
    for (int i = 0; i < transfers; ++i) {
      request.ring = static_cast<std::uint8_t>(i % 4);
      request.issuer = i % 2 == 0 ? Engine::sync : Engine::scalar;
      core->send(request);
    }
  }
  queue.run();
  return static_cast<double>(hbm.moved().value) / base::to_nanoseconds(counter.last);
}

// GB/s that one engine interface reads from all partitions.
double sbuf_bandwidth(const Machine& machine) {
  return lanes(machine, Engine::vector, long_row, copy(long_row, DType::bfloat16)) * 2 *
         machine.core.vector.clock.gigahertz();
}
// GB/s that the tensor engine writes.
double psum_bandwidth(const Machine& machine) {
  const std::int64_t columns = machine.core.array.moving_free_max_fp32;
  const double each = spacing(machine, 200, 600, [&](Rig& rig, int) {
    rig.add(Engine::tensor, product(rig, DType::bfloat16, columns, 0));
  });
  return 128.0 * 4 * static_cast<double>(columns) / each;
}

}  // namespace

std::vector<Case> peak_cases() {
  const DType bf16 = DType::bfloat16, fp32 = DType::float32;
  const char* t1 = "nki/guides/architecture/trainium_inferentia2_arch.rst: clock x 128 x 128";
  const char* t2 =
      "nki/guides/architecture/trainium2_arch.rst: clock x 128 x 128 (printed rounded)";
  const char* t3 =
      "nki/guides/architecture/trainium3_arch.rst: clock x 128 x 128 (printed rounded)";
  const char* hw3 =
      "about-neuron/arch/neuron-hardware/trainium3.rst: 2,517 TFLOPS a chip of eight cores";
  const char* t3_table = "nki/guides/architecture/trainium3_arch.rst, engine table";
  const char* t2_table = "nki/guides/architecture/trainium2_arch.rst, engine table";
  const char* dma_page = "nki/get-started/about/nki-dma-overview.rst, theoretical";
  const auto format = [](DType dtype) {
    return [=](const Machine& m) { return matmul(m, dtype); };
  };
  const auto vector = [](std::int64_t n, auto make) {
    return [=](const Machine& m) { return lanes(m, Engine::vector, n, make); };
  };
  const auto long_rows = [](const Machine& m) { return dma(m); };
  const auto scalar = [](std::int64_t n, auto make) {
    return [=](const Machine& m) { return lanes(m, Engine::scalar, n, make); };
  };
  return {
      {"peak.trn1.bf16", "trn1", "tensor engine, BF16", 91.75, "TFLOPS", t1, format(bf16)},
      {"peak.trn1.fp32", "trn1", "tensor engine, FP32", 22.94, "TFLOPS", t1, format(fp32)},
      {"peak.trn2.bf16", "trn2", "tensor engine, BF16", 78.64, "TFLOPS", t2, format(bf16)},
      {"peak.trn2.fp32", "trn2", "tensor engine, FP32", 19.66, "TFLOPS", t2, format(fp32)},
      {"peak.trn2.fp8", "trn2", "tensor engine, FP8 double row", 157.3, "TFLOPS", t2, double_row},
      {"peak.trn3.bf16", "trn3", "tensor engine, BF16", 78.64, "TFLOPS", t3, format(bf16)},
      {"peak.trn3.fp16", "trn3", "tensor engine, FP16", 78.64, "TFLOPS", t3,
       format(DType::float16)},
      {"peak.trn3.tf32", "trn3", "tensor engine, TF32", 78.64, "TFLOPS", t3,
       format(DType::tfloat32)},
      {"peak.trn3.fp32", "trn3", "tensor engine, FP32", 19.66, "TFLOPS", t3, format(fp32)},
      {"peak.trn3.fp8", "trn3", "tensor engine, FP8 double row", 157.3, "TFLOPS", t3, double_row},
      {"peak.trn3.mxfp8", "trn3", "tensor engine, MXFP8", 314.6, "TFLOPS", hw3,
       [](const Machine& m) { return mx(m, DType::float8_e4m3fn_x4); }},
      {"peak.trn3.mxfp4", "trn3", "tensor engine, MXFP4", 314.6, "TFLOPS", hw3,
       [](const Machine& m) { return mx(m, DType::float4_e2m1fn_x4); }},
      {"peak.trn2.vector.16bit", "trn2", "Vector, 16-bit elements", 512, "elements/cycle", t2_table,
       vector(long_row, copy(long_row, bf16))},
      {"peak.trn2.vector.32bit", "trn2", "Vector, 32-bit elements", 256, "elements/cycle", t2_table,
       vector(long_row / 2, copy(long_row / 2, fp32))},
      {"peak.trn3.vector.16bit", "trn3", "Vector, 16-bit elements", 512, "elements/cycle", t3_table,
       vector(long_row, copy(long_row, bf16))},
      {"peak.trn3.vector.32bit", "trn3", "Vector, 32-bit elements", 256, "elements/cycle", t3_table,
       vector(long_row / 2, copy(long_row / 2, fp32))},
      {"peak.trn3.vector.exponential", "trn3", "Vector, exponential", 512, "elements/cycle",
       t3_table,
       vector(long_row,
              [=](Rig& rig) {
                isa::Exponential e;
                e.dst = rig.sbuf(128, long_row, bf16);
                e.src = rig.sbuf(128, long_row, bf16);
                return e;
              })},
      {"peak.trn3.vector.quantize_mx", "trn3", "Vector, quantize_mx", 512, "elements/cycle",
       t3_table,
       vector(long_row,
              [=](Rig& rig) {
                isa::QuantizeMx q;
                q.src = rig.sbuf(128, long_row, bf16);
                q.dst = rig.sbuf(128, long_row / 4, DType::float8_e4m3fn_x4);
                q.dst_scale = rig.sbuf(128, long_row / 4, DType::float8_e8m0fnu);
                return q;
              })},
      {"peak.trn3.scalar.16bit", "trn3", "Scalar, 16-bit elements", 256, "elements/cycle", t3_table,
       scalar(long_row, copy(long_row, bf16))},
      {"peak.trn3.scalar.32bit", "trn3", "Scalar, other elements", 128, "elements/cycle", t3_table,
       scalar(long_row / 2, copy(long_row / 2, fp32))},
      {"peak.trn3.scalar.activation", "trn3", "Scalar, activation functions", 128, "elements/cycle",
       t3_table, scalar(long_row, exp_on_scalar(long_row, bf16))},
      {"peak.trn3.gpsimd", "trn3", "GpSimd", 128, "elements/cycle", t3_table,
       [](const Machine& m) {
         return lanes(m, Engine::gpsimd, long_row, copy(long_row, DType::bfloat16));
       }},
      {"peak.trn3.sbuf", "trn3", "SBUF, read by Vector at 512 16-bit elements a cycle", 1228.8,
       "GB/s", t3_table, sbuf_bandwidth},
      {"peak.trn3.psum", "trn3", "PSUM, written by the tensor engine at 128 fp32 elements a cycle",
       1228.8, "GB/s", t3_table, psum_bandwidth},
      // The 27.2 GB/s an engine of the overview page is reached by nothing public on this machine;
      // its guidance, 17 B/ns, is a round figure below the engine that a page shows saturated.
      {"peak.trn1.dma", "trn1", "DMA engines of a core on rows of 32 KiB", 289.7, "GB/s",
       "nki/guides/nki_perf_guide.rst + images: 32 KiB in 1,810 ns on a saturated engine",
       [](const Machine& m) { return dma(m, 32 * 1024); }},
      {"peak.trn2.dma", "trn2", "DMA engines of a core", 435.2, "GB/s", dma_page, long_rows},
      {"peak.trn3.dma", "trn3", "DMA engines of a core", 614.4, "GB/s", dma_page, long_rows},
      {"peak.trn2.hbm", "trn2", "one HBM stack, all its cores", 725, "GB/s",
       "about-neuron/arch/neuron-hardware: 2.9 TB/s a chip of four stacks", stack},
      {"peak.trn3.hbm", "trn3", "one HBM stack, all its cores", 1175, "GB/s",
       "nki/guides/architecture/trainium3_arch.rst: 4.7 TB/s a chip of four stacks", stack},
  };
}

}  // namespace trainyard::fidelity
