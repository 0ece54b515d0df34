// Who holds memory from when to when, and what was moved of it?
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "example.h"
#include "report/allocations.h"
#include "report/details.h"

namespace trainyard::report {
namespace {

constexpr std::int64_t tile_bytes = std::int64_t{128} * 512 * 4;

// The example with its tile in SBUF as a tensor; the loads fill it, and the rest works on it.
isa::Program program_with_tile() {
  isa::Program program = example_program();
  isa::Tensor tile;
  tile.name = "tile";
  tile.shape = {128, 512};
  tile.space = isa::Space::sbuf;
  tile.address = 4096;
  const auto id = static_cast<isa::TensorId>(program.tensors.size());
  program.tensors.push_back(tile);
  program.tensors.push_back(tile);  // which nothing touches
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    program.for_each_tile_mutable(i, [&](isa::Tile& each) {
      if (each.space == isa::Space::sbuf) each.tensor = id;
    });
  }
  return program;
}

TEST(Allocations, LastFromTheFirstUseToTheLast) {
  const isa::Program program = program_with_tile();
  const auto all = allocations_of(program, trace::timeline_of(example_recording()));
  ASSERT_EQ(all.size(), 4u);  // two inputs, the result, the tile
  // Transfers hold their operands while bytes move, not from their issue on.
  EXPECT_EQ(all[0].begin, base::nanoseconds(300));
  EXPECT_EQ(all[0].end, base::nanoseconds(800));
  EXPECT_EQ(all[1].begin, base::nanoseconds(400));
  EXPECT_EQ(all[1].end, base::nanoseconds(1000));
  EXPECT_EQ(all[3].begin, base::nanoseconds(300));
  EXPECT_EQ(all[3].end, base::nanoseconds(3700));
}

TEST(Allocations, CountWhatWasMoved) {
  const isa::Program program = program_with_tile();
  const auto all = allocations_of(program, trace::timeline_of(example_recording()));
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].moved.read, tile_bytes);
  EXPECT_EQ(all[0].moved.written, 0);
  EXPECT_EQ(all[2].moved.written, tile_bytes);
  EXPECT_EQ(all[3].moved.written, 4 * tile_bytes);  // two loads, the sum, the exponential
  EXPECT_EQ(all[3].moved.read, 4 * tile_bytes);     // twice by the sum, and by the other two
}

TEST(Details, AreJsonOfMemoryAndThePath) {
  const machine::Machine machine = machine::load("trn3");
  const auto found = nlohmann::json::parse(
      details_json(program_with_tile(), machine.core, trace::timeline_of(example_recording())));
  EXPECT_EQ(found["schema"], "trainyard.details");
  EXPECT_EQ(found["memory"]["sbuf"]["tensors"].size(), 1u);
  EXPECT_EQ(found["memory"]["sbuf"]["tensors"][0]["address"], 4096);
  EXPECT_EQ(found["memory"]["hbm"]["tensors"].size(), 3u);
  EXPECT_EQ(found["path"]["end"].back(), base::nanoseconds(4000).value);
  EXPECT_EQ(found["path"]["end"].size(), found["path"]["track"].size());
}

TEST(Details, TellWhatInstructionsMoveAndWhereTransfersGo) {
  const machine::Machine machine = machine::load("trn3");
  const isa::Program program = program_with_tile();
  const auto facts = nlohmann::json::parse(
      details_json(program, machine.core, trace::timeline_of(example_recording())))["facts"];
  const auto& columns = facts["instructions"];
  for (const auto& column : columns) EXPECT_EQ(column.size(), program.instructions.size());
  // Whatever runs once moves what the whole run is said to have moved.
  std::int64_t hbm = 0, sbuf = 0;
  for (std::size_t i = 0; i < program.instructions.size(); ++i) {
    hbm += columns["hbm_read"][i].get<std::int64_t>();
    sbuf += columns["sbuf_written"][i].get<std::int64_t>();
  }
  EXPECT_EQ(hbm, 2 * tile_bytes);
  EXPECT_EQ(sbuf, 4 * tile_bytes);
  const auto& transfers = facts["transfers"];
  ASSERT_EQ(transfers["instruction"].size(), 3u);  // two loads and a store
  const auto tile_at = [&](const char* side, std::size_t k) {
    return facts["tiles"][transfers[side][k].get<std::size_t>()];
  };
  EXPECT_EQ(tile_at("read", 0)["space"], "hbm");
  EXPECT_EQ(tile_at("written", 0)["tensor"], "tile");
  EXPECT_EQ(tile_at("written", 0)["partitions"], (nlohmann::json{0, 128}));
  EXPECT_EQ(tile_at("read", 2)["tensor"], "tile");
}

}  // namespace
}  // namespace trainyard::report
