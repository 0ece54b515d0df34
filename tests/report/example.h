// A hand-made run for the tests of the report folder: two loads, a tensor_tensor that needs both,
// an activation that needs its result, and a store, with every interval written down.
#pragma once

#include <vector>

#include "isa/core/program.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/tensor_tensor.h"
#include "machine/machine.h"
#include "report/labels.h"
#include "report/report.h"
#include "trace/recorder.h"

namespace trainyard::report {

inline isa::Tile tile(isa::Space space, std::uint16_t partitions, std::int32_t count) {
  isa::Tile t{.space = space, .dtype = isa::DType::float32, .rank = 1};
  t.partitions = space == isa::Space::hbm ? std::uint16_t{0} : partitions;
  t.dims[0] = {1, space == isa::Space::hbm ? partitions * count : count};
  return t;
}

inline constexpr std::uint32_t load_a = 0, load_b = 1, add = 2, exponent = 3, store = 4;

inline std::uint32_t add_location(isa::Program& program, std::uint32_t line, std::int64_t index) {
  program.strings.insert(program.strings.end(), {"kernel.py", "kernel", "i"});
  const auto string = static_cast<std::uint32_t>(program.strings.size());
  program.frames.push_back({string - 3, string - 2, line, 0});
  program.loop_indices.push_back({string - 1, index});
  program.locations.push_back({static_cast<std::uint32_t>(program.frames.size() - 1),
                               static_cast<std::uint32_t>(program.loop_indices.size() - 1), 1});
  return static_cast<std::uint32_t>(program.locations.size() - 1);
}

inline isa::Program example_program() {
  isa::Program program;
  program.name = "example";
  const isa::Tile sbuf = tile(isa::Space::sbuf, 128, 512);
  const auto hbm = [&](isa::TensorRole role) {
    isa::Tile whole = tile(isa::Space::hbm, 128, 512);
    whole.tensor = static_cast<isa::TensorId>(program.tensors.size());
    isa::Tensor& tensor = program.tensors.emplace_back();
    tensor.name = "t";
    tensor.shape = {128, 512};
    tensor.space = isa::Space::hbm;
    tensor.role = role;
    return whole;
  };
  const std::uint32_t load_line = add_location(program, 10, 0),
                      add_line = add_location(program, 12, 1);
  for (int i = 0; i < 2; ++i) {
    program.append(isa::DmaCopy{.dst = sbuf, .src = hbm(isa::TensorRole::input)}, isa::Engine::sync,
                   load_line);
  }
  program.append(isa::TensorTensor{.dst = sbuf, .data1 = sbuf, .data2 = sbuf}, isa::Engine::vector,
                 add_line);
  isa::Activation activation;
  activation.dst = activation.data = sbuf;
  activation.op = numerics::ActivationFunction::exp;
  program.append(activation, isa::Engine::scalar, add_line);
  program.append(isa::DmaCopy{.dst = hbm(isa::TensorRole::output), .src = sbuf}, isa::Engine::sync,
                 0);
  // Semaphore 0: both loads to the add; 1: the add to the activation; 2: the activation to the
  // store.
  program.compiled = true;
  program.semaphore_count = 3;
  program.waits = {{0, 2}, {1, 1}, {2, 1}};
  program.signals = {{0, 1}, {0, 1}, {1, 1}, {2, 1}};
  auto& sync = program.streams[static_cast<std::size_t>(isa::Engine::sync)];
  sync.push_back({.instruction = load_a, .first_signal = 0, .signal_count = 1});
  sync.push_back({.instruction = load_b, .first_signal = 1, .signal_count = 1});
  sync.push_back({.instruction = store, .first_wait = 2, .wait_count = 1});
  program.streams[static_cast<std::size_t>(isa::Engine::vector)].push_back(
      {.instruction = add, .first_wait = 0, .first_signal = 2, .wait_count = 1, .signal_count = 1});
  program.streams[static_cast<std::size_t>(isa::Engine::scalar)].push_back({.instruction = exponent,
                                                                            .first_wait = 1,
                                                                            .first_signal = 3,
                                                                            .wait_count = 1,
                                                                            .signal_count = 1});
  return program;
}

inline const std::vector<trace::Track>& example_tracks() {
  using trace::TrackKind;
  static const std::vector<trace::Track> tracks = {
      {"vector", TrackKind::engine, 0},   {"scalar", TrackKind::engine, 0},
      {"sync", TrackKind::engine, 0},     {"q0", TrackKind::dma_queue, 0},
      {"dma0", TrackKind::dma_engine, 0}, {"dma1", TrackKind::dma_engine, 0},
      {"hbm0", TrackKind::memory, 0}};
  return tracks;
}
inline constexpr trace::TrackId vector_track{0}, scalar_track{1}, sync_track{2}, queue_track{3},
    dma0_track{4}, dma1_track{5}, hbm_track{6};

// In nanoseconds: loads issued at 0 and 100, moved at 300-800 and 400-1000, added at 1300-1800,
// exponentiated at 2000-2600, stored at 3000-3700; the end is at 4000.
inline trace::Recorder example_recording(trace::Detail detail = trace::Detail::full) {
  using trace::Reason;
  trace::Recorder recorder(example_tracks(), 5, detail);
  const auto ns = base::nanoseconds;
  const auto at = [&](trace::TrackId track, Reason reason, std::int64_t begin, std::int64_t end,
                      std::uint32_t instruction, trace::TrackId cause = trace::no_track) {
    recorder.interval(track, reason, ns(begin), ns(end), instruction, 0, cause);
  };
  at(vector_track, Reason::waiting_dma, 0, 1300, add, queue_track);
  at(vector_track, Reason::working, 1300, 1800, add);
  at(scalar_track, Reason::waiting_semaphore, 0, 2000, exponent, vector_track);
  at(scalar_track, Reason::working, 2000, 2600, exponent);
  at(sync_track, Reason::working, 0, 100, load_a);
  at(sync_track, Reason::working, 100, 200, load_b);
  at(sync_track, Reason::waiting_semaphore, 200, 2700, store, scalar_track);
  at(sync_track, Reason::working, 2700, 2800, store);
  at(queue_track, Reason::working, 300, 800, load_a);
  at(queue_track, Reason::working, 800, 1000, load_b);
  at(queue_track, Reason::working, 3000, 3700, store);
  at(dma0_track, Reason::working, 300, 800, load_a);
  at(dma1_track, Reason::working, 400, 1000, load_b);
  at(dma0_track, Reason::working, 3000, 3700, store);
  at(hbm_track, Reason::working, 310, 990, trace::no_instruction);
  recorder.count_executions(std::vector<std::uint32_t>(5, 1));
  recorder.finish(ns(4000));
  return recorder;
}

inline trace::Metadata example_metadata() {
  return {"example", "trn3", "0.1.0",
          0xAB,      0xCD,   {{"schedule", "list"}, {"set", "hbm.bandwidth=6TB/s"}}};
}

}  // namespace trainyard::report
