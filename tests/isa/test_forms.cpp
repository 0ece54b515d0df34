// Do programs survive the text form and the binary form, and are damaged ones refused with a place?
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash.h"
#include "base/random.h"
#include "isa/forms/binary.h"
#include "isa/forms/text.h"
#include "isa/instructions/nc_matmul.h"
#include "random_program.h"
#include "same_program.h"

namespace trainyard::isa {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t seeds = 60;

TEST(TextForm, RoundTrips) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Program program = random_program(seed);
    const std::string text = to_text(program);
    const Program again = parse_text(text);
    expect_same(program, again);
    EXPECT_EQ(to_text(again), text);
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << text;
  }
}

TEST(BinaryForm, RoundTrips) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Program program = random_program(seed);
    const std::string bytes = to_binary(program);
    const Program again = from_binary(bytes);
    expect_same(program, again);
    EXPECT_EQ(to_binary(again), bytes);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

// The random programs leave no instruction out.
TEST(Forms, EveryInstructionTakesPart) {
  std::vector<bool> seen(opcode_count);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const Instruction& what : random_program(seed).instructions) seen[what.opcode] = true;
  }
  for (Opcode opcode = 0; opcode < opcode_count; ++opcode)
    EXPECT_TRUE(seen[opcode]) << info(opcode).mnemonic;
}

Program small_program() {
  Program p;
  Tensor weights;
  weights.name = "weights";
  weights.shape = {128, 64};
  weights.dtype = DType::bfloat16;
  weights.space = Space::sbuf;
  p.tensors.push_back(weights);
  Tensor sums = weights;
  sums.name = "sums";
  sums.shape = {64, 512};
  sums.dtype = DType::float32;
  sums.space = Space::psum;
  p.tensors.push_back(sums);
  p.strings = {"", "kernel.py", "kernel", "k"};
  p.frames.push_back({1, 2, 12, 0});
  p.loop_indices.push_back({3, 5});
  p.locations.push_back({1, 0, 1});
  NcMatmul op;
  op.stationary = op.moving = {.space = Space::sbuf,
                               .dtype = DType::bfloat16,
                               .rank = 1,
                               .partitions = 128,
                               .tensor = 0,
                               .dims = {Dim{1, 64}}};
  op.dst = {.space = Space::psum,
            .dtype = DType::float32,
            .rank = 2,
            .partitions = 64,
            .tensor = 1,
            .offset = 16,
            .dims = {Dim{128, 4}, Dim{1, 16}}};
  op.accumulate = Accumulate::add;
  p.append(op, Engine::tensor, 1);
  return p;
}

// The text form as docs/formats/program.md shows it.
TEST(TextForm, IsReadable) {
  EXPECT_EQ(to_text(small_program()),
            "trainyard program 1\n"
            "name \"kernel\"\n"
            "generation 4\n"
            "frame 1 \"kernel.py\":12 in \"kernel\"\n"
            "loc 1 frame 1 \"k\"=5\n"
            "tensor %0 internal sbuf bfloat16 [128, 64] \"weights\"\n"
            "tensor %1 internal psum float32 [64, 512] \"sums\"\n"
            "0 tensor nc_matmul dst=psum:float32:%1[0:64, 4@128, 16]+16, "
            "stationary=sbuf:bfloat16:%0[0:128, 64], moving=sbuf:bfloat16:%0[0:128, 64], "
            "accumulate=add; loc 1\n");
}

TEST(Disassembly, NamesTensorsAndTheAuthorsLine) {
  EXPECT_EQ(disassemble(small_program(), 0),
            "     0  tensor  nc_matmul  dst=sums psum float32 [64, 4, 16], "
            "stationary=weights sbuf bfloat16 [128, 64], moving=weights sbuf bfloat16 [128, 64], "
            "accumulate=add    # kernel.py:12 in kernel, k=5");
}

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_text(text, "k.txt"));
  } catch (const base::InputError& error) {
    return error.violations().front().place + ": " + error.violations().front().rule + ": " +
           error.violations().front().found;
  }
  return "accepted";
}

TEST(TextForm, ErrorsNameTheLine) {
  const std::string head = "trainyard program 1\n";
  EXPECT_THAT(refusal(""), HasSubstr("k.txt, line 1"));
  EXPECT_THAT(refusal("hello"), HasSubstr("k.txt, line 1, column 1"));
  EXPECT_THAT(refusal(head + "\n# comment\nwrong 1"), HasSubstr("k.txt, line 4"));
  EXPECT_THAT(refusal(head + "0 tensor nc_matmull"), HasSubstr("nc_matmull"));
  EXPECT_THAT(refusal(head + "0 tensor nc_matmul color=1"), HasSubstr("color"));
  EXPECT_THAT(refusal(head + "0 tensor nc_matmul is_transpose=true, is_transpose=true"),
              HasSubstr("once"));
  EXPECT_THAT(refusal(head + "1 tensor nc_matmul"), HasSubstr("number 0"));
  EXPECT_THAT(refusal(head + "0 tensor nc_matmul dst=psum:float32:%0[0:1]"), HasSubstr("tensor 0"));
  EXPECT_THAT(refusal(head + "0 tensor nc_matmul accumulate=maybe"),
              HasSubstr("overwrite, add, automatic"));
  EXPECT_THAT(refusal(head + "0 tensor nc_matmul tile_size=[1, 2, 3]"), HasSubstr("at most 2"));
  EXPECT_THAT(refusal(head + "0 tensor nc_matmul; loc 1"), HasSubstr("location 1"));
  EXPECT_THAT(refusal(head + "tensor %0 input hbm int8 [2] \"a\"\ndata %0 000102"),
              HasSubstr("as many bytes"));
  EXPECT_THAT(refusal(head + "tensor %0 input hbm int8 [2] \"a\"\ndata %0 00"),
              HasSubstr("1 bytes of content"));
  EXPECT_THAT(refusal(head + "tensor %0 input hbm int8 [281474976710656, 9] \"a\""),
              HasSubstr("beyond every memory"));
  const std::string dynamic = "dynamic !1 register_offset r0 stride 4 limit ";
  EXPECT_EQ(refusal(head + dynamic + "0"), "accepted");
  EXPECT_THAT(refusal(head + dynamic + "-1"), HasSubstr("a limit of -1"));
}

std::string binary_refusal(std::string_view bytes) {
  try {
    static_cast<void>(from_binary(bytes, "k.typ"));
  } catch (const base::InputError& error) {
    return error.violations().front().place + ": " + error.violations().front().found;
  }
  return "accepted";
}

TEST(BinaryForm, ErrorsNameTheOffset) {
  std::string bytes = to_binary(small_program());
  EXPECT_EQ(binary_refusal(bytes), "accepted");
  EXPECT_THAT(binary_refusal(""), HasSubstr("k.typ, offset 0"));
  EXPECT_THAT(binary_refusal(std::string_view(bytes).substr(0, 10)), HasSubstr("k.typ, offset"));
  Program negative = small_program();
  negative.dynamics.push_back({.limit = -7});
  EXPECT_THAT(binary_refusal(to_binary(negative)), HasSubstr("a limit of -7"));
  bytes[20] = static_cast<char>(bytes[20] ^ 1);
  EXPECT_THAT(binary_refusal(bytes), HasSubstr("checksum"));
}

// Damage that the checksum does not see: it is made to fit again.
TEST(BinaryForm, DamageIsRefusedOrHarmless) {
  base::Random random(7);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string whole = to_binary(random_program(seed));
    for (int round = 0; round < 200; ++round) {
      std::string bytes = whole.substr(0, whole.size() - binary::checksum_bytes);
      bytes[8 + random.below(bytes.size() - 8)] = static_cast<char>(random.next());
      base::put_fixed64(bytes, base::hash_bytes(std::as_bytes(std::span(bytes))));
      try {
        const Program program = from_binary(bytes);
        EXPECT_EQ(to_binary(from_binary(to_binary(program))), to_binary(program));
      } catch (const base::InputError& error) {
        EXPECT_THAT(error.violations().front().place, HasSubstr("offset"));
      }
    }
  }
}

}  // namespace
}  // namespace trainyard::isa
