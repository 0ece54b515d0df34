// sendrecv: the cores of a logical core exchange tiles, SBUF to SBUF.
#pragma once

#include <fmt/format.h>

#include "isa/core/definition.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct Sendrecv {
  Tile src{}, dst{};
  std::int32_t send_to_rank = 0, recv_from_rank = 0;
  std::int32_t pipe_id = 0;
  DmaPath dma_engine = DmaPath::dma;
};

template <>
struct Definition<Sendrecv> {
  static constexpr std::string_view mnemonic = "sendrecv";
  static constexpr std::string_view summary =
      "sends src to the dst of core send_to_rank, and fills dst with the src of core "
      "recv_from_rank";
  static constexpr EngineSet engines{Engine::sync, Engine::gpsimd};
  static constexpr Engine engine = Engine::any;
  static constexpr auto operands = std::tuple{
      reads("src", &Sendrecv::src, "SBUF tile that is sent"),
      writes("dst", &Sendrecv::dst, "SBUF tile of the same shape and dtype, for what comes in"),
      immediate("send_to_rank", &Sendrecv::send_to_rank, "core that receives src: 0 or 1"),
      immediate("recv_from_rank", &Sendrecv::recv_from_rank, "core whose src comes: 0 or 1"),
      immediate("pipe_id", &Sendrecv::pipe_id,
                "exchanges of one pipe meet in order; pipes do not wait for each other"),
      immediate("dma_engine", &Sendrecv::dma_engine, "the core's DMA engines, or GpSimd's own",
                "dma_engine.dma"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Sendrecv>>({
      {"sendrecv.c1", "an exchange between cores needs NeuronCore-v3",
       [](const auto&, const auto& core) { return core.features.core_pairs; }, fixes::third_core},
      {"sendrecv.c2", "src and dst are in SBUF",
       [](const auto& op, const auto&) {
         return op.src.space == Space::sbuf && op.dst.space == Space::sbuf;
       },
       "copy the data to SBUF first"},
      {"sendrecv.c3", "src and dst have the same dtype",
       [](const auto& op, const auto&) { return op.src.dtype == op.dst.dtype; },
       "cast with tensor_copy first"},
      {"sendrecv.c4", "src and dst have as many partitions, and as many elements in each of them",
       [](const auto& op, const auto&) { return rules::same_shape(op.src, op.dst); },
       fixes::same_sizes},
      {"sendrecv.c5", "send_to_rank and recv_from_rank are 0 or 1",
       [](const auto& op, const auto&) {
         return (op.send_to_rank == 0 || op.send_to_rank == 1) &&
                (op.recv_from_rank == 0 || op.recv_from_rank == 1);
       },
       "the other core is 1 - nl.program_id(0)"},
      {"sendrecv.c6", "pipe_id is not negative",
       [](const auto& op, const auto&) { return op.pipe_id >= 0; }, "pass a pipe_id from 0"},
      {"sendrecv.c7", "GpSimd's own DMA needs NeuronCore-v3",
       [](const auto& op, const auto& core) {
         return op.dma_engine == DmaPath::dma || core.features.gpsimd_dma;
       },
       "leave dma_engine out"},
      {"sendrecv.c8",
       "GpSimd's own DMA moves at most 256 elements a partition: 1024, 512 or 256 bytes of 32-, "
       "16- or 8-bit types",
       [](const auto& op, const auto& core) {
         return op.dma_engine == DmaPath::dma ||
                op.src.free_elements() <= core.dma.gpsimd_elements_max;
       },
       "send smaller tiles, or leave dma_engine out"},
  });
  static constexpr Source source = {"nki.isa.sendrecv, NKI 0.6"};

  static Engine choose(const Sendrecv& op, const machine::Core&) {
    return op.dma_engine == DmaPath::gpsimd_dma ? Engine::gpsimd : Engine::sync;
  }
  static Meeting meeting(const Sendrecv& op) {
    return {.encounter = Encounter::exchange,
            .channel = exchange_queue(op.dma_engine, op.pipe_id),
            .sends_to = op.send_to_rank,
            .receives_from = op.recv_from_rank};
  }
  static std::string mismatch(const Sendrecv& mine, const Sendrecv& sender) {
    if (sender.pipe_id != mine.pipe_id)
      return fmt::format("pipe {} meets pipe {}", mine.pipe_id, sender.pipe_id);
    if (sender.src.dtype == mine.dst.dtype && rules::same_shape(sender.src, mine.dst)) return {};
    return fmt::format("core {} receives {} x {} {} and is sent {} x {} {}", sender.send_to_rank,
                       mine.dst.partitions, mine.dst.free_elements(),
                       numerics::name(mine.dst.dtype), sender.src.partitions,
                       sender.src.free_elements(), numerics::name(sender.src.dtype));
  }
  static std::vector<std::byte> outgoing(const Sendrecv& op, Execution& e) {
    const auto row = static_cast<std::size_t>(op.src.free_elements() * op.src.element_bytes());
    std::vector<std::byte> bytes(row * op.src.partitions);
    for (int p = 0; p < op.src.partitions; ++p)
      load_bits(op.src, e, p, bytes.data() + static_cast<std::size_t>(p) * row);
    return bytes;
  }
  static Activity activity(const Sendrecv&) { return {}; }
  static void execute(const Sendrecv& op, Execution& e) {
    const auto row = static_cast<std::size_t>(op.dst.free_elements() * op.dst.element_bytes());
    const std::vector<std::byte>& sent =
        e.received[static_cast<std::size_t>(op.recv_from_rank)].bytes;
    for (int p = 0; p < op.dst.partitions; ++p)
      store_bits(op.dst, e, p, sent.data() + static_cast<std::size_t>(p) * row);
  }

  static constexpr Traits<Sendrecv> traits{
      .kind = Kind::dma,
      .engine_parameter = EngineParameter::absent,
      .hidden = HiddenState::peer,
      .choose = choose,
      .meeting = meeting,
      .outgoing = outgoing,
      .mismatch = mismatch,
  };
};

}  // namespace trainyard::isa
