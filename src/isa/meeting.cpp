#include "isa/meeting.h"

#include <fmt/format.h>

#include "isa/instructions/core_barrier.h"
#include "isa/instructions/sendrecv.h"

namespace trainyard::isa {

namespace {

[[noreturn]] void mismatch(std::span<const Attendant> attendants, const std::string& why) {
  std::string found = why;
  for (std::size_t core = 0; core < attendants.size(); ++core) {
    found +=
        fmt::format("; core {} stands at {}", core,
                    describe(attendants[core].execution->program, attendants[core].instruction));
  }
  const Attendant& first = attendants.front();
  throw base::Fault(
      base::FaultCategory::undefined_behavior,
      {"meeting.match", "what meets on the cores of a grid fits together",
       first.execution->program.place(first.instruction), found,
       attendants.size() == 1 ? "run the kernel on a grid of two: kernel[2](...)"
                              : "let all instances of the grid run the same core_barriers and "
                                "sendrecvs, in the same order"});
}

const CoreBarrier& barrier(const Attendant& a) {
  return *static_cast<const CoreBarrier*>(a.record);
}
const Sendrecv& exchange(const Attendant& a) { return *static_cast<const Sendrecv*>(a.record); }

void check_barriers(std::span<const Attendant> all) {
  const auto address = [](const Attendant& a) {
    return a.execution->hbm_base[barrier(a).data.tensor];
  };
  for (const Attendant& a : all) {
    if (barrier(a).cores.count != all.size())
      mismatch(all, fmt::format("a barrier of {} cores on a grid of {}", barrier(a).cores.count,
                                all.size()));
    const Tile &mine = barrier(a).data, &first = barrier(all.front()).data;
    if (mine.space != first.space || (mine.space == Space::hbm && address(a) != address(all[0])))
      mismatch(all, "they name different data");
  }
}

void check_exchanges(std::span<const Attendant> all) {
  const auto cores = static_cast<std::int32_t>(all.size());
  for (std::int32_t core = 0; core < cores; ++core) {
    const Sendrecv& mine = exchange(all[static_cast<std::size_t>(core)]);
    if (mine.recv_from_rank >= cores || mine.send_to_rank >= cores)
      mismatch(all, fmt::format("core {} exchanges with a core that the grid does not have", core));
    const Sendrecv& sender = exchange(all[static_cast<std::size_t>(mine.recv_from_rank)]);
    if (sender.send_to_rank != core) {
      mismatch(all, fmt::format("core {} receives from {}, which sends to {}", core,
                                mine.recv_from_rank, sender.send_to_rank));
    }
    if (sender.pipe_id != mine.pipe_id)
      mismatch(all, fmt::format("pipe {} meets pipe {}", mine.pipe_id, sender.pipe_id));
    if (sender.src.dtype != mine.dst.dtype || !rules::same_shape(sender.src, mine.dst)) {
      mismatch(all, fmt::format("core {} receives {} x {} {} and is sent {} x {} {}", core,
                                mine.dst.partitions, mine.dst.free_elements(),
                                numerics::name(mine.dst.dtype), sender.src.partitions,
                                sender.src.free_elements(), numerics::name(sender.src.dtype)));
    }
  }
}

}  // namespace

Meeting meeting_of(const Program& program, std::uint32_t instruction) {
  const InstructionInfo& info = program.info_at(instruction);
  return info.meeting == nullptr ? Meeting{} : info.meeting(program.record(instruction));
}

void check_match(std::span<const Attendant> attendants) {
  const Attendant& first = attendants.front();
  for (const Attendant& a : attendants) {
    if (a.execution->program.instructions[a.instruction].opcode !=
        first.execution->program.instructions[first.instruction].opcode)
      mismatch(attendants, "they wait for different things");
  }
  if (first.execution->program.is<CoreBarrier>(first.instruction)) {
    check_barriers(attendants);
  } else {
    check_exchanges(attendants);
  }
}

std::vector<std::byte> outgoing(const Attendant& attendant) {
  const Tile& src = exchange(attendant).src;
  const auto row = static_cast<std::size_t>(src.free_elements() * src.element_bytes());
  std::vector<std::byte> bytes(row * src.partitions);
  for (int p = 0; p < src.partitions; ++p)
    load_bits(src, *attendant.execution, p, bytes.data() + static_cast<std::size_t>(p) * row);
  return bytes;
}

std::string describe(const Program& program, std::uint32_t instruction) {
  const std::string place = program.place(instruction);
  return fmt::format("{}{}", program.info_at(instruction).mnemonic,
                     place.empty() ? "" : fmt::format(" at {}", place));
}

}  // namespace trainyard::isa
