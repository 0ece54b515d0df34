// A plan whose devices are computed in several processes: each of them computes its own ones, and
// they send one another what devices exchange. Times are those of one process, since nobody's time
// depends on where values are computed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/collectives.h"
#include "plan/plan.h"
#include "plan/timeline.h"
#include "transport/mesh.h"

namespace trainyard::plan {

// Where the devices of a plan are computed.
struct Placement {
  std::shared_ptr<transport::Mesh> mesh{};  // null: all of them here
  std::vector<int> process_of{};  // each device, by its place; as many as there are devices
  // Each process runs the whole program: it gives all devices' arguments, and gets all results.
  bool is_whole = false;
  std::string program{};  // in messages: its name, with what tells it from others of that name
};

class Processes {
 public:
  Processes(const Plan& plan, const Placement& placement);

  // The devices that are computed here, by their places.
  [[nodiscard]] const std::vector<std::size_t>& mine() const { return mine_; }
  [[nodiscard]] bool is_mine(std::size_t device) const;
  [[nodiscard]] bool are_several() const { return several_; }

  // Throws InputError "processes.order" where processes that run a whole program give other
  // arguments.
  void check_same(std::span<const std::vector<Shared>> arguments) const;
  // A meeting with the groups that have devices of this process, whose members' values, the
  // operands of `given`, come from the others.
  [[nodiscard]] Meet with_others(const Meet& meet, std::vector<std::vector<Shared>>& given) const;
  // Of a decision that each device makes: what all of them make, each once, sorted.
  [[nodiscard]] std::vector<std::int64_t> all_of(std::vector<std::int64_t> mine,
                                                 std::string_view about) const;
  // Of a body whose time depends on values: the longest of all processes, and what all draw.
  [[nodiscard]] Work all_of(Work mine) const;
  // What every process has of a whole program's results.
  void share(std::vector<std::vector<Shared>>& results) const;

 private:
  [[nodiscard]] std::string about(std::string_view what) const;
  [[nodiscard]] std::vector<std::string> gather(const std::string& mine,
                                                std::string_view about) const;
  void take(std::string_view message, std::span<const std::size_t> devices,
            std::span<const ValueId> values, std::vector<std::vector<Shared>>& to) const;
  [[nodiscard]] std::vector<std::size_t> devices_of(int process) const;

  const Plan& plan_;
  const Placement& placement_;
  bool several_;
  std::vector<std::size_t> mine_;
  std::vector<int> others_;  // processes
};

}  // namespace trainyard::plan
