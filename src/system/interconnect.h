// What several chips of a run have in common: the collectives between them move their bytes on one
// network while the cores do their part, and where chips do the same, one of them stands for all.
// How a core runs is not here.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/meeting_point.h"
#include "events/queue.h"
#include "fabric/traffic.h"
#include "system/sites.h"

namespace trainyard::system {

class Interconnect final : private events::Handler {
 public:
  // Everything referred to must outlive this. Throws InputError "system.ranks".
  Interconnect(std::span<const CoreJob> jobs, const isa::Seats& seats,
               const machine::System& system, std::int64_t cores_per_rank, const Faults& faults,
               bool folds_chips, events::Queue& queue);

  // The jobs that run; the others do what the job at stand_in() does.
  [[nodiscard]] const std::vector<std::size_t>& running() const { return running_; }
  [[nodiscard]] std::size_t stand_in(std::size_t job) const { return stand_ins_[job]; }

  // The cores of `meetings` are the running jobs, in their order.
  void connect(engines::MeetingPoint& meetings) { meetings_ = &meetings; }
  [[nodiscard]] engines::Crossings crossings();
  // Who meets at an instruction of a running job, where one stands for many; else nothing.
  [[nodiscard]] engines::MembersOf members(const isa::Seats& running_seats) const;
  // Whether what a running job does there goes between chips.
  [[nodiscard]] bool crosses(std::size_t core, std::uint32_t instruction) const {
    return sites_.find(running_[core], instruction).has_value();
  }
  [[nodiscard]] std::int64_t chip_of(std::int32_t rank) const { return network_.chip_of(rank); }

  // What is cut off and who waits for whom, of collectives that will never end.
  [[nodiscard]] std::vector<std::string> stuck() const;
  // What the links carried up to `end`, and by which algorithms.
  void record(LinkRecord& record, base::Ticks end) const;

 private:
  void handle(events::Message message) override;
  void fold_chips(std::span<const CoreJob> jobs, const isa::Seats& seats, const Faults& faults);
  [[nodiscard]] engines::Members members(const CrossSite& site,
                                         const isa::Seats& running_seats) const;
  std::optional<std::uint32_t> begin(std::span<const std::size_t> cores,
                                     const isa::Attendant& first);
  void look_ahead();
  void add_links(LinkRecord& record, base::Ticks end) const;

  const fabric::Network network_;
  events::Queue& queue_;
  Sites sites_;
  engines::MeetingPoint* meetings_ = nullptr;
  std::vector<std::size_t> running_, stand_ins_;
  bool is_folded_ = false;
  std::map<std::int64_t, std::int64_t> chip_of_chip_;  // who stands for it
  fabric::Problem problem_;
  fabric::Folded folded_;
  std::vector<fabric::Span> spans_;
  std::unique_ptr<fabric::Traffic> traffic_;
  std::vector<std::uint64_t> times_;  // by site class: how often it began
  std::uint32_t version_ = 0;
};

}  // namespace trainyard::system
