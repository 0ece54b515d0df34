// The collectives of a run that go between chips, found in its programs: who meets whom, which
// schedule the ranks of a group follow, and which chips do the same as others, so that one of them
// stands for all. Nothing here runs.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fabric/fold.h"
#include "fabric/select.h"
#include "system/body.h"
#include "system/faults.h"
#include "system/run.h"

namespace trainyard::system {

// What a kind of instruction asks of the network.
[[nodiscard]] fabric::CollectiveOp operation_of(isa::CollectiveKind kind);

// A group's collective, wherever in its programs it is: equal ones of a group follow one another.
struct CrossSite {
  isa::CollectiveKind kind = isa::CollectiveKind::reduce;
  std::vector<std::int32_t> ranks;
  std::int64_t bytes = 0;
  bool follows = false;
  std::int32_t channel = 0;
  std::int32_t core = -1;  // of each rank; -1: all of them together
  std::int32_t cores = 1;  // that take part of each rank
  float share = 1;         // of a full link, by its class of priority
  fabric::Memory memory = fabric::Memory::hbm;
  std::vector<std::pair<std::int32_t, std::int32_t>> edges = {};  // of a permute: from, to
  std::uint32_t shape = 0;

  friend bool operator<(const CrossSite& a, const CrossSite& b);
};

// The schedule of all sites that are alike but for their ranks.
struct Shape {
  std::string algorithm;
  std::int64_t steps = 0;
  std::vector<fabric::Candidate> candidates;
};

class Sites {
 public:
  // `network` must outlive this. Throws InputError "system.ranks" for ranks that it has not.
  Sites(std::span<const CoreJob> jobs, const isa::Seats& seats, const fabric::Network& network);

  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] std::size_t size() const { return list_.size(); }
  // On which the run has ranks.
  [[nodiscard]] std::int64_t chips() const { return static_cast<std::int64_t>(chips_.size()); }
  // Of a job's instruction; nothing where it stays on a chip.
  [[nodiscard]] std::optional<std::uint32_t> find(std::size_t job, std::uint32_t instruction) const;
  [[nodiscard]] const Shape& shape_of(std::uint32_t site) const {
    return shapes_[list_[site].shape];
  }
  [[nodiscard]] const CrossSite& operator[](std::uint32_t site) const { return list_[site]; }

  // The transfers of all sites. `changes`: of the network, by time. `are_chips_alike`: as
  // make_joint().
  [[nodiscard]] fabric::Problem problem(std::vector<fabric::Change> changes,
                                        bool are_chips_alike = false) const;
  // The same, where chips with equal programs are to be found alike. Nothing where the programs do
  // not fit together, which a run of all of them says best.
  [[nodiscard]] std::optional<fabric::Problem> foldable(const Faults& faults);
  // By chip: the one that stands for it, the first of those alike. `folded`: from foldable().
  [[nodiscard]] std::map<std::int64_t, std::int64_t> stand_ins(const fabric::Folded& folded) const;

 private:
  struct Use {  // of a site by a job
    std::size_t job = 0;
    std::uint32_t instruction = 0;
  };

  void collect();
  [[nodiscard]] bool is_between_chips(std::span<const std::int32_t> ranks) const;
  // Of a job's collective between these ranks.
  std::uint32_t number_of(const BodyCollective& one, std::span<const std::int32_t> ranks,
                          std::size_t job, std::map<CrossSite, std::uint32_t>& numbers);
  void choose();
  void choose_for(std::span<const std::uint32_t> alike);
  std::uint32_t shape_number(const CrossSite& site, const fabric::Schedule& schedule,
                             const fabric::Price& price);
  [[nodiscard]] bool fits_together() const;
  [[nodiscard]] std::uint32_t node_of_chip(std::int64_t chip) const;
  // Of each rank that comes to a site: what it does there, and what its chip does.
  [[nodiscard]] std::map<std::int32_t, std::uint64_t> marks_of(std::uint32_t site) const;

  std::span<const CoreJob> jobs_;
  const isa::Seats& seats_;
  const fabric::Network& network_;
  std::map<const isa::Program*, std::vector<BodyCollective>> collectives_;
  std::vector<CrossSite> list_;
  std::vector<std::vector<Use>> uses_;                      // by site
  std::vector<std::map<std::uint32_t, std::uint32_t>> of_;  // by job: instruction to site
  std::vector<Shape> shapes_;
  std::map<std::vector<std::int64_t>, std::uint32_t> shape_numbers_;
  std::deque<fabric::Schedule> schedules_;            // by site
  std::vector<std::int64_t> chips_;                   // of the run, sorted
  std::map<std::int64_t, std::uint64_t> chip_marks_;  // what its programs are; of foldable()
};

}  // namespace trainyard::system
