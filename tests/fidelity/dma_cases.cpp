// DMA: packets, one transfer, the curve of throughput over row size, triggers and what follows
// them.
#include "isa/cost/transfer.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/tensor_copy.h"
#include "rig.h"

namespace trainyard::fidelity {

namespace {

using isa::DType;
using isa::Engine;
using machine::Machine;
using trace::Reason;

constexpr const char* traces =
    "allenkchau/trainium-kernel-fusion:profiling/artifacts/*/json_reports/*_profile_full.json";
constexpr const char* intro =
    "aws-neuron/aws-neuron-sdk:nki/deep-dives/nki-dma-overview.rst + images";
constexpr const char* trn3_log =
    "KevGomes1403/nki-moe-megakernel:megakernels/gpt_oss/moe_dma_experiments_log.md@d6c1eb4";

// A load of rows of `bytes` into as many partitions.
isa::DmaCopy load(Rig& rig, std::int64_t rows, std::int64_t bytes) {
  return {.dst = rig.sbuf(rows, bytes, DType::uint8), .src = rig.hbm(rows, bytes, DType::uint8)};
}

// One engine's time for a packet: the slope over the rows of one engine, and what overlaps the next
// packet. Of a store, as the first packets of a load wait for what was asked of HBM.
double packet(const Machine& machine, std::int64_t bytes) {
  const auto length = [&](std::int64_t rows) {
    Rig rig(machine);
    const isa::Tile tile = rig.sbuf(rows, bytes, DType::uint8);
    rig.add(Engine::sync, isa::DmaCopy{.dst = rig.hbm(rows, bytes, DType::uint8), .src = tile});
    return rig.nanoseconds();
  };
  return length(8) - length(7) + base::to_nanoseconds(machine.core.dma.packet_latency);
}
// The semaphore write that ends a transfer: a packet of its own.
double semaphore_packet(const Machine& machine, isa::DescriptorMaker maker) {
  const machine::DescriptorCosts& mode = maker == isa::DescriptorMaker::software
                                             ? machine.core.dma.software
                                             : machine.core.dma.hardware;
  return base::to_nanoseconds(mode.packet_min + machine.core.dma.packet_latency);
}

// [128, 128] bf16, triggered by GpSimd: what one engine works, and all of them from first to last
// byte; both without the semaphore write behind the data.
double active(const Machine& machine, std::int64_t rows) {
  Rig rig(machine);
  rig.add(Engine::gpsimd, load(rig, rows, 256));
  return base::to_nanoseconds(rig.run().dma_active) -
         semaphore_packet(machine, isa::DescriptorMaker::software);
}
double one_engine(const Machine& machine) { return active(machine, 8); }
double all_engines(const Machine& machine) { return active(machine, 128); }

// Bytes a nanosecond of back-to-back loads of 128 rows from one source.
double throughput(const Machine& machine, std::int64_t bytes) {
  const double each = spacing(
      machine, 8, 24, [&](Rig& rig, int) { rig.add(Engine::gpsimd, load(rig, 128, bytes)); });
  return static_cast<double>(128 * bytes) / each;
}
double relative(const Machine& machine, std::int64_t bytes) {
  return throughput(machine, bytes) / throughput(machine, 32768);
}

// How long a trigger holds its sequencer, without the gap behind it.
double trigger(const Machine& machine, Engine engine) {
  const machine::Sequencer& sequencer = machine.core.engine(engine).sequencer;
  if (engine == Engine::gpsimd) return base::to_nanoseconds(sequencer.dma_issue_software);
  Rig rig(machine);
  rig.add(engine, load(rig, 128, 4096));
  return base::to_nanoseconds(
      rig.run().engines[static_cast<std::size_t>(engine)].reasons.of(Reason::overhead) -
      sequencer.gap);
}
// Between two triggers of one engine: the second's start after the first's end.
double trigger_gap(const Machine& machine, Engine engine) {
  const machine::Sequencer& sequencer = machine.core.engine(engine).sequencer;
  return base::to_nanoseconds(engine == Engine::gpsimd ? machine.core.dma.software_prepare_next
                                                       : sequencer.gap);
}

// From an engine's result to the first byte of a transfer that stores it, by a hardware trigger on
// Sync.
double semaphore_to_start(const Machine& machine) {
  const auto length = [&](bool store) {
    Rig rig(machine);
    const isa::Tile a = rig.sbuf(1, 1, DType::float32), b = rig.sbuf(1, 1, DType::float32);
    rig.add(Engine::vector, isa::TensorCopy{.dst = b, .src = a}, {.signals = {{0, 1}}});
    if (store)
      rig.add(Engine::sync, isa::DmaCopy{.dst = rig.hbm(1, 1, DType::float32), .src = b},
              {.waits = {{0, 1}}});
    return rig.nanoseconds();
  };
  const machine::DescriptorCosts& mode = machine.core.dma.hardware;
  // Without the transfer's own work: one small write and the semaphore behind it.
  Rig rig(machine);
  const base::Ticks write =
      machine.core.dma.packet_rate(machine.chip.hbm.write_granule) + mode.packet_overhead;
  return length(true) - length(false) -
         base::to_nanoseconds(write + mode.packet_min + machine.core.dma.packet_latency);
}

// Sixteen gathers of 384 KB: how long they hold the sequencer that issues them.
double sixteen_triggers(const Machine& machine) {
  Rig rig(machine);
  for (int i = 0; i < 16; ++i) rig.add(Engine::sync, load(rig, 128, 3072));
  return base::to_nanoseconds(rig.run().engines[4].reasons.of(Reason::overhead)) / 1000;
}

double dge_instruction(const Machine& machine) {
  return spacing(machine, 4, 20, [&](Rig& rig, int) { rig.add(Engine::sync, load(rig, 128, 64)); });
}

// The time of loads in packets of 8 KiB, of that of the same bytes in packets of 4 KiB.
double longer_packets(const Machine& machine) {
  const auto length = [&](std::int32_t pieces) {
    constexpr std::int32_t row = 8192;
    return spacing(machine, 8, 24, [&](Rig& rig, int) {
      isa::Tile src = rig.hbm(128, 2 * row, DType::uint8);
      src.rank = 3;
      src.dims[0] = {2 * row, 128};
      src.dims[1] = {2 * row / pieces, pieces};
      src.dims[2] = {1, row / pieces};
      rig.add(Engine::gpsimd, isa::DmaCopy{.dst = rig.sbuf(128, row, DType::uint8), .src = src});
    });
  };
  return length(1) / length(2);
}

double engine_rate(const Machine& machine) {
  return throughput(machine, 32768) / static_cast<double>(machine.core.dma.engines);
}

}  // namespace

std::vector<Case> dma_cases() {
  const char* guide =
      "aws-neuron/aws-neuron-sdk:nki/deep-dives/dma-bandwidth-guide.rst; "
      "nki/deep-dives/nki-dge.rst";
  const char* postmortem =
      "KevGomes1403/nki-moe-megakernel:megakernels/gpt_oss/exp1_regression_postmortem.md@d6c1eb4";
  const char* perf = "aws-neuron/aws-neuron-sdk:nki/guides/nki_perf_guide.rst + images";
  std::vector<Case> cases = {
      {"T2TRACE-071", "trn2", "packet of 4 B, hardware queue", 9, "ns", traces,
       [](const Machine& m) { return semaphore_packet(m, isa::DescriptorMaker::hardware); }},
      {"T2TRACE-073", "trn2", "packet of 512 B, hardware queue", 27, "ns", traces,
       [](const Machine& m) { return packet(m, 512); }},
      {"T2TRACE-074", "trn2", "packet of 2 KiB, hardware queue", 83, "ns", traces,
       [](const Machine& m) { return packet(m, 2048); }},
      {"T2TRACE-078", "trn2", "packet of 1 KiB, instruction queue", 43, "ns", traces,
       [](const Machine& m) { return packet(m, 1024); }},
      {"T2TRACE-080", "trn2", "packet of 4 B, software queue", 9, "ns", traces,
       [](const Machine& m) { return semaphore_packet(m, isa::DescriptorMaker::software); }},
      {"T2DMA-002", "trn2", "2 KiB of a [128,128] bf16 load, on one engine", 97, "ns", intro,
       one_engine},
      {"T2DMA-003", "trn2", "[128,128] bf16 load, first to last byte", 468, "ns", intro,
       all_engines},
      {"DMAG-004", "trn2", "engine's result to the start of a transfer, about", 1300, "ns", guide,
       semaphore_to_start},
      {"DMAG-005", "trn2", "hardware DGE, an instruction, about", 600, "ns", guide,
       dge_instruction},
      {"T2TRACE-003", "trn2", "GpSimd DMA_DIRECT2D", 50, "ns", traces,
       [](const Machine& m) { return trigger(m, Engine::gpsimd); }},
      {"T2TRACE-020", "trn2", "Scalar DMA_DIRECT2D of 128 x 4 KiB", 524, "ns", traces,
       [](const Machine& m) { return trigger(m, Engine::scalar); }},
      {"T2TRACE-029", "trn2", "Sync DMA_DIRECT2D of 2 x 128 x 2 KiB", 564, "ns", traces,
       [](const Machine& m) { return trigger(m, Engine::sync); }},
      {"T2TRACE-030", "trn2", "Sync DMA_DIRECT2D of 128 x 4 KiB", 518, "ns", traces,
       [](const Machine& m) { return trigger(m, Engine::sync); }},
      {"T2TRACE-031", "trn2", "Sync DMA_DIRECT2D of 128 x 512 B", 559, "ns", traces,
       [](const Machine& m) { return trigger(m, Engine::sync); }},
      {"T3INS-002", "trn3", "GpSimd DMA_DIRECT2D", 31, "ns", trn3_log,
       [](const Machine& m) { return trigger(m, Engine::gpsimd); }},
      {"T3INS-004", "trn3", "GpSimd DMA_DIRECT2D, compiler's graph", 31, "ns", trn3_log,
       [](const Machine& m) { return trigger(m, Engine::gpsimd); }},
      {"T3INS-017", "trn3", "gap between software triggers under back pressure", 26.7, "ns",
       postmortem, [](const Machine& m) { return trigger_gap(m, Engine::gpsimd); }},
      {"T3INS-018", "trn3", "gap between hardware triggers", 8.1, "ns", postmortem,
       [](const Machine& m) { return trigger_gap(m, Engine::sync); }},
      {"T3OPS-007", "trn3", "16 DMA_DIRECT2D of 384 KB, time of the issuing engine", 8.19, "us",
       "public note \"NEFF/NTFF (hardware execution)\" (a nki-moe contest repository)",
       sixteen_triggers},
      // Published as a difference of 0.02 us in a kernel of 71 us.
      {"T3Q36K-005", "trn3", "loads in packets of 8 KiB, of those in packets of 4 KiB", 1, "ratio",
       "KevGomes1403/trainium-model-translation:models/qwen3_6_moe/nki_kernels/specs/"
       "target_megakernel.md@82af211",
       longer_packets},
      {"T1INS-010", "trn1", "descriptor of 4 B", 7, "ns", perf,
       [](const Machine& m) { return base::to_nanoseconds(m.core.dma.fixed.packet_min); }},
      {"T1INS-011", "trn1", "32 KiB on one saturated engine", 1810, "ns", perf,
       [](const Machine& m) { return packet(m, 32768); }},
      {"DMAG-001", "trn1", "one DMA engine on long rows, guidance", 17, "B/ns", guide, engine_rate},
      {"DMAG-002", "trn2", "one DMA engine on long rows, guidance", 23, "B/ns", guide, engine_rate},
      {"DMAG-003", "trn3", "one DMA engine on long rows, guidance", 33, "B/ns", guide, engine_rate},
  };
  const auto curve = [&](const char* id, std::int64_t bytes, double value) {
    cases.push_back(
        {id, "trn2",
         "DMA throughput with 128 rows of " + std::to_string(bytes) + " B, of 32 KiB rows", value,
         "fraction", intro, [bytes](const Machine& m) { return relative(m, bytes); }});
  };
  curve("T2DMA-007", 32, 0.013);
  curve("T2DMA-008", 64, 0.026);
  curve("T2DMA-011", 512, 0.206);
  curve("T2DMA-012", 1024, 0.422);
  curve("T2DMA-013", 2048, 0.813);
  curve("T2DMA-016", 16384, 0.99);
  curve("T2DMA-017", 32768, 1.0);
  return cases;
}

}  // namespace trainyard::fidelity
