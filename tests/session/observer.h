// What the figures of a machine do to a corpus of programs, seen from outside. The corpus has every
// instruction in every legal form of tests/isa, and programs that load the machine's shared parts.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "isa/core/program.h"
#include "machine/machine.h"
#include "machine/schema.h"

namespace trainyard::session {

// The programs as an author writes them.
[[nodiscard]] std::vector<isa::Program> corpus();

// The memory after a program that began with random bytes, as text; nothing where a run-time
// address would come from these. `bits`: those that may be set.
[[nodiscard]] std::string values_of(const isa::Program& program, const machine::Machine& machine,
                                    std::byte bits = std::byte{0xFF});

// One answer about a machine, as text: the time of a program, the labels that it breaks. A refusal
// is an answer too.
using Observation = std::function<std::string(const machine::Machine&)>;

// All observations of one kind.
[[nodiscard]] std::vector<Observation> observations(machine::Effect effect);

// Compares machines with one of them.
class Observer {
 public:
  explicit Observer(machine::Machine machine) : machine_(std::move(machine)) {}

  [[nodiscard]] const machine::Machine& machine() const { return machine_; }
  // Whether any answer of this kind is another one on `other`.
  [[nodiscard]] bool sees(machine::Effect effect, const machine::Machine& other);

 private:
  struct Answers {
    std::vector<Observation> ask;
    std::vector<std::string> here;  // on machine_, as far as they were needed
  };
  machine::Machine machine_;
  std::map<machine::Effect, Answers> answers_;
};

}  // namespace trainyard::session
