// The tensor engine: spacings and durations of matmuls at both clock limits, what FP32 costs, the
// window of the limit.
#include <algorithm>

#include "engines/tensor_pipe.h"
#include "isa/cost/cycles.h"
#include "isa/instructions/nc_matmul.h"
#include "rig.h"

namespace trainyard::fidelity {

namespace {

using isa::DType;
using isa::Engine;
using machine::Machine;

constexpr const char* traces =
    "allenkchau/trainium-kernel-fusion:profiling/artifacts/*/json_reports/*_profile_full.json";

isa::NcMatmul matmul(Rig& rig, DType dtype, std::int64_t columns, int i) {
  isa::NcMatmul op;
  op.stationary = rig.sbuf(128, 128, dtype);
  op.moving = rig.sbuf(128, columns, dtype);
  op.dst = rig.psum(i, 128, columns, DType::float32);
  op.accumulate = isa::Accumulate::overwrite;
  return op;
}

// The limit has been lifted after two windows of work; 200 matmuls of 512 columns take more than
// that.
double full_clock(const Machine& machine, DType dtype, std::int64_t columns) {
  const int warm = static_cast<int>(200 * 512 / columns);
  return spacing(machine, warm, 2 * warm,
                 [&](Rig& rig, int i) { rig.add(Engine::tensor, matmul(rig, dtype, columns, i)); });
}
// The first matmuls of a program run at the low limit.
double half_clock(Machine machine, DType dtype, std::int64_t columns) {
  machine.core.throttle.windows_to_rise = 1000;
  return spacing(machine, 1, 3,
                 [&](Rig& rig, int i) { rig.add(Engine::tensor, matmul(rig, dtype, columns, i)); });
}

// From the start of a pass to its last result. The last of a long chain, less the spacings before
// it, for the full clock; the first one for the low limit, less its load.
double duration(const Machine& machine, DType dtype, std::int64_t columns, bool full) {
  const int count = full ? static_cast<int>(400 * 512 / columns) : 1;
  Rig rig(machine);
  for (int i = 0; i < count; ++i) rig.add(Engine::tensor, matmul(rig, dtype, columns, i));
  const system::RunResult result = rig.run();
  const trace::ReasonTotals& reasons = result.engines[0].reasons;
  const base::Ticks idle = reasons.of(trace::Reason::idle);  // behind the last move
  const isa::Passes passes =
      isa::Definition<isa::NcMatmul>::passes(matmul(rig, dtype, columns, 0), machine.core);
  const base::Clock clock = machine.core.tensor.clock;
  const base::Ticks move =
      clock(std::max(passes.move, machine.core.tensor.min_interval) + passes.overhead);
  return base::to_nanoseconds(idle + move * (full ? 1 : 2));
}

// LDWEIGHTS: its columns at the rate of now, and the way into the array.
double load(const Machine& machine, DType dtype, bool full) {
  Rig rig(machine);
  const isa::Passes passes =
      isa::Definition<isa::NcMatmul>::passes(matmul(rig, dtype, 512, 0), machine.core);
  const base::Clock clock = machine.core.tensor.clock;
  return base::to_nanoseconds(clock(passes.load) * (full ? 1 : 2) +
                              clock(machine.core.array.load_stationary_latency));
}

// The durations of the LDWEIGHTS and MATMUL of `pairs` products of one column, added up as a
// profiler's table of instructions does: they overlap, so the sum is several times the length of
// the run.
double decode_pairs(const Machine& machine, int pairs, std::int64_t columns) {
  Rig rig(machine);
  isa::NcMatmul op = matmul(rig, DType::bfloat16, 1, 0);
  op.stationary.dims[0].count = static_cast<std::int32_t>(columns);
  const isa::Passes passes = isa::Definition<isa::NcMatmul>::passes(op, machine.core);
  const base::Clock clock = machine.core.tensor.clock;
  engines::TensorPipe pipe(machine.core);
  base::Ticks now{0}, sum{0};
  for (int i = 0; i < pairs; ++i) {
    const base::Ticks load = pipe.throttle().slowed(clock(passes.load));
    const engines::TensorPipe::Plan plan = pipe.run(now, passes, false);
    sum += load + clock(machine.core.array.load_stationary_latency);
    sum += plan.commit - plan.moved;
    now = plan.next;
  }
  return base::to_nanoseconds(sum) / 1000;
}

// The spacing of changes of the clock limit: the work between two of them, in whole windows.
double window(const Machine& machine) { return base::to_nanoseconds(machine.core.throttle.window); }

double passes_of_fp32(const Machine& machine) {
  Rig rig(machine);
  return static_cast<double>(
      isa::Definition<isa::NcMatmul>::passes(matmul(rig, DType::float32, 512, 0), machine.core)
          .count);
}

}  // namespace

std::vector<Case> tensor_cases() {
  const DType bf16 = DType::bfloat16, fp32 = DType::float32;
  const char* guide =
      "aws-neuron/aws-neuron-sdk:nki/guides/kernel-optimization.rst + nki/img/how-to/v*-*.png";
  const char* layer =
      "public note \"NEFF/NTFF (hardware execution)\" (a nki-moe contest repository)";
  const char* perf = "aws-neuron/aws-neuron-sdk:nki/guides/nki_perf_guide.rst + images";
  const char* trn3_log =
      "KevGomes1403/nki-moe-megakernel:megakernels/gpt_oss/moe_dma_experiments_log.md@d6c1eb4";
  return {
      {"T2II-001", "trn2", "MATMUL fp32, 512 columns, full clock: start to start", 428, "ns",
       traces, [=](const Machine& m) { return full_clock(m, fp32, 512) / 2; }},
      {"T2II-002", "trn2", "MATMUL fp32, 512 columns, half clock: start to start", 853, "ns",
       traces, [=](const Machine& m) { return half_clock(m, fp32, 512) / 2; }},
      {"T2II-005", "trn2", "MATMUL bf16, 512 columns, full clock: start to start", 215, "ns",
       traces, [=](const Machine& m) { return full_clock(m, bf16, 512); }},
      {"T2II-006", "trn2", "MATMUL bf16, 512 columns, half clock: start to start", 427, "ns",
       traces, [=](const Machine& m) { return half_clock(m, bf16, 512); }},
      {"T2II-014", "trn2", "MATMUL instructions of one fp32 tile", 2, "count", traces,
       passes_of_fp32},
      {"T2MM-031", "trn2", "fp32 MATMUL, 512 columns, steady state", 429.7, "ns", guide,
       [=](const Machine& m) { return full_clock(m, fp32, 512) / 2; }},
      {"T2MLP-004", "trn2", "fp32 MATMUL, 512 columns: duration", 592, "ns",
       "aws-neuron/aws-neuron-sdk:nki/img/how-to/nki-profiler-11.png",
       [=](const Machine& m) { return duration(m, fp32, 512, true); }},
      {"T2TRACE-044", "trn2", "LDWEIGHTS bf16 128x128: duration, mostly at half clock", 125.5, "ns",
       traces, [=](const Machine& m) { return load(m, bf16, false); }},
      {"T2TRACE-046", "trn2", "LDWEIGHTS fp32 128x128: duration, mostly at full clock", 142, "ns",
       traces, [=](const Machine& m) { return load(m, fp32, true); }},
      {"T2TRACE-052", "trn2", "MATMUL bf16, 128 columns: duration, mostly at half clock", 310, "ns",
       traces, [=](const Machine& m) { return duration(m, bf16, 128, false); }},
      {"T2TRACE-053", "trn2", "MATMUL bf16, 512 columns: duration, mostly at half clock", 584.5,
       "ns", traces, [=](const Machine& m) { return duration(m, bf16, 512, false); }},
      {"T2TRACE-054", "trn2", "MATMUL fp32, 128 columns: duration, mostly at full clock", 275, "ns",
       traces, [=](const Machine& m) { return duration(m, fp32, 128, true); }},
      {"T2TRACE-083", "trn2", "window of the clock limit", 3413, "ns", traces, window},
      {"T3INS-013", "trn3", "LDWEIGHTS bf16 128x128: duration", 93, "ns", trn3_log,
       [=](const Machine& m) { return load(m, bf16, true); }},
      {"T3INS-014", "trn3", "MATMUL of one column: duration", 95, "ns",
       "KevGomes1403/trainium-model-translation:models/qwen3_6_moe/performance_report.html@686ad46",
       [=](const Machine& m) { return duration(m, bf16, 1, true); }},
      // A sum of durations: the note's table gives the tensor engine 230.7 us of a span of 204 us.
      {"T3OPS-008", "trn3", "512 LDWEIGHTS and MATMUL of one column, 128x96: sum of durations",
       156.8, "us", layer, [](const Machine& m) { return decode_pairs(m, 512, 96); }},
      {"T3OPS-010", "trn3", "256 LDWEIGHTS and MATMUL of one column, 96x128: sum of durations",
       65.9, "us", layer, [](const Machine& m) { return decode_pairs(m, 256, 128); }},
      {"T1INS-006", "trn1", "MATMUL bf16 of one column: duration", 188, "ns", perf,
       [=](const Machine& m) { return duration(m, bf16, 1, true); }},
      {"T1INS-008", "trn1", "transpose by MATMUL 128x128: duration", 195, "ns", perf,
       [=](const Machine& m) { return duration(m, bf16, 128, true); }},
  };
}

}  // namespace trainyard::fidelity
