// How fast are conversions, operators and activation functions, next to the host's own copy of the
// same number of bytes?
#include <cstring>
#include <string>
#include <vector>

#include "numerics/activation.h"
#include "numerics/alu.h"
#include "numerics/convert.h"
#include "rate.h"

namespace trainyard::benchmarks {
namespace {

// Half a level-two cache: the hot loops of the simulator work on tiles of this size.
constexpr std::size_t elements = 1 << 17;

std::vector<float> values() {
  std::vector<float> result(elements);
  for (std::size_t i = 0; i < elements; ++i)
    result[i] = static_cast<float>(i % 4093) * 0.03125F - 60.0F;
  return result;
}

void narrow(benchmark::State& state, numerics::DType dtype) {
  const std::vector<float> source = values();
  std::vector<std::byte> destination(elements * sizeof(float));
  for (auto _ : state) {
    numerics::narrow(dtype, source.data(), destination.data(), elements);
    benchmark::DoNotOptimize(destination.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, elements, 1e9, "G elements/s");
}

void widen(benchmark::State& state, numerics::DType dtype) {
  const std::vector<float> source = values();
  std::vector<std::byte> packed(elements * sizeof(float));
  numerics::narrow(dtype, source.data(), packed.data(), elements);
  std::vector<float> destination(elements);
  for (auto _ : state) {
    numerics::widen(dtype, packed.data(), destination.data(), elements);
    benchmark::DoNotOptimize(destination.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, elements, 1e9, "G elements/s");
}

// What the host can do at best: read four bytes and write four bytes an element.
void copy(benchmark::State& state) {
  const std::vector<float> source = values();
  std::vector<float> destination(elements);
  for (auto _ : state) {
    std::memcpy(destination.data(), source.data(), elements * sizeof(float));
    benchmark::DoNotOptimize(destination.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, elements, 1e9, "G elements/s");
}

void stochastic(benchmark::State& state, numerics::DType dtype) {
  const std::vector<float> source = values();
  std::vector<std::uint32_t> random(elements, 0x9E3779B9U);
  std::vector<std::byte> destination(elements * sizeof(float));
  const numerics::Narrowing narrowing{.rounding = numerics::RoundingMode::stochastic};
  for (auto _ : state) {
    numerics::narrow(dtype, source.data(), destination.data(), elements, narrowing, random);
    benchmark::DoNotOptimize(destination.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, elements, 1e9, "G elements/s");
}

void apply(benchmark::State& state, numerics::AluOp op) {
  const std::vector<float> a = values(), b(elements, 1.5F);
  std::vector<float> out(elements);
  for (auto _ : state) {
    numerics::apply(op, a.data(), b.data(), out.data(), elements);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, elements, 1e9, "G elements/s");
}

void activate(benchmark::State& state, numerics::ActivationFunction function) {
  std::vector<float> x = values(), out(elements);
  for (float& value : x) value *= 0.1F;
  for (auto _ : state) {
    numerics::activate(function, x.data(), out.data(), elements);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, elements, 1e9, "G elements/s");
}

// Sums of 16 rows side by side, as reductions over a tile's partitions run.
void sum_rows(benchmark::State& state) {
  constexpr std::size_t rows = 16, length = elements / rows;
  const std::vector<float> x = values();
  std::vector<float> sums(rows);
  for (auto _ : state) {
    numerics::reduce_rows(numerics::AluOp::add, x.data(), rows, length, length, sums.data());
    benchmark::DoNotOptimize(sums.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, elements, 1e9, "G elements/s");
}

void register_with_limit(const std::string& name, auto function, auto argument) {
  benchmark::RegisterBenchmark(name.c_str(), function, argument);
  benchmark::RegisterBenchmark((name + " | host limit").c_str(), copy);
}

// Every format from and to float32, some operators, all beside a copy of as many floats.
void register_all() {
  using numerics::DType;
  for (const DType dtype : {DType::bfloat16, DType::float16, DType::float8_e4m3,
                            DType::float8_e4m3fn, DType::float8_e5m2, DType::int8, DType::int32}) {
    const std::string format(numerics::name(dtype));
    register_with_limit("float32 to " + format, narrow, dtype);
    register_with_limit(format + " to float32", widen, dtype);
  }
  register_with_limit("float32 to bfloat16, stochastic", stochastic, DType::bfloat16);
  using numerics::AluOp;
  for (const AluOp op : {AluOp::add, AluOp::multiply, AluOp::maximum, AluOp::power}) {
    register_with_limit(std::string(numerics::name(op)) + " of two rows", apply, op);
  }
  using Function = numerics::ActivationFunction;
  for (const Function function : {Function::exp, Function::gelu, Function::tanh, Function::silu}) {
    register_with_limit(std::string(numerics::name(function)) + " of a row", activate, function);
  }
  benchmark::RegisterBenchmark("sums of 16 rows", sum_rows);
}

}  // namespace
}  // namespace trainyard::benchmarks

int main(int argc, char** argv) {
  trainyard::benchmarks::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
