// A system of many chips as a file describes it: the chip it is made of and the levels at which its
// chips are joined, innermost first. Where bytes go and how fast they move is known to fabric/.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace trainyard::machine {

// How the members of a level are joined. Ring: each to its two neighbours, around. Direct: each to
// each by cable. Switched: each by its links to one switch. Network: the same through network
// cards, between hosts.
enum class Join : std::uint8_t { ring, direct, switched, network };
[[nodiscard]] std::string_view name(Join join);

struct Level {
  std::string name = {};  // "sled"
  Join join = Join::switched;
  std::int64_t size = 1;     // members: chips at the innermost level, blocks of the one below else
  std::int64_t links = 1;    // of a chip at this level; of a ring: towards each neighbour
  Bandwidth link = {};       // one link, one direction
  base::Ticks latency = {};  // one traversal: a switch, a cable
  Fraction achieved = {};    // the share of a link that payload reaches
  Fraction oversubscription = {};  // what the members can send over what the level's core carries
  Energy energy = {};  // one byte over the level, ports and switch; without a figure, a chip's link
};

// What moves the bytes of a collective, besides the links.
struct Transport {
  Bandwidth channel = {};      // one peer of a rank: the rings of DMA engines that serve it
  Bandwidth rank = {};         // all that a rank sends together, by logical core
  base::Ticks ring_step = {};  // of a ring: from a slice's arrival to the next one's first byte
  Fraction reduce = {};        // the rate of a transfer that adds, over that of a copy
};

struct System {
  std::string name, title, path;
  Machine chip;
  std::vector<Level> levels;
  Transport transport;
  std::vector<Figure> figures = {};  // of the system's own keys

  [[nodiscard]] std::int64_t chips() const;
  // Members that a block of `level` and those below it hold: the chips behind one port.
  [[nodiscard]] std::int64_t chips_below(std::size_t level) const;
  // The place of a chip at each level, innermost first.
  [[nodiscard]] std::int64_t coordinate(std::int64_t chip, std::size_t level) const;
  // What a chip sends at once over a level, one direction, payload.
  [[nodiscard]] double bytes_per_second(const Level& level) const;
  [[nodiscard]] const Figure* figure(std::string_view key) const;
  // Of a byte over a level, in picojoules, with the range of its figure.
  [[nodiscard]] Interval picojoules_per_byte(const Level& level) const;
  // Those of times that have a range, the times of the chip's collectives included.
  [[nodiscard]] std::vector<const Figure*> uncertain() const;
};

// The system called `name_or_path`, as load() finds machines. A machine's own name gives one chip.
// Throws InputError "machine.not_found", "system.levels", "machine.missing_key", ...
[[nodiscard]] System load_system(std::string_view name_or_path);
[[nodiscard]] System load_system_text(std::string_view text, std::string_view place,
                                      std::string_view folder);
// The names of systems that load_system() finds, sorted.
[[nodiscard]] std::vector<std::string> available_systems();

// The smallest system of that chip that has so many of them: one server, or as many whole servers
// over a network as that takes. Throws InputError "system.chips" where there is none.
[[nodiscard]] System system_of(const Machine& machine, std::int64_t chips);
// Throws InputError "system.chips", with the nearest that exist, where so many chips are neither a
// part of one server nor whole servers.
void check_chips(const Machine& machine, std::int64_t chips);

// "rack.size=8", "twin.link=x2", "transport.rank=200GB/s"; other keys are those of the chip.
[[nodiscard]] System apply_override(System system, std::string_view setting);
// The system with one of its figures at an end of its range; of those without one, as it is.
[[nodiscard]] System at_end(const System& system, std::string_view key, End end);

// The same with all uncertain figures at the ends that make collectives fast, or slow. How many
// members a level has is a choice and stays.
[[nodiscard]] System at_ends(const System& system, bool slow);

}  // namespace trainyard::machine
