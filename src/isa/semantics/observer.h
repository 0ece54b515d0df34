// Who watches a run: hears what a runner does, in its order, and may end the run by throwing. It
// changes neither values nor time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/units.h"
#include "isa/core/program.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  // An engine's waits are satisfied.
  virtual void waited(Engine engine, std::span<const Wait> waits) = 0;
  // A stream item is issued. `record` has its run-time addresses resolved.
  virtual void issued(Engine engine, const StreamItem& item, const void* record,
                      std::uint32_t iteration, base::Ticks time) = 0;
  // The signals of the item issued longest ago on that engine (or, for a transfer, on its queue) go
  // out.
  virtual void signalled(Engine engine, const StreamItem& item) = 0;
  // A branch passes over the next `items` of an engine's stream.
  virtual void skipped(Engine engine, std::size_t items) = 0;
  // Just before an instruction is applied, at `time` of a timed run, and just after.
  virtual void apply(std::uint32_t instruction, Engine engine, const void* record,
                     base::Ticks time) = 0;
  virtual void applied(std::uint32_t instruction, const void* record) = 0;
  // What an instruction that meets other cores sends, before any of them is applied.
  virtual void sends(std::uint32_t instruction, const void* record, Message& message) = 0;
  // All streams have ended.
  virtual void finish() = 0;
};

}  // namespace trainyard::isa
