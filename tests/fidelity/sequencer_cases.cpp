// Sequencers: control instructions and what a semaphore takes between engines.
#include "isa/instructions/branch.h"
#include "isa/instructions/drain.h"
#include "isa/instructions/notify.h"
#include "isa/instructions/register_alu.h"
#include "isa/instructions/register_load.h"
#include "isa/instructions/tensor_copy.h"
#include "rig.h"

namespace trainyard::fidelity {

namespace {

using isa::DType;
using isa::Engine;
using machine::Machine;

constexpr const char* traces =
    "allenkchau/trainium-kernel-fusion:profiling/artifacts/*/json_reports/*_profile_full.json";
constexpr const char* trn3_log =
    "KevGomes1403/nki-moe-megakernel:megakernels/gpt_oss/moe_dma_experiments_log.md@d6c1eb4";

template <typename Record>
double control(const Machine& machine, Engine engine, const Record& record) {
  return spacing(machine, 2, 10, [&](Rig& rig, int) { rig.add(engine, record); });
}

double branch(const Machine& machine, Engine engine) {
  isa::Branch never;
  never.left.constant = 1;
  never.right.constant = 2;
  never.target = 0;
  return control(machine, engine, never);
}

double notify(const Machine& machine, Engine engine) {
  return control(machine, engine, isa::Notify{});
}

double alu(const Machine& machine, Engine engine) {
  isa::RegisterAlu add;
  add.dst = {1};
  add.left = {.constant = 1, .reg = {}};
  add.right = {.constant = 2, .reg = {}};
  return control(machine, engine, add);
}

// Without data a load cannot run; its cost is what its definition says.
double load(const Machine& machine, Engine engine, isa::Space space) {
  Rig rig(machine);
  isa::RegisterLoad record;
  record.src =
      space == isa::Space::hbm ? rig.hbm(1, 1, DType::uint32) : rig.sbuf(1, 1, DType::uint32);
  const isa::Timing timing =
      isa::Definition<isa::RegisterLoad>::cycles(record, engine, machine.core);
  return base::to_nanoseconds(machine.core.engine(engine).clock(timing.occupancy));
}

// A wait that a second semaphore instruction takes, because an instruction carries one.
double semaphore(const Machine& machine, Engine engine) {
  const auto length = [&](int waits) {
    Rig rig(machine);
    Rig::Order order;
    const isa::Tile a = rig.sbuf(1, 1, DType::float32), b = rig.sbuf(1, 1, DType::float32);
    std::vector<isa::Signal> signals;
    for (int s = 0; s < waits; ++s) {
      order.waits.push_back({static_cast<std::uint16_t>(s), 1});
      signals.push_back({static_cast<std::uint16_t>(s), 1});
    }
    rig.add(Engine::gpsimd, isa::TensorCopy{.dst = b, .src = a}, {.signals = signals});
    rig.add(engine, isa::Drain{}, order);
    return rig.nanoseconds();
  };
  return length(2) - length(1);
}

double handover(const Machine& machine) {
  const auto length = [&](bool two) {
    Rig rig(machine);
    const isa::Tile a = rig.sbuf(128, 64, DType::float32), b = rig.sbuf(128, 64, DType::float32);
    rig.add(Engine::vector, isa::TensorCopy{.dst = b, .src = a}, {.signals = {{0, 1}}});
    if (two) rig.add(Engine::sync, isa::Drain{}, {.waits = {{0, 1}}});
    return rig.nanoseconds();
  };
  return length(true) - length(false) - base::to_nanoseconds(machine.core.sync.sequencer.drain);
}

}  // namespace

std::vector<Case> sequencer_cases() {
  const auto at = [](auto measure, auto... more) {
    return [=](const Machine& m) { return measure(m, more...); };
  };
  return {
      {"T2TRACE-002", "trn2", "GpSimd COMPARE_BRANCH", 127, "ns", traces,
       at(branch, Engine::gpsimd)},
      {"T2TRACE-015", "trn2", "Scalar COMPARE_BRANCH", 171, "ns", traces,
       at(branch, Engine::scalar)},
      {"T2TRACE-027", "trn2", "Sync COMPARE_BRANCH", 57, "ns", traces, at(branch, Engine::sync)},
      {"T2TRACE-038", "trn2", "Tensor COMPARE_BRANCH always", 185, "ns", traces,
       at(branch, Engine::tensor)},
      {"T2TRACE-039", "trn2", "Tensor COMPARE_BRANCH equal", 233, "ns", traces,
       at(branch, Engine::tensor)},
      {"T2TRACE-010", "trn2", "GpSimd TENSOR_LOAD of an HBM word", 682, "ns", traces,
       at(load, Engine::gpsimd, isa::Space::hbm)},
      {"T2TRACE-037", "trn2", "Sync TENSOR_LOAD of an HBM word", 648, "ns", traces,
       at(load, Engine::sync, isa::Space::hbm)},
      {"T2TRACE-032", "trn2", "Sync DRAIN, at least", 5, "ns", traces,
       [](const Machine& m) { return control(m, Engine::sync, isa::Drain{}); }},
      {"T2TRACE-008", "trn2", "GpSimd NOTIFY", 12.5, "ns", traces, at(notify, Engine::gpsimd)},
      {"T2TRACE-024", "trn2", "Scalar NOTIFY", 4, "ns", traces, at(notify, Engine::scalar)},
      {"T2TRACE-035", "trn2", "Sync NOTIFY", 10, "ns", traces, at(notify, Engine::sync)},
      {"T2TRACE-048", "trn2", "Tensor NOTIFY", 7, "ns", traces, at(notify, Engine::tensor)},
      {"T2TRACE-062", "trn2", "Vector NOTIFY", 13, "ns", traces, at(notify, Engine::vector)},
      {"T2TRACE-033", "trn2", "Sync EVENT_SEMAPHORE, at least", 18, "ns", traces,
       at(semaphore, Engine::sync)},
      {"semaphore", "trn2",
       "end of an instruction to the start of a waiting engine (median of 140)", 37, "ns", traces,
       handover},
      {"T1INS-009", "trn1", "EVENT_SEMAPHORE", 9, "ns",
       "aws-neuron/aws-neuron-sdk:nki/guides/nki_perf_guide.rst + images",
       at(semaphore, Engine::sync)},
      {"T3INS-006", "trn3", "Sync TENSOR_LOAD for descriptor generation", 331, "ns", trn3_log,
       at(load, Engine::sync, isa::Space::sbuf)},
      {"T3INS-011", "trn3", "GpSimd ALU_OP", 112, "ns", trn3_log, at(alu, Engine::gpsimd)},
  };
}

}  // namespace trainyard::fidelity
