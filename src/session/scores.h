// What ways to compute regions of programs take on a machine, kept for later compilations: in
// memory, and in a file of the user's cache folder.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compiler/lowering/emit/scorer.h"
#include "machine/machine.h"

namespace trainyard::session {

class Scores : public compiler::Scorer {
 public:
  // `file`: none where it is empty. It is of this build: another one may compile otherwise.
  Scores(const machine::Machine& machine, std::filesystem::path file, Effort effort);

  // As TRAINYARD_TUNE says: 1 searches, 0 uses nothing (null); unset, small regions are timed.
  [[nodiscard]] static std::unique_ptr<Scores> of_environment(const machine::Machine& machine);
  // The file of the user's cache folder; empty where there is none.
  [[nodiscard]] static std::filesystem::path user_file();

  [[nodiscard]] Effort effort() const override { return effort_; }
  [[nodiscard]] bool takes_known() const override { return takes_known_; }
  void set_effort(Effort effort) { effort_ = effort; }
  void take_known() { takes_known_ = true; }
  [[nodiscard]] std::optional<base::Ticks> known(std::uint64_t key) const override;
  void keep(std::uint64_t key, base::Ticks time) override;
  void time(std::vector<Way> ways) override;

  // Writes the file, with what others have written meanwhile, where there is something new.
  void save();

 private:
  void read();
  [[nodiscard]] std::uint64_t of_machine(std::uint64_t key) const;
  [[nodiscard]] base::Ticks timed(Way way) const;

  const machine::Machine& machine_;
  std::filesystem::path file_;
  Effort effort_;
  bool takes_known_ = false;
  std::uint64_t seed_;  // of the machine and this build
  std::unordered_map<std::uint64_t, base::Ticks> known_;
  std::deque<std::uint64_t> order_;   // of the file, oldest first
  std::vector<std::uint64_t> fresh_;  // not in the file yet
};

}  // namespace trainyard::session
