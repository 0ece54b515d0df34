// How long ways to compute a region take: time-only runs of it, which the session supplies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/units.h"
#include "isa/core/program.h"

namespace trainyard::compiler {

class Scorer {
 public:
  virtual ~Scorer() = default;

  // How much is timed of what nobody has timed yet.
  enum class Effort : std::uint8_t {
    quick,    // of small regions the alternatives that are worth it
    explain,  // all, to tell what they take; what is chosen is as with `quick`
    search,   // all, and combinations of them
  };
  [[nodiscard]] virtual Effort effort() const = 0;
  // Whether what is known of other alternatives than `quick` ones counts: the program as a whole is
  // known to be faster so.
  [[nodiscard]] virtual bool takes_known() const = 0;

  // What is known of a way instead of its time: it finds no room; another one makes the same
  // programs; it takes longer to time than it is worth but for a search.
  static constexpr base::Ticks no_room{std::numeric_limits<std::int64_t>::max()};
  static constexpr base::Ticks same{-1}, too_large{-2};
  // What the way of that key takes, or nothing where nothing is known.
  [[nodiscard]] virtual std::optional<base::Ticks> known(std::uint64_t key) const = 0;
  virtual void keep(std::uint64_t key, base::Ticks time) = 0;

  // A region computed in one way, alone: the program of each core.
  struct Way {
    std::uint64_t key = 0;
    std::vector<isa::Program> programs{};
  };
  // Times them; they are known from then on.
  virtual void time(std::vector<Way> ways) = 0;
};

}  // namespace trainyard::compiler
