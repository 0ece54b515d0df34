// What compiling a model decided, in bytes that another process of the same build reads: its
// compiled programs, by what they were compiled from. Passes and lowering run again; what they give
// that is not here is compiled.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "isa/core/program.h"
#include "machine/core.h"
#include "session/ordering.h"

namespace trainyard::session {

class CompiledCode {
 public:
  std::string context{};   // the build, and all that the programs depend on besides their kernels
  int cores = 1;           // on which the model runs
  bool in_halves = false;  // each of both has half of the batch
  std::int64_t resident_percent = 0;  // of SBUF, for what stays on chip between operations

  // The context of this build.
  [[nodiscard]] static std::string context_of(std::string_view rest);

  // Throws InputError "session.compiled_code". Programs stay bytes until they are found.
  [[nodiscard]] static CompiledCode read(std::string_view bytes);
  [[nodiscard]] std::string write() const;

  void add(std::uint64_t key, const Ordered& ordered);
  // What that kernel was compiled to, without what only its reports read; or nothing. Throws
  // InputError for a program that is damaged, illegal on the core, or has other tensors in HBM.
  [[nodiscard]] std::optional<Ordered> find(std::uint64_t key, const isa::Program& kernel,
                                            const machine::Core& core) const;

 private:
  struct Entry {
    std::string order{};
    std::optional<base::Ticks> as_written_time{};
    std::string program{};  // isa::to_binary
  };
  std::map<std::uint64_t, Entry> entries_;
};

}  // namespace trainyard::session
