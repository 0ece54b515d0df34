// Does another process run what one has compiled, without compiling it again, and is what it reads
// checked?
#include <gtest/gtest.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/error.h"
#include "graph_maker.h"
#include "isa/forms/binary.h"
#include "session/compiled_code.h"
#include "session/executable.h"
#include "session/model.h"

namespace trainyard::session {
namespace {

using graph::f32;
using graph::Maker;
using graph::Module;
using graph::OpKind;
using graph::ValueId;

// tanh(a @ b) + 1
Module product(std::int64_t size) {
  const graph::Type type = f32({size, size});
  Maker make;
  const ValueId a = make.argument(type), b = make.argument(type);
  const ValueId c = make.op(OpKind::dot_general, {a, b}, type, graph::dot({}, {1}, {}, {0}));
  const ValueId one = make.constant(graph::literal<float>(type, {1}));
  return make.finish({make.op(OpKind::add, {make.op(OpKind::tanh, {c}, type), one}, type)});
}

ArrayRef numbers(const graph::Type& type) {
  std::vector<float> values(static_cast<std::size_t>(type.elements()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7) / 8;
  return std::make_shared<const Array>(graph::literal(type, values));
}

std::unique_ptr<const Executable> executable(Module module, std::string_view code = {},
                                             const graph::Precision& precision = {},
                                             int cores = 1) {
  return make_executable(std::move(module), Mode::machine, machine::load("trn3"), precision, {},
                         cores, code);
}

// With another word in what it says of the order: who has it used the code.
std::string marked(std::string code) {
  const std::size_t at = std::min(code.find("list, within"), code.find("author: "));
  EXPECT_LT(at, code.size());
  return code.replace(at, 4, "kept");
}

bool is_marked(const std::string& code) { return code.find("kept") != std::string::npos; }

TEST(CompiledCode, GivesTheSameValuesAndTimeWithoutCompiling) {
  for (const int cores : {1, 2}) {
    const Module module = product(256);
    const auto first = executable(module, {}, {}, cores);
    const std::string code = marked(first->code());
    const auto second = executable(module, code, {}, cores);
    EXPECT_TRUE(is_marked(second->code()));
    const Arguments inputs{.arrays = std::vector<ArrayRef>(2, numbers(f32({256, 256})))};
    EXPECT_EQ(second->execute(inputs).results.at(0)->content()->content,
              first->execute(inputs).results.at(0)->content()->content);
    EXPECT_EQ(second->estimate().seconds, first->estimate().seconds);
    EXPECT_EQ(second->estimate().joules, first->estimate().joules);
  }
}

TEST(CompiledCode, OfAnotherContextOrModuleIsCompiledAgain) {
  const Module module = product(256);
  const std::string code = marked(executable(module)->code());
  const graph::Precision cast{.cast = graph::Precision::Cast::all};
  EXPECT_FALSE(is_marked(executable(module, code, cast)->code()));
  EXPECT_FALSE(is_marked(executable(product(384), code)->code()));
  CompiledCode other = CompiledCode::read(code);
  other.context += ";of another build";
  EXPECT_FALSE(is_marked(executable(module, other.write())->code()));
}

TEST(CompiledCode, DamagedBytesAreErrorsOrRun) {
  const Module module = product(128);
  const std::string code = executable(module)->code();
  const Arguments inputs{.arrays = std::vector<ArrayRef>(2, numbers(f32({128, 128})))};
  int refused = 0;
  for (std::size_t at = 0; at < code.size(); at += 1 + code.size() / 200) {
    std::string damaged = code;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x11);
    try {
      static_cast<void>(executable(module, damaged)->execute(inputs));
    } catch (const base::InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_THROW(static_cast<void>(CompiledCode::read(code.substr(0, code.size() - 1))),
               base::InputError);
}

TEST(CompiledCode, HalvesThatThereAreNotAreOperations) {
  const Module odd = product(129);
  CompiledCode code = CompiledCode::read(executable(odd, {}, {}, 2)->code());
  for (const int cores : {1, 2}) {
    code.cores = cores;
    code.in_halves = true;
    const Arguments inputs{.arrays = std::vector<ArrayRef>(2, numbers(f32({129, 129})))};
    const Execution again = executable(odd, code.write(), {}, 2)->execute(inputs);
    const Execution before = executable(odd)->execute(inputs);
    EXPECT_EQ(*again.results[0]->content(), *before.results[0]->content());
  }
}

// The checksum is right, the program is not that of the kernel.
TEST(CompiledCode, AProgramWithOtherTensorsIsRefused) {
  const Evaluate none;
  const auto model = [&](std::int64_t size, const std::shared_ptr<const CompiledCode>& kept) {
    return Model(machine::load("trn3"), product(size), none, {.order = compiler::Order::list}, {},
                 1, kept);
  };
  const Model large = model(256, {}), small = model(128, {});
  const std::string bytes = small.code().write();
  const std::string inside = isa::to_binary(small.programs().at(0)->program());
  const std::string other = isa::to_binary(large.programs().at(0)->program());
  std::string from, to;
  base::put_string(from, inside);
  base::put_string(to, other);
  const std::size_t at = bytes.find(from);
  ASSERT_NE(at, std::string::npos);
  std::string changed = bytes;
  changed.replace(at, from.size(), to);
  const auto kept = std::make_shared<const CompiledCode>(CompiledCode::read(changed));
  try {
    static_cast<void>(model(128, kept));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations().front().label, "session.compiled_code");
  }
}

}  // namespace
}  // namespace trainyard::session
