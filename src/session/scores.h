// What ways to compute a loop nest take on a machine, kept for later compilations: in memory, and
// in a file of the user's cache folder.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/lowering/scorer.h"
#include "machine/machine.h"

namespace trainyard::session {

class Scores : public compiler::Scorer {
 public:
  // `searching`: nests that are not known are run; otherwise what is kept is used, and no more.
  Scores(const machine::Machine& machine, std::filesystem::path file, bool searching);

  // As TRAINYARD_TUNE says: 1 searches, 0 uses nothing; unset, what is kept is used. Null for 0.
  [[nodiscard]] static std::unique_ptr<Scores> of_environment(const machine::Machine& machine);

  [[nodiscard]] std::optional<std::vector<base::Ticks>> times(const std::string& nest,
                                                              std::size_t ways,
                                                              const Alone& alone) override;

 private:
  using Times = std::vector<base::Ticks>;
  void read();
  void keep(std::uint64_t key, const Times& times);

  const machine::Machine& machine_;
  std::filesystem::path file_;
  bool searching_;
  std::map<std::uint64_t, Times> known_;
  std::deque<std::uint64_t> order_;  // of the file, oldest first
};

}  // namespace trainyard::session
