// Who makes the descriptors of a transfer, and how long does that hold the engine that triggers it?
#include "isa/cost/transfer.h"

#include <gtest/gtest.h>

#include "bench.h"
#include "isa/instructions/dma_copy.h"

namespace trainyard::isa {
namespace {

DescriptorMaker maker(const DmaCopy& copy, Engine issuer, const machine::Core& core) {
  return maker_of(info_of<DmaCopy>(), &copy, issuer, core);
}

TEST(Transfer, ItsIssuerMakesTheDescriptorsOfAPlainCopy) {
  Bench b;
  DmaCopy copy{b.sbuf(DType::bfloat16, 128, {512}), b.hbm(DType::bfloat16, {128, 512})};
  EXPECT_EQ(maker(copy, Engine::sync, b.core), DescriptorMaker::hardware);
  EXPECT_EQ(maker(copy, Engine::gpsimd, b.core), DescriptorMaker::software);
  copy.dge_mode = DgeMode::swdge;
  EXPECT_EQ(maker(copy, Engine::sync, b.core), DescriptorMaker::software);
  copy.dge_mode = DgeMode::none;
  EXPECT_EQ(maker(copy, Engine::gpsimd, b.core), DescriptorMaker::fixed);
  copy.dge_mode = DgeMode::unknown;
  b.core.features.hardware_dge = false;
  EXPECT_EQ(maker(copy, Engine::sync, b.core), DescriptorMaker::fixed);
}

TEST(Transfer, SoftwareMakesThoseThatCastOrHaveARunTimeAddress) {
  Bench b;
  const Tile dst = b.sbuf(DType::bfloat16, 128, {512});
  const Tile src = b.hbm(DType::bfloat16, {128, 512});
  const DmaCopy casting{dst, b.hbm(DType::float32, {128, 512})};
  EXPECT_EQ(maker(casting, Engine::sync, b.core), DescriptorMaker::software);
  const DmaCopy gathering{dst, b.by_rows(src, b.sbuf(DType::int32, 128, {1}), 512)};
  EXPECT_EQ(maker(gathering, Engine::sync, b.core), DescriptorMaker::software);
  DmaCopy moved{dst, b.by_register(src, 5)};
  EXPECT_EQ(maker(moved, Engine::sync, b.core), DescriptorMaker::software);
  moved.dge_mode = DgeMode::hwdge;
  EXPECT_EQ(maker(moved, Engine::sync, b.core), DescriptorMaker::hardware);
}

TEST(Transfer, OnlySoftwareDescriptorsArePreparedBeforeTheirTrigger) {
  const machine::Core core = machine::load("trn2").core;
  const machine::Sequencer &sync = core.sync.sequencer, &gpsimd = core.gpsimd.sequencer;
  for (const bool behind_another : {false, true}) {
    const auto time = [&](DescriptorMaker maker, Engine issuer) {
      return issue_time(maker, issuer, behind_another, core);
    };
    EXPECT_EQ(time(DescriptorMaker::fixed, Engine::sync), sync.dma_issue_static);
    EXPECT_EQ(time(DescriptorMaker::hardware, Engine::sync), sync.dma_issue_hardware);
    EXPECT_EQ(time(DescriptorMaker::collective, Engine::sync), sync.dma_issue_hardware);
    EXPECT_EQ(time(DescriptorMaker::collective, Engine::gpsimd), gpsimd.dma_issue_software);
    EXPECT_EQ(time(DescriptorMaker::software, Engine::gpsimd),
              gpsimd.dma_issue_software +
                  (behind_another ? core.dma.software_prepare_next : core.dma.software_prepare));
  }
}

}  // namespace
}  // namespace trainyard::isa
