// What collectives take on the links between devices of a machine, and of what.
#pragma once

#include <cstdint>
#include <map>
#include <span>
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
  // `cores`: of a device; `devices`: of the machine, by partition; `faults`: fabric/faults.h, of
  // ranks, which devices are. Throws InputError where no system has them, "fabric.fault".
  Links(const machine::Machine& machine, int cores, std::vector<std::int64_t> devices,
        std::span<const std::string> faults = {});

  // `meet` stays where it is. All groups of one size at once, one size after the other. What
  // transfers share is known by kind: links of one kind are taken to be the same ones.
  [[nodiscard]] const Work& work(const Meet& meet);
  [[nodiscard]] Route route(const Meet& meet);

  [[nodiscard]] bool has_faults() const { return !faults_.changes.empty() || begin().value > 0; }
  // Of a meeting that begins then. Throws Fault "fabric.stuck" where it never ends.
  [[nodiscard]] Work work_at(const Meet& meet, base::Ticks begin);
  // When the last of the devices begins: it is the one that others wait for.
  [[nodiscard]] base::Ticks begin() const;
  // Of the slowest device at a time, what its DMA engines carry of what they could.
  [[nodiscard]] double slowest_at(base::Ticks time) const;
  // The resource that bodies and collectives share.
  [[nodiscard]] std::uint32_t memory() { return resource("HBM"); }

 private:
  [[nodiscard]] Work priced(const Meet& meet, const fabric::Options& options = {});
  [[nodiscard]] std::map<std::size_t, std::vector<fabric::Group>> groups_by_size(const Meet& meet);
  [[nodiscard]] fabric::Price price(const Meet& meet, std::span<const fabric::Group> groups,
                                    const fabric::Options& options);
  [[nodiscard]] std::uint32_t resource(const std::string& kind);

  std::vector<std::int64_t> devices_;
  fabric::Network network_;
  fabric::CostTable table_;
  std::map<std::string, std::uint32_t> resources_;   // by kind
  std::map<const Meet*, Work> known_, known_after_;  // without faults, and behind all of them
  fabric::Options faults_;
  struct Slow {  // DMA engines of a device, from a time on
    base::Ticks time;
    std::uint32_t engines = 0;
    double share = 1;
  };
  std::vector<Slow> slow_;
};

}  // namespace trainyard::plan
