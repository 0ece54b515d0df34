// How fast is the arithmetic of nc_matmul, nc_matmul_mx and quantize_mx on one thread, next to
// OpenBLAS's SGEMM, the core's peak of multiply-adds and the host's copy? Operands lie in rows as
// far apart as SBUF's and PSUM's partitions, and successive calls take them from several places.

#include <cmath>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "host_peak.h"
#include "host_sgemm.h"
#include "numerics/convert.h"
#include "numerics/mx.h"
#include "numerics/tensor_engine.h"
#include "rate.h"

namespace trainyard::benchmarks {
namespace {

using numerics::DType;

constexpr std::size_t partitions = 128, columns = 512, quantised_columns = 2048;
constexpr std::size_t sbuf_stride = 256 << 10, psum_stride = 16 << 10;
constexpr std::size_t tiles =
    8;  // operands of successive calls: together more than a level-two cache
constexpr double products = partitions * partitions * columns;

struct Memory {
  std::size_t stride;
  std::vector<std::byte> bytes;

  explicit Memory(std::size_t partition_bytes)
      : stride(partition_bytes), bytes(partitions * partition_bytes) {}
  std::byte* at(std::size_t offset) { return bytes.data() + offset; }
  numerics::ConstRows in(std::size_t offset, DType dtype) {
    return {at(offset), static_cast<std::ptrdiff_t>(stride), dtype};
  }
  numerics::Rows out(std::size_t offset, DType dtype) {
    return {at(offset), static_cast<std::ptrdiff_t>(stride), dtype};
  }
};

std::vector<float> normal_values(std::size_t n) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& v : values) v = normal(random);
  return values;
}

// Like the weights of a softmax: positive, over so many powers of two that few blocks fit the fast
// path of MX products.
std::vector<float> exponential_values(std::size_t n) {
  auto values = normal_values(n);
  for (float& v : values) v = std::exp(4 * v);
  return values;
}

void fill(Memory& memory, std::size_t offset, DType dtype, std::size_t n) {
  const auto values = normal_values(partitions * n);
  for (std::size_t p = 0; p < partitions; ++p) {
    numerics::narrow(dtype, &values[p * n], memory.at(offset + p * memory.stride), n);
  }
}

// Adds products of 128 x 128 x 512 to one PSUM tile.
void matmul(benchmark::State& state, DType operand, DType result) {
  Memory sbuf(sbuf_stride), psum(psum_stride);
  const auto element = static_cast<std::size_t>(numerics::size_in_bytes(operand));
  const std::size_t tile = (partitions + columns) * element;
  for (std::size_t i = 0; i < tiles; ++i) fill(sbuf, i * tile, operand, partitions + columns);
  numerics::MatmulScratch scratch;
  std::size_t i = 0;
  for (auto _ : state) {
    const std::size_t at = i++ % tiles * tile;
    numerics::matmul(sbuf.in(at, operand), sbuf.in(at + partitions * element, operand),
                     psum.out(0, result), partitions, partitions, columns, true, scratch);
    benchmark::ClobberMemory();
  }
  report_rate(state, products, 1e9, "G multiply-adds/s");
}

// A quantised operand of 128 partitions and its scales.
struct MxTile {
  std::vector<std::uint8_t> scales;
  std::vector<std::uint8_t*> rows;
  std::vector<const std::uint8_t*> const_rows;

  MxTile(Memory& memory, std::size_t offset, std::size_t width, DType dtype, bool exponential)
      : scales(partitions / 8 * width) {
    for (std::size_t i = 0; i < partitions / 8; ++i) rows.push_back(&scales[i * width]);
    const_rows.assign(rows.begin(), rows.end());
    const std::size_t n = partitions * width * numerics::mx_pack;
    const auto values = exponential ? exponential_values(n) : normal_values(n);
    const auto stride = static_cast<std::ptrdiff_t>(width * numerics::mx_pack * sizeof(float));
    const numerics::ConstRows source{reinterpret_cast<const std::byte*>(values.data()), stride,
                                     DType::float32};
    numerics::quantize_mx(source, partitions, width * numerics::mx_pack, memory.out(offset, dtype),
                          rows);
  }
};

enum class Exponential { none, stationary, moving };  // which operand's values are

void matmul_mx_of(benchmark::State& state, DType stationary, DType moving, Exponential operand) {
  Memory sbuf(sbuf_stride), psum(psum_stride);
  const std::size_t second =
      partitions * static_cast<std::size_t>(numerics::size_in_bytes(stationary));
  const std::size_t tile =
      second + columns * static_cast<std::size_t>(numerics::size_in_bytes(moving));
  std::vector<MxTile> s, v;
  for (std::size_t i = 0; i < tiles; ++i) {
    s.emplace_back(sbuf, i * tile, partitions, stationary, operand == Exponential::stationary);
    v.emplace_back(sbuf, i * tile + second, columns, moving, operand == Exponential::moving);
  }
  numerics::MatmulScratch scratch;
  std::size_t next = 0;
  for (auto _ : state) {
    const std::size_t i = next++ % tiles;
    numerics::matmul_mx({sbuf.in(i * tile, stationary), s[i].const_rows},
                        {sbuf.in(i * tile + second, moving), v[i].const_rows},
                        psum.out(0, DType::float32), partitions, partitions, columns, true,
                        scratch);
    benchmark::ClobberMemory();
  }
  report_rate(state, products * numerics::mx_pack, 1e9, "G multiply-adds/s");
}

template <Exponential operand>
void matmul_mx(benchmark::State& state, DType stationary, DType moving) {
  matmul_mx_of(state, stationary, moving, operand);
}

void quantize_mx(benchmark::State& state, DType from, DType to) {
  Memory sbuf(sbuf_stride);
  fill(sbuf, 0, from, quantised_columns);
  std::vector<std::uint8_t> scales(partitions / 8 * quantised_columns / 4);
  std::vector<std::uint8_t*> rows;
  for (std::size_t i = 0; i < partitions / 8; ++i)
    rows.push_back(&scales[i * quantised_columns / 4]);
  for (auto _ : state) {
    numerics::quantize_mx(sbuf.in(0, from), partitions, quantised_columns,
                          sbuf.out(quantised_columns * 4, to), rows);
    benchmark::ClobberMemory();
  }
  report_rate(state, partitions * quantised_columns, 1e9, "G elements/s");
}

// The same number of rows and elements, two bytes each.
void copy_rows(benchmark::State& state) {
  Memory sbuf(sbuf_stride);
  for (auto _ : state) {
    for (std::size_t p = 0; p < partitions; ++p) {
      std::byte* row = sbuf.at(p * sbuf_stride);
      std::memcpy(row + quantised_columns * 4, row, quantised_columns * 2);
    }
    benchmark::ClobberMemory();
  }
  report_rate(state, partitions * quantised_columns, 1e9, "G elements/s");
}

struct Product {
  const char* name;
  DType stationary, moving_or_result;
};
constexpr Product plain[] = {
    {"matmul: bf16 128x128x512 onto fp32", DType::bfloat16, DType::float32},
    {"matmul: bf16 128x128x512 onto bf16", DType::bfloat16, DType::bfloat16},
    {"matmul: fp8 e4m3 128x128x512", DType::float8_e4m3, DType::float32},
    {"matmul: fp32 128x128x512", DType::float32, DType::float32},
};
constexpr Product mx[] = {
    {"matmul_mx: e4m3fn x e4m3fn 128x512x512", DType::float8_e4m3fn_x4, DType::float8_e4m3fn_x4},
    {"matmul_mx: e5m2 x e5m2 128x512x512", DType::float8_e5m2_x4, DType::float8_e5m2_x4},
    {"matmul_mx: e2m1 x e2m1 128x512x512", DType::float4_e2m1fn_x4, DType::float4_e2m1fn_x4},
    {"matmul_mx: e4m3fn x e2m1 128x512x512", DType::float8_e4m3fn_x4, DType::float4_e2m1fn_x4},
    {"matmul_mx: e4m3fn x e5m2 128x512x512", DType::float8_e4m3fn_x4, DType::float8_e5m2_x4},
    {"matmul_mx: e5m2 x e4m3fn 128x512x512", DType::float8_e5m2_x4, DType::float8_e4m3fn_x4},
    {"matmul_mx: e5m2 x e2m1 128x512x512", DType::float8_e5m2_x4, DType::float4_e2m1fn_x4},
    {"matmul_mx: e2m1 x e4m3fn 128x512x512", DType::float4_e2m1fn_x4, DType::float8_e4m3fn_x4},
    {"matmul_mx: e2m1 x e5m2 128x512x512", DType::float4_e2m1fn_x4, DType::float8_e5m2_x4},
};
constexpr Product quantisers[] = {
    {"quantize_mx: bf16 to e4m3fn", DType::bfloat16, DType::float8_e4m3fn_x4},
    {"quantize_mx: fp16 to e5m2", DType::float16, DType::float8_e5m2_x4},
};

// The host's own limit of a list, and what benchmarks/run.py knows it by.
struct Limit {
  void (*measure)(benchmark::State&);
  const char* suffix = " | host limit";
};
constexpr Limit peak{host_peak, " | host peak"};

// The lists above, each with its limit.
template <typename Function>
void register_all(std::span<const Product> list, const Function& function, const Limit& limit,
                  const std::string& suffix = "") {
  for (const Product& p : list) {
    const std::string name = p.name + suffix;
    benchmark::RegisterBenchmark(name.c_str(), function, p.stationary, p.moving_or_result);
    benchmark::RegisterBenchmark((name + limit.suffix).c_str(), limit.measure);
  }
}

}  // namespace
}  // namespace trainyard::benchmarks

int main(int argc, char** argv) {
  using namespace trainyard::benchmarks;
  benchmark::RegisterBenchmark("host: OpenBLAS SGEMM 1024", host_sgemm);
  register_all(plain, matmul, {host_sgemm});
  register_all(mx, matmul_mx<Exponential::none>, peak);
  register_all(mx, matmul_mx<Exponential::stationary>, peak, ", exp(4 x normal) stationary");
  register_all(mx, matmul_mx<Exponential::moving>, peak, ", exp(4 x normal) moving");
  register_all(quantisers, quantize_mx, {copy_rows});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
