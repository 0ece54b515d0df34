// Is a kernel compiled in one order after another what a compilation of its own gives?
#include <gtest/gtest.h>

#include "compiler/orders.h"
#include "isa/forms/text.h"
#include "kernel.h"

namespace trainyard::compiler {
namespace {

// Loads that a list scheduler brings forward, a tensor at an address of the author's, and a loop.
isa::Program kernel() {
  Kernel k;
  const Tile in = k.tensor(Space::hbm, {128, 64}, DType::float32, isa::TensorRole::input);
  const Tile fixed = k.at(Space::sbuf, 4096, {128, 64});
  k.load(fixed, in);
  for (int i = 0; i < 8; ++i) {
    const Tile a = k.tensor(Space::sbuf, {128, 64}), b = k.tensor(Space::sbuf, {128, 64});
    k.load(a, in);
    k.add(b, a, fixed);
    k.copy(a, b);
  }
  const std::uint32_t loop = k.begin_loop(0, 3);
  k.copy(k.tensor(Space::sbuf, {128, 64}), fixed);
  k.end_loop(loop);
  return std::move(k.program);
}

TEST(Orders, AnotherOneIsTriedAsIfItWereTheFirst) {
  for (const bool rewrite : {false, true}) {
    const Options author{.rewrite = rewrite}, list{.order = Order::list, .rewrite = rewrite};
    const std::string as_written = isa::to_text(compile(kernel(), trn3().core, author));
    const std::string listed = isa::to_text(compile(kernel(), trn3().core, list));
    ASSERT_NE(as_written, listed);
    Orders orders(kernel(), trn3().core);
    static_cast<void>(orders.compile(list));
    EXPECT_EQ(isa::to_text(orders.program()), listed);
    ProgramOrder first = orders.set_aside();
    static_cast<void>(orders.compile(author));
    EXPECT_EQ(isa::to_text(orders.program()), as_written);
    ProgramOrder second = orders.set_aside();
    orders.put_back(std::move(first), list);
    EXPECT_EQ(isa::to_text(orders.program()), listed);
    static_cast<void>(orders.set_aside());
    orders.put_back(std::move(second), list);
    EXPECT_EQ(isa::to_text(std::move(orders).take()), as_written);
  }
}

TEST(Orders, WhatIsPreparedRunsOnce) {
  Orders orders(kernel(), trn3().core);
  PassLog log = std::get<Orders::Made>(orders.compile({.order = Order::list})).log;
  static_cast<void>(orders.set_aside());
  log.add_times(std::get<Orders::Made>(orders.compile({})).log);
  for (const PassTime& each : log.times) {
    const bool depends_on_order =
        each.pass == "schedule" || each.pass == "allocate" || each.pass == "build-streams";
    EXPECT_EQ(each.runs, depends_on_order ? 2 : 1) << each.pass;
  }
}

// Sums of a later stage go ahead only as far as the banks that the author's order needs allow.
TEST(Orders, WhatGoesAheadLeavesTheBanksThatTheAuthorNeeds) {
  Kernel k;
  const Tile in = k.tensor(Space::sbuf, {128, 512});
  k.load(in, k.tensor(Space::hbm, {128, 512}, DType::float32, isa::TensorRole::input));
  std::vector<Tile> sums;
  const auto& psum = trn3().core.psum;
  for (int bank = 0; bank < psum.banks; ++bank) {
    sums.push_back(k.tensor(Space::psum, {128, 512}));
    k.copy(sums.back(), in, isa::Engine::vector);
  }
  for (const Tile& sum : sums) k.copy(k.tensor(Space::sbuf, {128, 512}), sum, isa::Engine::vector);
  for (int i = 0; i < psum.banks; ++i) {
    const Tile later = k.tensor(Space::psum, {128, 512});
    k.copy(later, in, isa::Engine::scalar);
    k.copy(k.tensor(Space::sbuf, {128, 512}), later, isa::Engine::scalar);
  }
  Orders orders(std::move(k.program), trn3().core);
  const auto made = orders.compile({.order = Order::list});
  EXPECT_EQ(std::get<Orders::Made>(made).attempt.order, Order::list);
}

TEST(Orders, AShortageOfRoomIsAnAnswerAndLeavesTheKernelAsItWas) {
  Kernel k;
  std::vector<Tile> held;
  for (int i = 0; i < 3; ++i) {
    held.push_back(k.tensor(Space::sbuf, {128, 20'000}));
    k.load(held.back(),
           k.tensor(Space::hbm, {128, 20'000}, DType::float32, isa::TensorRole::input));
  }
  k.add(k.tensor(Space::sbuf, {128, 20'000}), held[0], held[1]);
  for (const Tile& each : held) k.copy(k.tensor(Space::sbuf, {128, 20'000}), each);
  Orders orders(std::move(k.program), trn3().core);
  for (const Order order : {Order::list, Order::author}) {
    const auto made = orders.compile({.order = order});
    ASSERT_TRUE(std::holds_alternative<Shortage>(made));
    EXPECT_EQ(std::get<Shortage>(made).violation.label, "sbuf.capacity");
    EXPECT_FALSE(orders.program().compiled);
  }
}

}  // namespace
}  // namespace trainyard::compiler
