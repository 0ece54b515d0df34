// Does each run-time check find its mistake, name both sides, and leave correct programs alone?
#include "checkers/checkers.h"

#include "../engines/interleaved.h"
#include "../engines/programs.h"
#include "base/random.h"
#include "engines/interpreter.h"
#include "isa/instructions/nc_matmul.h"

namespace trainyard::checkers {
namespace {

using engines::Author;
using engines::Bench;
using engines::Interpreter;
using engines::Sum;
using engines::trn3;
using isa::Engine;

// All messages when the streams run with `seed`; empty when there are none.
std::string findings_of(const Sum& sum, std::uint64_t seed = 1) {
  Bench bench(sum.author.program);
  sum.fill(bench);
  Checkers checkers(sum.author.program, bench.execution, {.stop_at = std::nullopt});
  engines::run_interleaved(sum.author.program, bench.execution, seed, &checkers);
  std::string text;
  for (const Finding& finding : checkers.findings().list())
    text += base::describe(finding.violation) + "\n";
  return text;
}

isa::StreamItem& item_of(Sum& sum, Engine engine, std::size_t i) {
  return sum.author.program.streams[static_cast<std::size_t>(engine)][i];
}

TEST(Checkers, leave_a_correct_program_alone) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(findings_of(Sum(), seed), "");
}

TEST(Races, are_found_whatever_order_the_run_takes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Sum sum;
    item_of(sum, Engine::scalar, 0).wait_count = 0;  // copies the sum without waiting for it
    Bench bench(sum.author.program);
    sum.fill(bench);
    Checkers checkers(sum.author.program, bench.execution, {.stop_at = std::nullopt});
    engines::run_interleaved(sum.author.program, bench.execution, seed, &checkers);
    bool found = false;
    for (const Finding& f : checkers.findings().list()) {
      if (f.category != base::FaultCategory::race) continue;
      found = true;
      EXPECT_NE(f.violation.found.find("the vector engine writes it in tensor_tensor"),
                std::string::npos);
      EXPECT_NE(f.violation.found.find("the scalar engine reads it in tensor_copy"),
                std::string::npos);
    }
    EXPECT_TRUE(found) << "seed " << seed;
  }
}

TEST(Races, between_a_transfer_and_an_engine_are_found) {
  Sum sum;
  sum.author.program.waits.front().value = 16;  // waits for one of the two loads
  const std::string text = findings_of(sum);
  EXPECT_NE(text.find("memory.race"), std::string::npos) << text;
  EXPECT_NE(text.find("DMA queue sync loads writes it in dma_copy"), std::string::npos) << text;
}

TEST(Races, a_result_of_the_same_engine_must_be_committed_before_it_is_read) {
  for (const bool waits : {true, false}) {
    Sum sum;
    isa::Program& p = sum.author.program;
    const isa::TensorId twice = sum.author.sbuf(Sum::rows, Sum::columns);
    // A second Vector instruction reads the first one's result.
    const isa::Tile result = p.as<isa::TensorTensor>(p.streams[1][0].instruction).dst;
    const std::uint32_t i = p.append(isa::TensorCopy{.dst = sum.author.all(twice), .src = result});
    sum.author.schedule(Engine::vector, i).depends_back = waits ? 1 : 0;
    EXPECT_EQ(findings_of(sum).empty(), waits);
  }
}

TEST(Unwritten, bytes_are_found_to_the_byte) {
  Sum sum;
  isa::Program& p = sum.author.program;
  // The first load leaves the last column of partition 127 out.
  auto& load = *static_cast<isa::DmaCopy*>(p.record(p.streams[4][0].instruction));
  load.src.dims[0].count = load.src.dims[0].count - 1;
  load.dst.partitions = 127;
  const std::string text = findings_of(sum);
  EXPECT_NE(text.find("memory.unwritten"), std::string::npos) << text;
  EXPECT_NE(text.find("data1 of tensor_tensor reads partition 127, byte 0 of sbuf"),
            std::string::npos)
      << text;
}

TEST(Unwritten, hbm_bytes_are_found) {
  const Sum sum;
  Bench bench(sum.author.program);  // the inputs are never filled in
  Checkers checkers(sum.author.program, bench.execution);
  try {
    Interpreter(sum.author.program, bench.execution, &checkers).run();
    FAIL() << "nothing was found";
  } catch (const base::Fault& fault) {
    EXPECT_EQ(fault.category(), base::FaultCategory::uninitialized_read);
    EXPECT_NE(std::string(fault.what()).find("src of dma_copy reads byte 0 of 't0'"),
              std::string::npos);
  }
}

TEST(Unwritten, memory_of_a_new_tensor_is_unwritten_again) {
  Sum sum;
  isa::Program& p = sum.author.program;
  // A tensor at the address of the first load's, which is written by then.
  const isa::TensorId stale = sum.author.add(isa::Space::sbuf, Sum::rows, Sum::columns,
                                             isa::DType::float32, isa::TensorRole::internal, 0);
  const isa::TensorId target = sum.author.hbm(Sum::rows, Sum::columns, isa::TensorRole::output);
  const std::uint32_t i =
      p.append(isa::DmaCopy{.dst = sum.author.all(target), .src = sum.author.all(stale)});
  sum.author.schedule(Engine::sync, i);
  EXPECT_NE(findings_of(sum).find("memory.unwritten"), std::string::npos);
}

// Half of a tile's columns.
isa::Tile half(isa::Tile tile, int which) {
  tile.dims[0].count /= 2;
  tile.offset += which * tile.dims[0].count * tile.element_bytes();
  return tile;
}

// Dependences are by byte, so the first write to a new tensor may come before the last read of the
// one that had its memory, of other bytes.
TEST(Unwritten, bytes_of_an_earlier_tensor_stay_written_beside_those_of_a_new_one) {
  for (const bool reads_new : {false, true}) {
    Sum sum;
    isa::Program& p = sum.author.program;
    const isa::TensorId later = sum.author.add(isa::Space::sbuf, Sum::rows, Sum::columns,
                                               isa::DType::float32, isa::TensorRole::internal, 0);
    const isa::Tile earlier =
        static_cast<const isa::DmaCopy*>(p.record(p.streams[4][0].instruction))->dst;
    const isa::Tile out =
        sum.author.all(sum.author.hbm(Sum::rows, Sum::columns / 2, isa::TensorRole::output));
    const isa::Tile from = half(sum.author.all(sum.a), 0);
    const isa::Tile source = reads_new ? sum.author.all(later) : earlier;
    sum.author.schedule(Engine::sync,
                        p.append(isa::DmaCopy{.dst = half(sum.author.all(later), 0), .src = from}));
    sum.author.schedule(Engine::sync, p.append(isa::DmaCopy{.dst = out, .src = half(source, 1)}));
    EXPECT_EQ(findings_of(sum).find("memory.unwritten") != std::string::npos, reads_new);
  }
}

TEST(Unwritten, what_nobody_sees_may_be_undetermined) {
  for (const isa::TensorRole role : {isa::TensorRole::internal, isa::TensorRole::output}) {
    Sum sum;
    isa::Program& p = sum.author.program;
    const isa::Tile empty = sum.author.all(sum.author.sbuf(Sum::rows, Sum::columns));
    const isa::Tile target = sum.author.all(sum.author.hbm(Sum::rows, Sum::columns, role));
    const std::uint32_t i = p.append(isa::DmaCopy{.dst = target, .src = empty});
    sum.author.schedule(Engine::sync, i);
    EXPECT_EQ(findings_of(sum).empty(), role == isa::TensorRole::internal);
  }
}

TEST(Unwritten, a_copy_of_a_tensor_onto_itself_reads_nothing) {
  Sum sum;
  isa::Program& p = sum.author.program;
  const isa::Tile empty =
      sum.author.all(sum.author.hbm(Sum::rows, Sum::columns, isa::TensorRole::output));
  sum.author.schedule(Engine::sync, p.append(isa::DmaCopy{.dst = empty, .src = empty}));
  EXPECT_EQ(findings_of(sum), "");
}

TEST(Coverage, agrees_with_a_byte_by_byte_map) {
  base::Random random(5);
  for (int round = 0; round < 200; ++round) {
    const auto base = static_cast<std::int64_t>(random.below(200));
    Coverage coverage({.partitions = 8, .first_byte = base, .bytes = 512});
    std::vector<std::vector<bool>> map(8, std::vector<bool>(512, false));
    for (int step = 0; step < 12; ++step) {
      isa::Tile tile{.space = isa::Space::sbuf,
                     .dtype = random.below(2) == 0 ? isa::DType::bfloat16 : isa::DType::uint8};
      tile.rank = 2;
      tile.partition_start = static_cast<std::uint16_t>(random.below(4));
      tile.partitions = static_cast<std::uint16_t>(1 + random.below(5));
      tile.offset = static_cast<std::int64_t>(random.below(64));
      tile.dims[0] = {static_cast<std::int32_t>(random.below(20)),
                      static_cast<std::int32_t>(1 + random.below(4))};
      tile.dims[1] = {static_cast<std::int32_t>(1 + random.below(3)),
                      static_cast<std::int32_t>(1 + random.below(30))};
      if (random.below(6) == 0) {  // all of it
        tile = {.space = isa::Space::sbuf, .dtype = isa::DType::uint8, .rank = 1, .partitions = 8};
        tile.dims[0] = {1, 512};
        tile.dims[1] = {0, 1};
      }
      tile.offset += base;
      bool complete = true;
      const bool marks = random.below(3) != 0;
      const bool clears = random.below(4) == 0;
      const auto found = coverage.first_clear(tile);
      for (int p = tile.partition_start; p < tile.partition_start + tile.partitions; ++p) {
        for (std::int32_t a = 0; a < tile.dims[0].count; ++a) {
          for (std::int32_t b = 0; b < tile.dims[1].count; ++b) {
            for (std::int64_t byte = 0; byte < tile.element_bytes(); ++byte) {
              const auto at = static_cast<std::size_t>(
                  tile.offset - base +
                  (a * tile.dims[0].step + b * tile.dims[1].step) * tile.element_bytes() + byte);
              auto bit = map[static_cast<std::size_t>(p)][at];
              complete = complete && bit;
              if (marks) map[static_cast<std::size_t>(p)][at] = !clears;
            }
          }
        }
      }
      // A pattern may touch a byte twice, so `complete` is only meaningful before anything changed.
      if (!marks) {
        EXPECT_EQ(!found.has_value(), complete);
      }
      if (marks && !clears) coverage.mark(tile);
      if (marks && clears) coverage.clear(tile);
    }
  }
}

// A core that may add only to what a matmul wrote, as v2 and v3.
machine::Machine strict_machine() {
  machine::Machine machine = trn3();
  machine.core.features.accumulate_on_any_write = false;
  return machine;
}

TEST(PsumGroups, a_sum_must_be_begun_by_an_overwriting_matmul) {
  for (const bool begun : {true, false}) {
    Author author;
    const isa::TensorId a = author.sbuf(128, 128, isa::DType::bfloat16);
    const isa::TensorId sum =
        author.add(isa::Space::psum, 128, 128, isa::DType::float32, isa::TensorRole::internal, 0);
    isa::NcMatmul matmul;
    matmul.dst = author.all(sum);
    matmul.stationary = matmul.moving = author.all(a);
    isa::Program& p = author.program;
    matmul.accumulate = begun ? isa::Accumulate::overwrite : isa::Accumulate::add;
    (void)p.append(matmul, Engine::tensor);
    matmul.accumulate = isa::Accumulate::add;
    (void)p.append(matmul, Engine::tensor);
    const machine::Machine machine = strict_machine();
    Bench bench(p, machine);
    Findings findings(p, {.stop_at = std::nullopt});
    const History history(p);
    PsumGroupCheck check(p, bench.execution, history, findings);
    for (std::uint32_t i = 0; i < p.instructions.size(); ++i)
      check.apply(i, Engine::tensor, p.info_at(i), p.record(i));
    EXPECT_EQ(findings.list().empty(), begun);
    if (!begun) {
      EXPECT_EQ(findings.list().front().violation.label, "psum.group");
    }
  }
}

// Columns of a sum that nothing reads are the author's choice; another sum may take their place.
TEST(PsumGroups, a_sum_in_memory_of_an_earlier_one_overwrites_nothing_of_its_own) {
  for (const bool same_tensor : {true, false}) {
    Author author;
    const isa::TensorId a = author.sbuf(128, 128, isa::DType::bfloat16);
    const auto sum = [&] {
      return author.add(isa::Space::psum, 128, 128, isa::DType::float32, isa::TensorRole::internal,
                        0);
    };
    const isa::TensorId first = sum(), second = same_tensor ? first : sum();
    isa::Program& p = author.program;
    isa::NcMatmul matmul;
    matmul.stationary = matmul.moving = author.all(a);
    matmul.accumulate = isa::Accumulate::overwrite;
    for (const isa::TensorId dst : {first, second}) {
      matmul.dst = author.all(dst);
      (void)p.append(matmul, Engine::tensor);
    }
    Bench bench(p);
    Findings findings(p, {.stop_at = std::nullopt});
    const History history(p);
    PsumGroupCheck check(p, bench.execution, history, findings);
    for (std::uint32_t i = 0; i < p.instructions.size(); ++i)
      check.apply(i, Engine::tensor, p.info_at(i), p.record(i));
    EXPECT_EQ(findings.list().empty(), !same_tensor);
  }
}

}  // namespace
}  // namespace trainyard::checkers
