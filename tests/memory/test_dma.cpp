// When is a transfer accepted, when is it done, and who waits for whom: triggers, rings and their
// room, priorities, engines, the stack behind them?
#include "memory/dma.h"

#include <gtest/gtest.h>

#include <map>

#include "machine/machine.h"

namespace trainyard::memory {
namespace {

using base::Bytes;
using base::Ticks;
using isa::DescriptorMaker;
using isa::Engine;
using isa::Space;

constexpr Ticks ns(std::int64_t n) { return base::nanoseconds(n); }

// A core whose DMA has round figures: a packet of 1,000 bytes takes 110 ns, the semaphore 10 ns.
machine::Core round_core() {
  machine::Core core = machine::load("trn3").core;
  for (machine::DescriptorCosts* mode : {&core.dma.fixed, &core.dma.hardware, &core.dma.software}) {
    mode->trigger_latency = ns(600);
    mode->issue_interval = ns(500);
    mode->packet_overhead = ns(10);
    mode->packet_min = ns(10);
    mode->spread = ns(0);
  }
  core.dma.packet_rate.bytes_per_second = 10'000'000'000;
  core.dma.slow_start = {0};
  core.dma.packet_latency = ns(0);
  core.dma.ring_depth = 10;
  core.dma.software_prepare = ns(1000);
  core.dma.software_prepare_next = ns(300);
  for (machine::EngineTimes* engine : {&core.sync, &core.scalar, &core.gpsimd}) {
    engine->sequencer.dma_issue_static = ns(10);
    engine->sequencer.dma_issue_hardware = ns(400);
    engine->sequencer.dma_issue_software = ns(30);
    engine->sequencer.gap = ns(0);
  }
  return core;
}

class Dma : public testing::Test, public events::Port<TransferReply> {
 public:
  void send(const TransferReply& reply) override {
    (reply.what == TransferReply::What::done ? done : accepted)[reply.token] = reply.time;
  }

 protected:
  // `pieces` of 1,000 bytes on each of the first `engines` engines.
  static TransferRequest request(std::uint64_t token, std::int32_t pieces, DescriptorMaker maker,
                                 int engines = 16) {
    TransferRequest r;
    r.shape.from = Space::sbuf;
    r.shape.to = Space::sbuf;
    r.shape.piece = Bytes{1000};
    r.shape.read = r.shape.written = Bytes{1000 * std::int64_t{pieces} * engines};
    for (int e = 0; e < engines; ++e) r.shape.pieces[static_cast<std::size_t>(e)] = pieces;
    r.maker = maker;
    r.issuer = maker == DescriptorMaker::software ? Engine::gpsimd : Engine::sync;
    r.token = token;
    return r;
  }
  void run(const std::vector<TransferRequest>& requests) {
    HbmStack stack(machine_.chip);
    DmaEngines dma(core_, queue_, stack, *this, nullptr, {});
    for (const TransferRequest& r : requests) dma.send(r);
    queue_.run();
    EXPECT_EQ(dma.pending(), 0u);
    busy = dma.engine_busy();
    active = dma.active();
  }

  machine::Machine machine_ = machine::load("trn3");
  machine::Core core_ = round_core();
  events::Queue queue_;
  std::map<std::uint64_t, Ticks> accepted, done;
  Ticks busy, active;
};

TEST_F(Dma, AHardwareTransferIsIssuedGeneratedMovedAndSignalled) {
  run({request(1, 4, DescriptorMaker::hardware)});
  EXPECT_EQ(accepted[1], ns(400));
  EXPECT_EQ(done[1], ns(400 + 600 + 4 * 110 + 10));
  EXPECT_EQ(active, ns(4 * 110 + 10));
  EXPECT_EQ(busy, active * 16);
}

TEST_F(Dma, GpSimdPreparesBehindAnotherTriggerOrFromAStandingStart) {
  HbmStack stack(machine_.chip);
  DmaEngines dma(core_, queue_, stack, *this, nullptr, {});
  dma.send(request(1, 1, DescriptorMaker::software));
  queue_.run();
  EXPECT_EQ(accepted[1], ns(300 + 30));
  EXPECT_EQ(done[1], ns(330 + 600 + 110 + 10));
  dma.send(request(2, 1, DescriptorMaker::software));  // at the time the first is done
  EXPECT_EQ(accepted[2], done[1] + ns(1000 + 30));
}

TEST_F(Dma, GpSimdPreparesWhenItHasTheAddress) {
  HbmStack stack(machine_.chip);
  DmaEngines dma(core_, queue_, stack, *this, nullptr, {});
  dma.send(request(1, 1, DescriptorMaker::software));
  queue_.run();
  TransferRequest behind = request(2, 1, DescriptorMaker::software);
  behind.lead = done[1] - accepted[1];  // its address, computed since the first trigger
  dma.send(behind);
  EXPECT_EQ(accepted[2], done[1] + ns(300 + 30));
}

TEST_F(Dma, AStaticTransferHoldsItsIssuerForAMomentOnly) {
  run({request(1, 1, DescriptorMaker::fixed), request(2, 1, DescriptorMaker::fixed)});
  EXPECT_EQ(accepted[2], ns(10));  // both are sent at the same time here
  EXPECT_EQ(done[1], ns(10 + 600 + 110 + 10));
  EXPECT_EQ(done[2] - done[1], ns(500));  // the interval of one source
}

TEST_F(Dma, OutOfHbmTheFirstByteComesLater) {
  TransferRequest r = request(1, 4, DescriptorMaker::hardware);
  r.shape.from = Space::hbm;
  machine_.chip.hbm.read_ahead = Bytes{0};
  run({r});
  EXPECT_EQ(done[1], ns(400 + 600 + 4 * 110 + 10) + machine_.chip.hbm.read_latency);
}

TEST_F(Dma, OutOfHbmTheFirstBytesComeTogether) {
  TransferRequest r = request(1, 4, DescriptorMaker::hardware);
  r.shape.from = Space::hbm;
  machine_.chip.hbm.read_latency = ns(0);
  machine_.chip.hbm.read_ahead = Bytes{32'000};  // 2,000 bytes an engine, in 200 ns
  run({r});
  EXPECT_EQ(done[1], ns(400 + 600 + 200 + 4 * 110 + 10));
  machine_.chip.hbm.read_ahead = Bytes{1'000'000};  // more than the transfer has
  queue_ = events::Queue();
  run({r});
  EXPECT_EQ(done[1], ns(400 + 600 + 400 + 4 * 110 + 10));
}

TEST_F(Dma, BehindAnotherLoadTheFirstBytesAreThere) {
  core_.dma.ring_depth = 100;
  machine_.chip.hbm.read_latency = ns(0);
  machine_.chip.hbm.read_ahead = Bytes{16'000};
  TransferRequest first = request(1, 20, DescriptorMaker::hardware);
  TransferRequest second = request(2, 20, DescriptorMaker::hardware);
  first.shape.from = second.shape.from = Space::hbm;
  run({first, second});
  EXPECT_EQ(done[2] - done[1], ns(20 * 110 + 10));
}

TEST_F(Dma, AFullRingHoldsTheNextTrigger) {
  // Five descriptors each: the third does not fit until the first is done.
  run({request(1, 4, DescriptorMaker::hardware), request(2, 4, DescriptorMaker::hardware),
       request(3, 4, DescriptorMaker::hardware)});
  EXPECT_EQ(accepted[2], ns(500 + 400));
  EXPECT_GE(accepted[3], done[1]);
}

TEST_F(Dma, RoomInARingComesWithThePacketsOfWhatIsInFront) {
  // Nine descriptors of 110 ns from 1,000 ns on, two of 1,010 ns behind them: ten are left when the
  // first one of the nine is done.
  TransferRequest large = request(2, 1, DescriptorMaker::hardware);
  large.shape.piece = Bytes{10'000};
  run({request(1, 8, DescriptorMaker::hardware), large});
  EXPECT_EQ(accepted[2], ns(1000 + 110));
}

TEST_F(Dma, AFourthStoreOfARingWaitsUntilTheFirstEnds) {
  core_.dma.ring_depth = 100;
  std::vector<TransferRequest> stores;
  for (std::uint64_t token = 1; token <= 4; ++token) {
    stores.push_back(request(token, 9, DescriptorMaker::hardware));
    stores.back().shape.to = Space::hbm;
  }
  run(stores);
  EXPECT_EQ(accepted[3], ns(2 * 500 + 400));
  EXPECT_EQ(accepted[4], done[1] + ns(400));
}

TEST_F(Dma, ManyLoadsOfARingAreUnderWay) {
  core_.dma.ring_depth = 100;
  std::vector<TransferRequest> loads;
  for (std::uint64_t token = 1; token <= 5; ++token)
    loads.push_back(request(token, 9, DescriptorMaker::hardware));
  run(loads);
  EXPECT_EQ(accepted[5], ns(4 * 500 + 400));
}

TEST_F(Dma, ATransferLargerThanTheRingIsGeneratedAsTheRingEmpties) {
  core_.dma.ring_depth = 20;
  run({request(1, 39, DescriptorMaker::hardware), request(2, 39, DescriptorMaker::hardware)});
  // The semaphore's packet is one of the forty.
  EXPECT_EQ(done[1], ns(400 + 600 + 39 * 110 + 10));
  // The second trigger gets its place when twenty packets are left, and its first packet follows
  // the last of them without a pause.
  EXPECT_EQ(accepted[1], ns(400 + 600) + (ns(40 * 110) - ns(20 * 110)));
  EXPECT_EQ(done[2] - done[1], ns(39 * 110 + 10));
}

TEST_F(Dma, TransfersOfARingEndInTheOrderOfTheirTriggers) {
  TransferRequest wide = request(1, 6, DescriptorMaker::fixed),
                  narrow = request(2, 1, DescriptorMaker::fixed);
  narrow.shape.pieces = {};
  narrow.shape.pieces[15] = 1;
  wide.shape.pieces[15] = 0;
  run({wide, narrow});
  EXPECT_GE(done[2], done[1]);
}

TEST_F(Dma, RingsOfEqualPriorityShareAnEngineByPackets) {
  TransferRequest a = request(1, 5, DescriptorMaker::hardware),
                  b = request(2, 5, DescriptorMaker::hardware);
  b.ring = 1;
  b.issuer = Engine::scalar;
  run({a, b});
  EXPECT_EQ(done[1], ns(1000 + 9 * 110 + 10));
  EXPECT_EQ(done[2], ns(1000 + 10 * 110 + 2 * 10));
}

TEST_F(Dma, AHigherPriorityGoesFirst) {
  TransferRequest low = request(1, 5, DescriptorMaker::hardware), high = low;
  low.shape.priority = 3;
  high.token = 2;
  high.ring = 1;
  high.issuer = Engine::scalar;
  high.shape.priority = 0;
  run({low, high});
  EXPECT_EQ(done[2], ns(1000 + 5 * 110 + 10));
  EXPECT_EQ(done[1], ns(1000 + 10 * 110 + 2 * 10));
}

TEST_F(Dma, WhatEnginesHaveToDoDecidesNotTheSum) {
  run({request(1, 4, DescriptorMaker::hardware, 1)});
  EXPECT_EQ(done[1], ns(400 + 600 + 4 * 110 + 10));
  EXPECT_EQ(busy, active);
}

TEST_F(Dma, TheStackBoundsWhatTheEnginesMove) {
  machine_.chip.hbm.bandwidth.bytes_per_second = machine_.chip.hbm.stacks * 16'000'000'000;
  machine_.chip.hbm.read_latency = ns(0);
  machine_.chip.hbm.read_ahead = Bytes{0};
  TransferRequest r = request(1, 10, DescriptorMaker::hardware);
  r.shape.from = Space::hbm;
  run({r});
  EXPECT_EQ(done[1], ns(1000 + 10'000));  // 160,000 bytes at 16 a nanosecond
}

TEST_F(Dma, WithinSbufTheStackBoundsNothing) {
  machine_.chip.hbm.bandwidth.bytes_per_second = machine_.chip.hbm.stacks * 16'000'000'000;
  machine_.chip.hbm.read_latency = ns(0);
  TransferRequest load = request(1, 10, DescriptorMaker::fixed, 8);
  load.shape.from = Space::hbm;
  TransferRequest copy = request(2, 10, DescriptorMaker::fixed);
  copy.ring = 1;
  copy.issuer = Engine::scalar;
  for (int e = 0; e < 8; ++e) copy.shape.pieces[static_cast<std::size_t>(e)] = 0;
  run({copy});
  const Ticks alone = done[2] - accepted[2];
  run({load, copy});
  EXPECT_EQ(done[2] - accepted[2], alone);
  EXPECT_GT(done[1] - done[2], ns(3000)) << "80,000 bytes at 16 a nanosecond";
}

TEST_F(Dma, PacketsOfACollectiveNeedNoTrigger) {
  TransferRequest r = request(1, 2, DescriptorMaker::collective);
  r.ring = isa::collective_queue(3);
  run({r});
  EXPECT_EQ(done[1], ns(2 * 110 + 10));
  EXPECT_TRUE(accepted.empty());
}

TEST_F(Dma, PacketsOfACollectiveTakeTurnsWithThoseOfARing) {
  TransferRequest collective = request(1, 12, DescriptorMaker::collective);
  collective.ring = isa::collective_queue(0);
  run({collective, request(2, 2, DescriptorMaker::hardware)});
  // Ten packets have begun when the ring's first one arrives; one comes between its two.
  EXPECT_EQ(done[2], ns((10 + 1 + 2) * 110 + 10));
  EXPECT_EQ(done[1], ns((12 + 2) * 110 + 2 * 10));
}

TEST_F(Dma, ACollectiveOfALowerPriorityWaits) {
  TransferRequest collective = request(1, 12, DescriptorMaker::collective);
  collective.ring = isa::collective_queue(0);
  collective.shape.priority = 3;
  TransferRequest load = request(2, 4, DescriptorMaker::hardware);
  load.shape.priority = 0;
  run({collective, load});
  EXPECT_EQ(done[2], ns((10 + 4) * 110 + 10));
}

}  // namespace
}  // namespace trainyard::memory
