// Compares two programs by what they mean, part by part, so that a difference is named.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "isa/core/program.h"
#include "isa/forms/record_defaults.h"
#include "isa/forms/value_bytes.h"

namespace trainyard::isa {

inline std::string value_of(const Program& program, const OperandInfo& operand,
                            const void* record) {
  std::string out;
  append_operand(out, program, operand, record,
                 [](std::string& bytes, const auto& value) { value_bytes::write(bytes, value); });
  return out;
}

inline void expect_same_tensors(const Program& a, const Program& b) {
  ASSERT_EQ(a.tensors.size(), b.tensors.size());
  for (std::size_t t = 0; t < a.tensors.size(); ++t) {
    const Tensor &x = a.tensors[t], &y = b.tensors[t];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.shape, y.shape);
    EXPECT_EQ(x.dtype, y.dtype);
    EXPECT_EQ(x.space, y.space);
    EXPECT_EQ(x.role, y.role);
    EXPECT_EQ(x.shared, y.shared);
    EXPECT_EQ(x.manual_address, y.manual_address);
    EXPECT_EQ(x.created, y.created);
    EXPECT_EQ(x.partition_start, y.partition_start);
    EXPECT_EQ(x.address, y.address);
    EXPECT_EQ(a.describe_location(x.location), b.describe_location(y.location));
    EXPECT_EQ(x.constant, y.constant);
  }
}

inline void expect_same_instructions(const Program& a, const Program& b) {
  ASSERT_EQ(a.instructions.size(), b.instructions.size());
  for (std::uint32_t i = 0; i < a.instructions.size(); ++i) {
    const Instruction &x = a.instructions[i], &y = b.instructions[i];
    ASSERT_EQ(x.opcode, y.opcode);
    EXPECT_EQ(x.engine, y.engine);
    EXPECT_EQ(x.queue, y.queue);
    EXPECT_EQ(x.location, y.location);
    EXPECT_EQ(a.place(i), b.place(i));
    for (const OperandInfo& operand : a.info_at(i).operands)
      EXPECT_EQ(value_of(a, operand, a.record(i)), value_of(b, operand, b.record(i)))
          << a.info_at(i).mnemonic << " " << operand.name;
  }
}

inline void expect_same_streams(const Program& a, const Program& b) {
  EXPECT_EQ(a.compiled, b.compiled);
  EXPECT_EQ(a.semaphore_count, b.semaphore_count);
  for (std::size_t e = 0; e < a.streams.size(); ++e) {
    ASSERT_EQ(a.streams[e].size(), b.streams[e].size());
    for (std::size_t s = 0; s < a.streams[e].size(); ++s) {
      const StreamItem &x = a.streams[e][s], &y = b.streams[e][s];
      EXPECT_EQ(x.instruction, y.instruction);
      EXPECT_EQ(x.depends_back, y.depends_back);
      EXPECT_TRUE(std::ranges::equal(a.waits_of(x), b.waits_of(y)));
      EXPECT_TRUE(std::ranges::equal(a.signals_of(x), b.signals_of(y)));
    }
  }
}

inline void expect_same(const Program& a, const Program& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.generation, b.generation);
  EXPECT_EQ(a.dynamics, b.dynamics);
  expect_same_tensors(a, b);
  expect_same_instructions(a, b);
  ASSERT_EQ(a.schedule_edges.size(), b.schedule_edges.size());
  for (std::size_t k = 0; k < a.schedule_edges.size(); ++k) {
    EXPECT_EQ(a.schedule_edges[k].producer, b.schedule_edges[k].producer);
    EXPECT_EQ(a.schedule_edges[k].consumer, b.schedule_edges[k].consumer);
  }
  expect_same_streams(a, b);
}

}  // namespace trainyard::isa
