// Does a program that was damaged in memory, where no reader has looked at it, end in a result or
// in one of the two errors, and never in a crash?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"
#include "isa/core/operand_types.h"
#include "isa/core/visit.h"
#include "isa/forms/text.h"
#include "isa/instructions/drain.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"
#include "isa/instructions/memset.h"
#include "observer.h"
#include "session/session.h"

namespace trainyard::session {
namespace {

using isa::Program;
using isa::Tile;

// Changes one thing of a program to something that it should not be, or perhaps may.
class Damage {
 public:
  Damage(Program& program, base::Random& random) : p_(program), random_(random) {}

  void once() {
    switch (random_.below(8)) {
      case 0: return order();
      case 1: return tensor();
      case 2: return address();
      case 3: return source();
      default: return operand();
    }
  }

 private:
  template <typename Integer>
  void change(Integer& value) {
    constexpr std::int64_t odd[] = {0,
                                    1,
                                    -1,
                                    2,
                                    31,
                                    127,
                                    129,
                                    0xFFFF,
                                    0x10000,
                                    0x7FFFFFFF,
                                    -0x80000000LL,
                                    std::int64_t{1} << 40,
                                    std::numeric_limits<std::int64_t>::max(),
                                    std::numeric_limits<std::int64_t>::min()};
    const auto now = static_cast<std::uint64_t>(value);
    switch (random_.below(4)) {
      case 0: value = static_cast<Integer>(now + 1); break;
      case 1: value = static_cast<Integer>(now - 1); break;
      case 2: value = static_cast<Integer>(now * 2); break;
      default: value = static_cast<Integer>(odd[random_.below(std::size(odd))]);
    }
  }
  void change(bool& value) { value = !value; }
  void change(double& value) {
    constexpr double odd[] = {0, -1, 1e300, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()};
    value = odd[random_.below(std::size(odd))];
  }
  template <isa::NamedEnum Enum>
  void change(Enum& value) {
    value = static_cast<Enum>(random_.below(isa::enum_count<Enum> + 1));
  }
  void change(isa::Register& value) { change(value.index); }
  void change(isa::RankGroups& value) { change(value.id); }
  void change(isa::RegisterOrInt& value) {
    random_.below(2) == 0 ? change(value.reg) : change(value.constant);
  }
  void change(isa::Dim& dim) { random_.below(2) == 0 ? change(dim.step) : change(dim.count); }
  void change(Tile& tile) {
    switch (random_.below(9)) {
      case 0: return change(tile.space);
      case 1: return change(tile.dtype);
      case 2: return change(tile.rank);
      case 3: return change(tile.partition_start);
      case 4: return change(tile.partitions);
      case 5: return change(tile.tensor);
      case 6: return change(tile.dynamic);
      case 7: return change(tile.offset);
      default: return change(tile.dims[random_.below(isa::rank_max)]);
    }
  }
  void change(isa::Scalar& value) {
    random_.below(2) == 0 ? change(value.constant) : change(value.tile);
  }
  template <typename T, std::size_t capacity>
  void change(isa::List<T, capacity>& list) {
    random_.below(3) == 0 ? change(list.count) : change(list.items[random_.below(capacity)]);
  }

  template <typename Items>
  auto* any_of(Items& items) {
    return items.empty() ? nullptr : &items[random_.below(items.size())];
  }

  void order() {
    auto& list = p_.instructions;
    if (list.empty()) return;
    const auto at = static_cast<std::ptrdiff_t>(random_.below(list.size()));
    switch (random_.below(3)) {
      case 0: list.erase(list.begin() + at); break;
      case 1: std::swap(list[static_cast<std::size_t>(at)], *any_of(list)); break;
      default: list.insert(list.begin() + at, isa::Instruction(*any_of(list)));
    }
  }

  void tensor() {
    isa::Tensor* t = any_of(p_.tensors);
    if (t == nullptr) return;
    switch (random_.below(10)) {
      case 0: return change(t->dtype);
      case 1: return change(t->space);
      case 2: return change(t->role);
      case 3: return change(t->shared);
      case 4: return change(t->manual_address);
      case 5: return change(t->partition_start);
      case 6: return change(t->address);
      case 7: return change(t->created);
      case 8: return t->shape.empty() ? void() : t->shape.pop_back();
      default: return t->shape.empty() ? void() : change(*any_of(t->shape));
    }
  }

  void address() {
    isa::DynamicAddress* how = any_of(p_.dynamics);
    if (how == nullptr) return;
    switch (random_.below(5)) {
      case 0: return change(how->kind);
      case 1: return change(how->reg);
      case 2: return change(how->index);
      case 3: return change(how->stride);
      default: return change(how->limit);
    }
  }

  void source() {
    isa::Instruction* what = any_of(p_.instructions);
    if (what == nullptr) return;
    switch (random_.below(7)) {
      case 0: return change(what->location);
      case 1: return change(what->engine);
      case 2: return change(what->queue);
      case 3: return change(what->opcode);
      case 4: return change(what->record);
      case 5: return p_.schedule_edges.push_back({random_.next32() % 8, random_.next32() % 8});
      default: p_.frames.push_back({random_.next32() % 3, 0, 1, random_.next32() % 3});
    }
    p_.locations.push_back({random_.next32() % 3, random_.next32() % 2, random_.next32() % 2});
    what->location = static_cast<std::uint32_t>(p_.locations.size() - 1);
  }

  void operand() {
    if (p_.instructions.empty()) return;
    const auto i = static_cast<std::uint32_t>(random_.below(p_.instructions.size()));
    if (p_.instructions[i].opcode >= isa::opcode_count) return;
    const isa::InstructionInfo& info = p_.info_at(i);
    const std::size_t arena = p_.arena().size();
    const std::uint64_t record = p_.instructions[i].record;
    if (info.operands.empty() || record > arena || arena - record < info.record_bytes) return;
    const isa::OperandInfo& operand = info.operands[random_.below(info.operands.size())];
    isa::visit_operand(operand, p_.record(i), [&](auto& value) { change(value); });
  }

  Program& p_;
  base::Random& random_;
};

// A run that was ended because it goes on and on.
struct TooLong {};

// Whether the run is small enough to be made in a test.
bool is_small(const Program& program) {
  constexpr std::int64_t most = std::int64_t{1} << 24;
  std::int64_t bytes = 0;
  for (const isa::Tensor& tensor : program.tensors) bytes += tensor.bytes();
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    program.for_each_tile(
        i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access) { bytes += tile.bytes(); });
  }
  return bytes <= most;
}

// "ran", or what it was refused for.
std::string outcome(const Program& program, const machine::Machine& machine, bool timed) {
  try {
    Session session(machine);
    const std::shared_ptr<Instance> instance = session.load(program);
    if (!is_small(instance->program())) return "large";
    Options options{.timed = timed};
    options.findings.stop_at.reset();
    options.watch = [](const engines::Progress& progress) {
      if (progress.instructions > 5000) throw TooLong{};
    };
    (void)session.run({{instance}}, options);
    return "ran";
  } catch (const TooLong&) {
    return "ran";
  } catch (const base::InputError& error) {
    return error.violations().front().label;
  } catch (const base::Fault& fault) {
    return fault.violation().label;
  }
}

// What is wrong with the structure is one error, before anything follows it.
TEST(DamagedPrograms, AreRefusedByName) {
  const machine::Machine machine = machine::load("trn3");
  const auto refusal = [&](auto&& damage) {
    Program program;
    isa::Tensor& tensor = program.tensors.emplace_back();
    tensor.shape = {128, 8};
    tensor.space = isa::Space::sbuf;
    program.append(isa::Drain{}, isa::Engine::vector);
    damage(program);
    return outcome(program, machine, false);
  };
  const isa::LoopBegin loop{.counter = {0}, .start = {}, .stop = {.constant = 4, .reg = {}}};
  EXPECT_EQ(refusal([](Program&) {}), "ran");
  EXPECT_EQ(refusal([](Program& p) { p.append(isa::LoopEnd{0}); }), "program.loops");
  EXPECT_EQ(refusal([&](Program& p) { p.append(loop); }), "program.loops");
  EXPECT_EQ(refusal([](Program& p) { p.append(isa::Drain{}); }), "branch.engine");
  EXPECT_EQ(refusal([](Program& p) { p.tensors[0].shape[1] = -8; }), "program.form");
  EXPECT_EQ(refusal([](Program& p) { p.tensors[0].shape.clear(); }), "program.form");
  EXPECT_EQ(refusal([](Program& p) { p.tensors[0].partition_start = 1; }), "program.form");
  EXPECT_EQ(refusal([](Program& p) { p.tensors[0].name = "caf\xE9"; }), "program.form");
  EXPECT_EQ(refusal([](Program& p) { p.strings.emplace_back("\xFF"); }), "program.form");
  EXPECT_EQ(refusal([](Program& p) { p.frames.push_back({0, 0, 1, 1}); }), "program.form");
  EXPECT_EQ(refusal([](Program& p) { p.instructions[0].location = 7; }), "program.form");
  EXPECT_EQ(refusal([](Program& p) { p.instructions[0].opcode = isa::opcode_count; }),
            "program.form");
  EXPECT_EQ(refusal([](Program& p) { p.schedule_edges.push_back({0, 9}); }), "program.form");
  EXPECT_EQ(refusal([](Program& p) { p.compiled = true; }), "program.compiled");
  isa::Memset set;
  set.dst.space = isa::Space::sbuf;
  set.dst.rank = 1;
  set.dst.partitions = 128;
  set.dst.tensor = 0;
  set.dst.dims[0].count = 8;
  EXPECT_EQ(refusal([&](Program& p) { p.append(set); }), "ran");
  set.dst.tensor = 1;
  EXPECT_EQ(refusal([&](Program& p) { p.append(set); }), "program.form");
  set.dst.tensor = 0;
  set.dst.dims[0].count = -8;
  EXPECT_EQ(refusal([&](Program& p) { p.append(set); }), "program.form");
  set.dst.dims[0].count = 9;
  EXPECT_EQ(refusal([&](Program& p) { p.append(set); }), "tile.bounds");
}

TEST(DamagedPrograms, WereFineBefore) {
  const machine::Machine machine = machine::load("trn3");
  for (const Program& program : corpus()) {
    for (const bool timed : {false, true})
      EXPECT_NO_THROW((void)outcome(program, machine, timed)) << isa::to_text(program);
  }
}

TEST(DamagedPrograms, EndInAResultOrAnError) {
  const machine::Machine machine = machine::load("trn3");
  const std::vector<Program> corpus = session::corpus();
  int ran = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    base::Random random(seed);
    Program program = corpus[random.below(corpus.size())];
    if (program.instructions.size() > 100) continue;
    Damage damage(program, random);
    for (std::uint64_t left = 1 + random.below(3); left > 0; --left) damage.once();
    try {
      ++(outcome(program, machine, seed % 2 == 0) == "ran" ? ran : refused);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what() << "\n" << isa::to_text(program);
    }
  }
  EXPECT_GT(ran, 100);
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace trainyard::session
