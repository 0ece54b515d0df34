#include "observer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <optional>

#include "../engines/hbm_tensors.h"
#include "../isa/cases.h"
#include "base/hash.h"
#include "base/random.h"
#include "checkers/checkers.h"
#include "compiler/compiler.h"
#include "economics/cost.h"
#include "economics/energy.h"
#include "engines/core_state.h"
#include "engines/float32_shadow.h"
#include "engines/interpreter.h"
#include "isa/instructions/all_reduce.h"
#include "isa/instructions/core_barrier.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/register_load.h"
#include "isa/instructions/sendrecv.h"
#include "report/report.h"
#include "session/host_time.h"
#include "system/run.h"

namespace trainyard::session {

namespace {

using machine::Machine;

// What `make` gives, or how it fails.
template <typename Make>
std::string attempt(Make make) {
  try {
    return make();
  } catch (const std::exception& error) {
    return error.what();
  }
}

isa::Program compiled(const isa::Program& program, const Machine& machine) {
  return compiler::compile(program, machine.core);
}

std::vector<Observation> of_programs(std::string (*about)(const isa::Program&, const Machine&)) {
  std::vector<Observation> list;
  for (const isa::Program& program : corpus()) {
    list.push_back([program, about](const Machine& machine) {
      return attempt([&] { return about(compiled(program, machine), machine); });
    });
  }
  return list;
}

// Where the tensors lie and what transfers signal.
std::string placement(const isa::Program& program, const Machine& machine) {
  std::string seen;
  for (const isa::Tensor& tensor : program.tensors) seen += fmt::format("{} ", tensor.address);
  for (const isa::Signal& signal : program.signals) seen += fmt::format("{} ", signal.amount);
  const auto stack = engines::make_stack(machine);
  return seen + fmt::format("{} {}", fmt::join(engines::place_tensors(program, *stack), " "),
                            stack->size());
}

std::string checked(const Machine& machine);
std::string together(const Machine& machine);

std::vector<Observation> rules() {
  std::vector<Observation> list;
  const auto add = [&](const auto& one) {
    list.push_back([&one](const Machine& machine) {
      isa::Bench bench;
      bench.core = machine.core;
      return attempt([&] { return fmt::format("{}", fmt::join(one.broken(bench), " ")); });
    });
  };
  for (const isa::LegalCase& legal : isa::all_cases().legal) add(legal);
  for (const isa::BrokenCase& broken : isa::all_cases().broken) add(broken);
  list.push_back(checked);
  list.push_back(together);
  for (Observation& each : of_programs(placement)) list.push_back(std::move(each));
  return list;
}

// A core with the program's HBM tensors and nothing else in its memories.
struct Loaded {
  state::Core core;
  std::vector<std::int64_t> hbm_base;
  isa::Execution execution;
  std::optional<engines::Float32Shadow> shadow;

  Loaded(const isa::Program& program, const Machine& machine)
      : core(engines::sizes_of(machine.core), engines::make_stack(machine)),
        hbm_base(engines::place_tensors(program, *core.hbm)),
        execution{.core = core, .program = program, .hbm_base = hbm_base, .machine = machine.core} {
    if (engines::has_shadow(machine.core))
      execution.stand_in =
          &shadow.emplace(execution, engines::Float32Shadow::stacks_beside(*core.hbm));
  }
};

// With values only where what is loaded into a register matters.
std::string time_of(const isa::Program& program, const Machine& machine) {
  bool loads = false;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
    loads = loads || program.is<isa::RegisterLoad>(i);
  if (!loads) return fmt::format("{}", system::time(program, machine).time.value);
  Loaded loaded(program, machine);
  return fmt::format("{}", system::run(program, machine, loaded.execution, {}).time.value);
}

// The memory of every placed tensor, a partition or an HBM tensor at a time.
template <typename Visit>
void for_each_row(const isa::Program& program, Loaded& loaded, Visit visit) {
  state::Core& core = loaded.core;
  for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
    const isa::Tensor& tensor = program.tensors[t];
    const auto bytes = static_cast<std::size_t>(tensor.bytes_per_partition());
    if (tensor.space == isa::Space::hbm) {
      visit(std::span(core.hbm->at(loaded.hbm_base[t]), bytes));
    } else if (tensor.address >= 0) {
      state::Scratchpad& memory = tensor.space == isa::Space::psum ? core.psum : core.sbuf;
      for (int p = 0; p < tensor.partitions(); ++p)
        visit(std::span(memory.row(tensor.partition_start + p) + tensor.address, bytes));
    }
  }
}

}  // namespace

std::string values_of(const isa::Program& program, const Machine& machine, std::byte bits) {
  if (!program.dynamics.empty()) return {};  // random indices lead outside of their tensors
  Loaded loaded(program, machine);
  base::Random random(1);
  for_each_row(program, loaded, [&](std::span<std::byte> row) {
    for (std::byte& byte : row) byte = static_cast<std::byte>(random.next()) & bits;
  });
  engines::Interpreter(program, loaded.execution).run();
  std::uint64_t hash = base::hash_seed;
  for_each_row(program, loaded,
               [&](std::span<std::byte> row) { hash = base::hash_bytes(row, hash); });
  return fmt::format("{:016x}", hash);
}

namespace {

// What the checks find where a matmul accumulates on what Vector wrote.
std::string checked(const Machine& machine) {
  isa::Bench bench;
  isa::NcMatmul op;
  op.dst = bench.psum(isa::DType::float32, 128, {128});
  op.stationary = op.moving = bench.sbuf(isa::DType::bfloat16, 128, {128});
  op.accumulate = isa::Accumulate::add;
  bench.program.append(isa::Memset{.dst = op.moving}, isa::Engine::vector);
  bench.program.append(isa::Memset{.dst = op.dst}, isa::Engine::vector);
  bench.program.append(op);
  return attempt([&] {
    const isa::Program program = compiled(bench.program, machine);
    Loaded loaded(program, machine);
    checkers::Checkers checkers(program, loaded.execution, {.stop_at = std::nullopt});
    engines::Interpreter(program, loaded.execution, &checkers).run();
    return fmt::format("{} findings", checkers.findings().list().size());
  });
}

// Two cores that meet and exchange tiles in both ways.
std::string exchanging(const Machine& machine) {
  std::vector<isa::Program> programs;
  for (std::int32_t me = 0; me < 2; ++me) {
    isa::Bench bench;
    const isa::Tile tile = bench.sbuf(isa::DType::float32, 128, {256});
    isa::CoreBarrier barrier{.data = bench.sbuf(isa::DType::int32, 1, {1})};
    for (const std::int32_t core : {0, 1}) barrier.cores.push_back(core);
    for (const isa::DmaPath path : {isa::DmaPath::dma, isa::DmaPath::gpsimd_dma}) {
      bench.program.append(isa::Sendrecv{.src = tile,
                                         .dst = tile,
                                         .send_to_rank = 1 - me,
                                         .recv_from_rank = 1 - me,
                                         .dma_engine = path});
    }
    bench.program.append(barrier);
    programs.push_back(bench.program);
  }
  return attempt([&] {
    const isa::Program a = compiled(programs[0], machine), b = compiled(programs[1], machine);
    Loaded one(a, machine), two(b, machine);
    const system::CoreJob jobs[] = {{a, one.execution}, {b, two.execution}};
    return fmt::format("{}", system::run_together(jobs, machine, {.values = false})[0].time.value);
  });
}

// Four ranks of one core (two where a chip has no more) that sum tensors up: small ones, and ones
// at the sizes where the algorithm changes.
std::string summing(const Machine& machine) {
  return attempt([&] {
    const auto ranks = static_cast<std::int32_t>(std::min<std::int64_t>(machine.chip.cores, 4));
    std::vector<std::unique_ptr<isa::Program>> programs;
    std::vector<std::unique_ptr<Loaded>> loaded;
    std::vector<system::CoreJob> jobs;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      isa::Bench bench;
      isa::AllReduce op;
      std::vector<std::int32_t> all(static_cast<std::size_t>(ranks));
      std::iota(all.begin(), all.end(), 0);
      op.groups = bench.program.groups_of({all});
      for (const int bytes : {4096, 1'000'000, 56'000'000}) {
        op.src = bench.hbm(isa::DType::float32, {bytes / 4});
        op.dst = bench.hbm(isa::DType::float32, {bytes / 4});
        bench.program.append(op);
      }
      programs.push_back(std::make_unique<isa::Program>(compiled(bench.program, machine)));
      loaded.push_back(std::make_unique<Loaded>(*programs.back(), machine));
      loaded.back()->execution.rank = rank;
      jobs.push_back({*programs.back(), loaded.back()->execution});
    }
    return fmt::format("{}", system::run_together(jobs, machine, {.values = false})[0].time.value);
  });
}

// Two cores on one stack.
std::string together(const Machine& machine) {
  return attempt([&] {
    const isa::Program program = compiled(corpus().front(), machine);
    Loaded one(program, machine), two(program, machine);
    const system::CoreJob jobs[] = {{program, one.execution}, {program, two.execution}};
    return fmt::format("{}", system::run_together(jobs, machine, {.values = false}).size());
  });
}

std::string joules(const Machine& machine) {
  economics::Activity one;
  one.macs_fp32 = one.macs_bf16 = one.macs_fp8 = one.macs_mx = one.macs_transpose = 1;
  one.vector_elements = one.scalar_elements = one.gpsimd_elements = one.instructions = 1;
  one.sbuf = one.psum = one.hbm = one.dma = one.link = one.host = {1};
  std::string seen;
  for (const auto& part : economics::energy(machine, one, base::Ticks{1'000'000}).parts)
    seen += fmt::format("{} {} ", part.key, part.energy.value.value);
  return seen;
}

// Dollars for the use of a core, as if every machine had the price of a Trainium2.
std::string dollars(const Machine& machine) {
  Machine priced = machine;
  priced.name = "trn2";
  const double chip = economics::ownership(economics::load_prices(), priced).total().value.value;
  return fmt::format("{} {}", chip, chip / static_cast<double>(machine.chip.cores));
}

// The peaks that a report of the smallest run compares it with.
std::string peaks(const Machine& machine) {
  isa::Bench bench;
  isa::DmaCopy load;
  load.dst = bench.sbuf(isa::DType::bfloat16, 128, {64});
  load.src = bench.hbm(isa::DType::bfloat16, {128, 64});
  bench.program.append(load);
  const isa::Program program = compiled(bench.program, machine);
  trace::Recorder recorder(system::tracks(program, machine), program.instructions.size(),
                           trace::Detail::summary);
  (void)system::time(program, machine, &recorder);
  const report::Work work = report::work_of(program, recorder.summary(), machine.core);
  const report::Report report = report::make_report({.program = program,
                                                     .machine = machine,
                                                     .summary = recorder.summary(),
                                                     .work = work,
                                                     .tracks = recorder.tracks(),
                                                     .run = {}});
  std::string seen;
  for (const auto& limits : {report.limits, report.units}) {
    for (const report::Limit& limit : limits)
      seen += fmt::format("{} {} ", limit.name, limit.ticks_min.value);
  }
  return seen;
}

// What launches and copies of a tensor program add.
std::string launching(const Machine& machine) {
  const HostTime time =
      host_time({.programs = 1, .launches = 3, .copies = 2, .bytes = 1 << 20}, machine.host);
  return fmt::format("{} {}", time.launches.value, time.copies.value);
}

}  // namespace

std::vector<Observation> observations(machine::Effect effect) {
  switch (effect) {
    case machine::Effect::timing: {
      std::vector<Observation> list = of_programs(time_of);
      list.push_back(exchanging);
      list.push_back(summing);
      return list;
    }
    case machine::Effect::values:
      return of_programs(+[](const isa::Program& program, const Machine& machine) {
        return values_of(program, machine);
      });
    case machine::Effect::rule: return rules();
    case machine::Effect::energy: return {joules};
    case machine::Effect::cost: return {dollars};
    case machine::Effect::host: return {launching};
    case machine::Effect::comparison: return {peaks};
    case machine::Effect::none: return {};
  }
  return {};
}

bool Observer::sees(machine::Effect effect, const machine::Machine& other) {
  auto [at, fresh] = answers_.try_emplace(effect);
  Answers& known = at->second;
  if (fresh) known.ask = observations(effect);
  for (std::size_t i = 0; i < known.ask.size(); ++i) {
    if (i == known.here.size()) known.here.push_back(known.ask[i](machine_));
    if (known.ask[i](other) != known.here[i]) return true;
  }
  return false;
}

}  // namespace trainyard::session
