#include "compiler/issuers.h"

#include "isa/cost/transfer.h"

namespace trainyard::compiler {

using isa::Engine;

Issuers::Issuers(const machine::Core& core) {
  constexpr std::array engines{Engine::sync, Engine::gpsimd, Engine::scalar};
  for (std::size_t k = 0; k < engines.size(); ++k) {
    const isa::DescriptorMaker maker = isa::maker_of(engines[k], core);
    const base::Ticks gap = core.engine(engines[k]).sequencer.gap;
    all_[k] = {.engine = engines[k],
               .held = isa::issue_time(maker, engines[k], false, core) + gap,
               .held_behind = isa::issue_time(maker, engines[k], true, core) + gap,
               .latency = isa::descriptors_of(maker, core).trigger_latency};
  }
}

std::span<const Issuing> Issuers::of(const isa::Program& program, std::uint32_t i) const {
  const isa::InstructionInfo& info = program.info_at(i);
  if (info.kind != isa::Kind::dma || info.meeting != nullptr) return {};
  const void* const record = program.record(i);
  const isa::DgeMode* const mode = info.first<isa::DgeMode>(record);
  const bool is_open = mode == nullptr || *mode == isa::DgeMode::unknown;
  if (!is_open || !isa::is_plain(info, record)) return {};
  for (const Issuing& one : all_)
    if (!info.engines.contains(one.engine)) return {};
  return all_;
}

}  // namespace trainyard::compiler
