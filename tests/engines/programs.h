// Small compiled programs that several tests run.
#pragma once

#include <cstring>

#include "fixture.h"

namespace trainyard::engines {

// out = (a + b) + copies: two loads, an add on Vector, a copy on Scalar, a store.
struct Sum {
  static constexpr std::int64_t rows = 128;
  static constexpr std::int64_t columns = 64;
  Author author;
  isa::TensorId a, b, out;

  Sum() {
    a = author.hbm(rows, columns, isa::TensorRole::input);
    b = author.hbm(rows, columns, isa::TensorRole::input);
    out = author.hbm(rows, columns, isa::TensorRole::output);
    const isa::TensorId sa = author.sbuf(rows, columns), sb = author.sbuf(rows, columns);
    const isa::TensorId sum = author.sbuf(rows, columns), copy = author.sbuf(rows, columns);
    isa::Program& p = author.program;
    const std::uint32_t load_a =
        p.append(isa::DmaCopy{.dst = author.all(sa), .src = author.all(a)});
    const std::uint32_t load_b =
        p.append(isa::DmaCopy{.dst = author.all(sb), .src = author.all(b)});
    const std::uint32_t add = p.append(isa::TensorTensor{.dst = author.all(sum),
                                                         .data1 = author.all(sa),
                                                         .data2 = author.all(sb),
                                                         .op = numerics::AluOp::add});
    const std::uint32_t move =
        p.append(isa::TensorCopy{.dst = author.all(copy), .src = author.all(sum)});
    const std::uint32_t store =
        p.append(isa::DmaCopy{.dst = author.all(out), .src = author.all(copy)});
    author.schedule(isa::Engine::sync, load_a, {}, {{0, 16}});
    author.schedule(isa::Engine::sync, load_b, {}, {{0, 16}});
    author.schedule(isa::Engine::vector, add, {{0, 32}}, {{1, 1}});
    author.schedule(isa::Engine::scalar, move, {{1, 1}}, {{2, 1}});
    author.schedule(isa::Engine::gpsimd, store, {{2, 1}});
    p.instructions[load_a].queue = p.instructions[load_b].queue = 8;
    p.instructions[store].queue = 7;
    p.compiled = true;
  }

  void fill(Bench& bench) const {
    std::vector<float> x(rows * columns), y(rows * columns);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(i);
      y[i] = 0.5f;
    }
    write_tensor(author.program, a, bench.hbm_base, *bench.core.hbm, std::as_bytes(std::span(x)));
    write_tensor(author.program, b, bench.hbm_base, *bench.core.hbm, std::as_bytes(std::span(y)));
  }
  void expect_result(const Bench& bench) const {
    const auto bytes = tensor_content(author.program, out, bench.hbm_base, *bench.core.hbm);
    for (std::size_t i = 0; i < rows * columns; ++i) {
      float value = 0;
      std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
      ASSERT_EQ(value, static_cast<float>(i) + 0.5f) << i;
    }
  }
};

}  // namespace trainyard::engines
