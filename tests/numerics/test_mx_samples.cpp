// The 72 device and golden values that AWS printed for six MX runs on Trainium3 (MX deep dive,
// "Executing the Code"): what of them this arithmetic explains. The runs' inputs came from an
// unseeded generator, so the products themselves cannot be repeated; a run of our own on data made
// the same way stands in for them.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "numerics/convert.h"
#include "numerics/mx.h"

namespace trainyard::numerics {
namespace {

struct Sample {
  float device, golden;  // PSUM bfloat16 output; NumPy float32 sum of the dequantised products
};
constexpr Sample samples[] = {
    // offline_quantized_mx_matmul - stationary <float8_e5m2> @ moving <float8_e5m2>
    {0.02526855F, 0.02535721F},
    {0.59765625F, 0.5957752F},
    {1.15625F, 1.1556101F},
    {-0.09033203F, -0.09036541F},
    {-0.10888672F, -0.10906862F},
    {-0.84375F, -0.8448767F},
    {0.25585938F, 0.2551025F},
    {0.18554688F, 0.1856966F},
    {-0.546875F, -0.54681885F},
    {-0.71875F, -0.71797514F},
    {-0.6015625F, -0.6026518F},
    {-0.46484375F, -0.4641544F},
    // offline_quantized_mx_matmul - stationary <float4_e2m1fn> @ moving <float4_e2m1fn>
    {-0.02038574F, -0.02036181F},
    {0.02648926F, 0.02647817F},
    {0.10351562F, 0.10362364F},
    {-0.25F, -0.24955288F},
    {0.02404785F, 0.02399684F},
    {0.08154297F, 0.08132255F},
    {0.234375F, 0.23485765F},
    {-0.0456543F, -0.04565394F},
    {1.140625F, 1.1424086F},
    {1.1015625F, 1.0981529F},
    {0.04833984F, 0.04839906F},
    {-0.17675781F, -0.17722145F},
    // on_device_quantize_matmul_mx - stationary <float4_e2m1fn> @ moving <float8_e5m2>
    {-0.12792969F, -0.1284121F},
    {0.02685547F, 0.02687968F},
    {-0.19140625F, -0.19178611F},
    {0.05883789F, 0.05882631F},
    {-0.01916504F, -0.01915852F},
    {-0.66796875F, -0.666565F},
    {0.03198242F, 0.03191248F},
    {-0.24316406F, -0.24304396F},
    {-0.1640625F, -0.16389877F},
    {0.06591797F, 0.06606946F},
    {-0.11914062F, -0.11931092F},
    {0.6015625F, 0.60205466F},
    // on_device_quantize_matmul_mx - stationary <float8_e5m2> @ moving <float8_e5m2>
    {0.02832031F, 0.02831857F},
    {-0.29296875F, -0.29297137F},
    {0.04394531F, 0.04390652F},
    {-0.13671875F, -0.13685682F},
    {-0.00704956F, -0.00703458F},
    {-0.47265625F, -0.47168562F},
    {0.03442383F, 0.03451066F},
    {-0.75F, -0.7511592F},
    {0.11572266F, 0.11560257F},
    {0.86328125F, 0.86369723F},
    {-0.00735474F, -0.00734489F},
    {0.33007812F, 0.3300762F},
    // copy_strided_tensor_copy - <float8_e5m2> @ <float8_e5m2>
    {0.56640625F, 0.5663527F},
    {-1.28125F, -1.2832397F},
    {0.26953125F, 0.26900524F},
    {0.5859375F, 0.5861912F},
    {0.31054688F, 0.3109728F},
    {-0.60546875F, -0.6038357F},
    {1.2421875F, 1.2426924F},
    {-0.859375F, -0.85944945F},
    {-1.140625F, -1.1438001F},
    {-0.06542969F, -0.0654989F},
    {0.11425781F, 0.11429967F},
    {0.6015625F, 0.6028823F},
    // copy_strided_dma - <float8_e5m2> @ <float8_e5m2>
    {0.32421875F, 0.32461044F},
    {0.43359375F, 0.43410686F},
    {-0.09814453F, -0.09810834F},
    {0.82421875F, 0.82437325F},
    {-2.171875F, -2.1703691F},
    {0.71484375F, 0.71522826F},
    {-0.47070312F, -0.47003102F},
    {-0.734375F, -0.733371F},
    {0.09765625F, 0.09745546F},
    {1.328125F, 1.3250915F},
    {-1.09375F, -1.0969493F},
    {-0.32226562F, -0.32166338F},
};

float to_bfloat16(float value) {
  return to_float(DType::bfloat16, from_float(DType::bfloat16, value));
}

// The print has eight digits, bfloat16 values need more: the device's value is the nearest
// bfloat16.
TEST(MxDeviceSamples, AllButOneAreTheGoldenRoundedToNearestEven) {
  ASSERT_EQ(std::size(samples), 72u);
  std::vector<Sample> others;
  for (const Sample& s : samples) {
    if (to_bfloat16(s.device) != to_bfloat16(s.golden)) others.push_back(s);
  }
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].device, 0.02526855F);
  EXPECT_EQ(others[0].golden, 0.02535721F);
}

// The exception is 0.73 units of the last place low: rounding down by truncation would explain it,
// to nearest does not.
TEST(MxDeviceSamples, TheExceptionIsOneBfloat16BelowTheNearest) {
  const std::uint32_t device = from_float(DType::bfloat16, 0.02526855F);
  const std::uint32_t nearest = from_float(DType::bfloat16, 0.02535721F);
  EXPECT_EQ(device + 1, nearest);
  EXPECT_EQ(device, std::bit_cast<std::uint32_t>(0.02535721F) >> 16);
}

// Data as the runs made it: elements uniform over the format's range, in each block one with the
// top exponent; scales within ten binades below the one that keeps the values under 1.
struct Operand {
  std::vector<std::byte> data;
  std::vector<std::uint8_t> scales;
  std::vector<const std::uint8_t*> rows;
  std::size_t columns;

  Operand(std::size_t width, std::mt19937& random)
      : data(128 * width * 4), scales(16 * width), columns(width) {
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (std::byte& b : data)
      b = static_cast<std::byte>(from_float(DType::float8_e5m2, uniform(random) * 57344));
    for (std::size_t block = 0; block < 16 * width; ++block) {
      scales[block] = static_cast<std::uint8_t>(127 - 16 - random() % 11);
      const float top = std::copysign(random() % 2 == 0 ? 32768.0F : 40960.0F, uniform(random));
      const std::size_t row = block / width * 8 + random() % 7,
                        at = (row * width + block % width) * 4 + random() % 3;
      data[at] = static_cast<std::byte>(from_float(DType::float8_e5m2, top));
    }
    for (std::size_t i = 0; i < 16; ++i) rows.push_back(&scales[i * width]);
  }
  MxOperand operand() const {
    return {{data.data(), static_cast<std::ptrdiff_t>(columns * 4), DType::float8_e5m2_x4}, rows};
  }
  std::vector<float> floats() const {
    std::vector<float> values(128 * columns * 4);
    dequantize_mx(operand().data, rows, 128, columns * 4, values.data(), columns * 4);
    return values;
  }
};

// 71 of 72 equal means that the device's sums lie much nearer to the exact ones than bfloat16 does.
// So must ours.
TEST(MxDeviceSamples, SuchRunsComeOutAsTheExactSumRoundedToNearestEven) {
  std::mt19937 random(1);
  const std::size_t M = 32, N = 64;
  const Operand s(M, random), v(N, random);
  std::vector<std::uint16_t> out(M * N);
  MatmulScratch scratch;
  const Rows rows{reinterpret_cast<std::byte*>(out.data()), N * 2, DType::bfloat16};
  matmul_mx(s.operand(), v.operand(), rows, 128, M, N, false, scratch);
  const auto sf = s.floats(), vf = v.floats();
  std::size_t equal = 0;
  for (std::size_t m = 0; m < M; ++m) {
    for (std::size_t n = 0; n < N; ++n) {
      double golden = 0;
      for (std::size_t k = 0; k < 128; ++k) {
        for (std::size_t q = 0; q < 4; ++q) {
          golden += static_cast<double>(sf[(k * M + m) * 4 + q]) *
                    static_cast<double>(vf[(k * N + n) * 4 + q]);
        }
      }
      if (from_float(DType::bfloat16, static_cast<float>(golden)) == out[m * N + n]) ++equal;
    }
  }
  EXPECT_GE(equal, M * N - 2);
}

}  // namespace
}  // namespace trainyard::numerics
