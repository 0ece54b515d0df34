#include "engines/deadlock.h"

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::engines {

namespace {

// Who would still have to signal the semaphore: the first item of a stream, at or after where that
// stream stands.
std::string describe_signaller(const isa::Program& program, std::uint16_t semaphore,
                               std::span<const Stuck> stuck) {
  for (std::size_t e = 0; e < program.streams.size(); ++e) {
    const auto engine = static_cast<isa::Engine>(e);
    std::size_t from = program.streams[e].size();
    for (const Stuck& s : stuck) {
      if (s.engine == engine) from = s.position;
    }
    for (std::size_t at = from; at < program.streams[e].size(); ++at) {
      const isa::StreamItem& item = program.streams[e][at];
      for (const isa::Signal& signal : program.signals_of(item)) {
        if (signal.semaphore != semaphore) continue;
        return fmt::format("{} of the {} engine, {} items further on in its stream ({})",
                           program.info_at(item.instruction).mnemonic, name(engine), at - from,
                           program.place(item.instruction));
      }
    }
  }
  return "nothing that has not run yet";
}

std::string describe_stuck(const isa::Program& program, const Semaphores& semaphores,
                           const Stuck& s, std::span<const Stuck> all) {
  const isa::StreamItem& item = program.streams[static_cast<std::size_t>(s.engine)][s.position];
  const std::string who =
      fmt::format("the {} engine waits at {} ({})", name(s.engine),
                  program.info_at(item.instruction).mnemonic, program.place(item.instruction));
  const isa::Wait* wait = semaphores.missing(program.waits_of(item));
  if (wait == nullptr) return who;
  return fmt::format("{} for semaphore {} to reach {}; it is {} and would be raised by {}", who,
                     wait->semaphore, wait->value, semaphores.count(wait->semaphore),
                     describe_signaller(program, wait->semaphore, all));
}

}  // namespace

void throw_deadlock(const isa::Program& program, const Semaphores& semaphores,
                    std::span<const Stuck> stuck, const std::string& when) {
  base::check(!stuck.empty(), "a deadlock has a victim");
  std::string found;
  for (const Stuck& s : stuck) {
    if (!found.empty()) found += "; ";
    found += describe_stuck(program, semaphores, s, stuck);
  }
  if (!when.empty()) found = when + ": " + found;
  const isa::StreamItem& first =
      program.streams[static_cast<std::size_t>(stuck.front().engine)][stuck.front().position];
  throw base::Fault(base::FaultCategory::deadlock,
                    {"run.deadlock", "every engine reaches the end of its stream",
                     program.place(first.instruction), found,
                     "let the signal come before the wait, or remove the wait"});
}

}  // namespace trainyard::engines
