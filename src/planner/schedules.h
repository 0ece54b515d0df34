// Collectives of a machine whose links a file of machines/systems describes, by the schedules of
// fabric over the logical cores of its chips. What links of other machines allow is in links.h.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fabric/cost_table.h"

namespace trainyard::planner {

class Schedules {
 public:
  // By `chips` chips, of which neighbours are `stride` chips apart. Whole chips: all their logical
  // cores are one group; else those of one number, all such groups at once. `bytes`: of a core.
  struct Question {
    fabric::CollectiveOp operation = fabric::CollectiveOp::all_reduce;
    double bytes = 0;
    std::int64_t chips = 1, stride = 1;
    bool whole_chips = true;
    friend auto operator<=>(const Question&, const Question&) = default;
  };

  Schedules(std::string system, std::int64_t logical_cores)
      : name_(std::move(system)), cores_(logical_cores) {}

  [[nodiscard]] std::int64_t logical_cores() const { return cores_; }
  // `ends`: 0 where the unpublished figures of the system are at their fast ends, 1 where they are
  // as in its file, 2 at their slow ends, between them in proportion. Nothing where the chips are
  // not all in one system. Each question is simulated once.
  [[nodiscard]] std::optional<double> seconds(const Question& question, double ends);

 private:
  static constexpr std::size_t fast = 0, as_is = 1, slow = 2;
  struct Side {
    explicit Side(machine::System system, std::int64_t cores_per_rank)
        : network(std::move(system), cores_per_rank), table(network) {}
    const fabric::Network network;
    fabric::CostTable table;  // refers to the network
  };

  [[nodiscard]] Side& side(std::size_t which);
  [[nodiscard]] double simulated(const Question& question, std::size_t which);

  std::string name_;
  std::int64_t cores_ = 1;
  std::array<std::unique_ptr<Side>, 3> sides_;
  std::map<Question, std::array<std::optional<double>, 3>> known_;
};

}  // namespace trainyard::planner
