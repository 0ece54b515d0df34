// What collectives take on the links between devices of a machine, and of what.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fabric/cost_table.h"
#include "machine/machine.h"
#include "plan/plan.h"
#include "plan/timeline.h"

namespace trainyard::plan {

// A meeting as it was priced.
struct Route {
  std::string algorithm{}, busiest{};  // of the largest groups; "chip 3, sled link out"
  double share = 0;                    // of what the busiest carries in that time
};

class Links {
 public:
  // `cores`: of a device; `devices`: of the machine, by partition. Throws InputError where no
  // system has them.
  Links(const machine::Machine& machine, int cores, std::vector<std::int64_t> devices);

  // `meet` stays where it is. All groups of one size at once, one size after the other. What
  // transfers share is known by kind: links of one kind are taken to be the same ones.
  [[nodiscard]] const Work& work(const Meet& meet);
  [[nodiscard]] Route route(const Meet& meet);
  // The resource that bodies and collectives share.
  [[nodiscard]] std::uint32_t memory() { return resource("HBM"); }

 private:
  [[nodiscard]] Work priced(const Meet& meet);
  [[nodiscard]] std::map<std::size_t, std::vector<fabric::Group>> groups_by_size(const Meet& meet);
  [[nodiscard]] fabric::Price price(const Meet& meet, std::span<const fabric::Group> groups);
  [[nodiscard]] std::uint32_t resource(const std::string& kind);

  std::vector<std::int64_t> devices_;
  fabric::Network network_;
  fabric::CostTable table_;
  std::map<std::string, std::uint32_t> resources_;  // by kind
  std::map<const Meet*, Work> known_;
};

}  // namespace trainyard::plan
