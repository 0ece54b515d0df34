// A system as resources that transfers share and the paths between its ranks: DMA engines of a
// rank, HBM stacks, each link of each chip in both directions, the cores of switches. Which bytes
// go where is said by schedules; how transfers share is known to sharing.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/topology.h"

namespace trainyard::fabric {

// What a transfer does at its ends. A copy reads and writes; one that adds reads both terms; a
// duplicate is the second write of something that is read already.
enum class Move : std::uint8_t { copy, add, duplicate };

// Where the buffers of a collective are.
enum class Memory : std::uint8_t { hbm, sbuf };

// A resource that a transfer uses, and how many of its bytes count for one byte moved.
struct Use {
  std::uint32_t resource = 0;
  float weight = 1;
};

struct Path {
  std::vector<Use> uses;  // in the order they are met, none twice
  base::Ticks latency;    // from the last byte sent to the last one there
};

// A coordinate of ranks: the ranks of one memory, the memories of a chip, then the levels.
struct Dimension {
  std::int64_t size = 1;
  bool is_ordered =
      false;  // a ring or cables: members that change places must keep their distances
  std::int64_t stride = 1;  // members so far apart are alike
  bool is_on_chip = false;
};

class Network {
 public:
  // `cores_per_rank`: of a logical core. Throws InputError "fabric.ranks" where it does not divide
  // the chip.
  Network(machine::System system, std::int64_t cores_per_rank);

  [[nodiscard]] const machine::System& system() const { return system_; }
  [[nodiscard]] std::int64_t ranks_per_chip() const { return ranks_per_chip_; }
  [[nodiscard]] std::int64_t ranks() const { return chips_ * ranks_per_chip_; }
  [[nodiscard]] std::int64_t chip_of(std::int64_t rank) const { return rank / ranks_per_chip_; }

  [[nodiscard]] std::size_t resources() const { return resources_; }
  [[nodiscard]] double capacity(std::uint32_t resource) const;  // bytes per second
  // "chip 3, sled link out"; "chip 0, HBM stack 1"; "rack 1, core of the switch".
  [[nodiscard]] std::string name(std::uint32_t resource) const;
  // The kind of a resource without its place: "sled link", "HBM", "DMA of a rank".
  [[nodiscard]] std::string kind(std::uint32_t resource) const;
  // Of one byte through a resource, in picojoules; zero of those that are no link. What passes a
  // switch passes two ports, and each counts one half.
  [[nodiscard]] machine::Interval picojoules_per_byte(std::uint32_t resource) const;
  // Whether it joins chips: else DMA engines or HBM.
  [[nodiscard]] bool is_link(std::uint32_t resource) const;
  // The fastest that one transfer goes, whatever else is idle, bytes per second.
  [[nodiscard]] double channel() const { return channel_; }

  // From one rank to another one, which may be itself. What is in SBUF takes nothing of HBM.
  void path(std::int64_t source, std::int64_t target, Move move, Path& result,
            Memory memory = Memory::hbm) const;
  // Chips that a message passes, ends included, for people and tests.
  [[nodiscard]] std::vector<std::int64_t> route(std::int64_t source, std::int64_t target) const;

  // The coordinates of ranks, the one that changes fastest first.
  [[nodiscard]] std::vector<Dimension> dimensions() const;
  // The same resource elsewhere: rank r of the network goes to rank_to[r], and its chip with it.
  [[nodiscard]] std::uint32_t moved(std::uint32_t resource,
                                    std::span<const std::int64_t> rank_to) const;

  // Degrades or repairs a resource: its capacity times `share`; 0 takes it down.
  void scale(std::uint32_t resource, double share);
  [[nodiscard]] bool is_altered() const { return !scaled_.empty(); }
  // Resources whose name() starts with or equals `name`.
  [[nodiscard]] std::vector<std::uint32_t> find(const std::string& name) const;

 private:
  struct Block {  // resources of one sort, `each` for every owner
    std::string kind;
    std::uint32_t first = 0;
    std::int64_t each = 1;
    std::int64_t owners = 0;
    double capacity = 0;
    std::vector<std::string> labels;  // of the `each`
    std::string owner;                // "chip", "rank", "block"
    machine::Interval energy = {};    // of a byte through one of them, in picojoules
  };
  [[nodiscard]] const Block& block_of(std::uint32_t resource) const;
  std::uint32_t add(Block block);
  void add_level(std::size_t level);
  template <typename Hop>
  base::Ticks walk(std::int64_t from, std::int64_t to, Hop&& hop) const;
  template <typename Hop>
  std::int64_t around(std::int64_t chip, std::int64_t to, std::size_t level, Hop&& hop,
                      base::Ticks& latency) const;

  machine::System system_;
  std::int64_t cores_per_rank_ = 1, ranks_per_chip_ = 1, chips_ = 1;
  std::int64_t cores_per_memory_ = 1, memories_ = 1;  // HBM as ranks see it
  std::uint32_t resources_ = 0, links_begin_ = 0;
  double channel_ = 0;
  std::vector<Block> blocks_;
  std::vector<std::int64_t> below_;          // chips below each level
  std::vector<std::uint32_t> first_, core_;  // by level: first resource, first core or none
  std::uint32_t dma_ = 0, hbm_ = 0;
  std::vector<std::pair<std::uint32_t, double>> scaled_;
};

}  // namespace trainyard::fabric
