// The typed description of an accelerator, read from machines/*.toml. Every number keeps its unit,
// source and kind.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/core.h"
#include "machine/figure.h"
#include "machine/system.h"

namespace trainyard::machine {

struct Machine {
  std::string name = {};   // "trn3"
  std::string title = {};  // "AWS Trainium3, NeuronCore-v4"
  std::string path = {};   // the file it was read from
  Core core = {};
  Chip chip = {};
  Fabric fabric = {};
  Collective collective = {};
  Host host = {};
  std::vector<Figure> figures = {};  // what stands behind each number, in schema order

  // Every number with its unit, kind and source, in schema order.
  [[nodiscard]] std::span<const Figure> provenance() const { return figures; }
  // The figure behind one key ("tensor.clock"), or nothing.
  [[nodiscard]] const Figure* figure(std::string_view key) const;
  // The estimated and assumed figures whose key starts with one of `prefixes` ("vector.",
  // "dma.completion").
  [[nodiscard]] std::vector<const Figure*> assumed(
      std::span<const std::string_view> prefixes) const;
  // The value and its range in the canonical unit of its dimension ("GHz", "ns", "pJ"; see
  // schema.h); low = value = high where no range is known. Throws like explain().
  [[nodiscard]] Interval interval(std::string_view key) const;
  // One readable paragraph about a key: meaning, value, kind, range, source, place.
  // Throws InputError "machine.unknown_key", with the nearest known key.
  [[nodiscard]] std::string explain(std::string_view key) const;
  // Equal for two machines that behave alike: covers every value, not sources or spelling. The same
  // on every host.
  [[nodiscard]] std::uint64_t hash() const;

  // Floating-point operations per second of all PEs at full clock, in 1e12; a multiply-accumulate
  // is two.
  [[nodiscard]] double peak_teraflops(Rate macs) const;
};

// The machine called `name_or_path`: a path if it ends in ".toml", else <name>.toml in the folders
// of search_path(). Throws InputError with every violation found ("machine.not_found",
// "machine.unit", ...).
[[nodiscard]] Machine load(std::string_view name_or_path);
// The same from text; `place` is what errors call the file. A file named by "extends" is read from
// `folder`.
[[nodiscard]] Machine load_text(std::string_view text, std::string_view place,
                                std::string_view folder = "");

// Folders searched for machines, first match wins: those of the environment variable
// TRAINYARD_MACHINES (separated by ':'), "machines" beside the program or extension module and its
// ../share/trainyard/machines, the source tree, the installed share folder.
[[nodiscard]] std::vector<std::string> search_path();
// The names that load() finds, sorted.
[[nodiscard]] std::vector<std::string> available();
// The same of one subfolder of the search path ("compared").
[[nodiscard]] std::vector<std::string> names_in(std::string_view subfolder);
// The file of a machine in a subfolder, or `name_or_path` itself if it ends in ".toml". Throws
// InputError "machine.not_found".
[[nodiscard]] std::filesystem::path find_file(std::string_view name_or_path,
                                              std::string_view subfolder);

// `setting` is "key=value": "hbm.bandwidth=6TB/s", "vector.startup=70 cycles", "dma.link=x1.5"
// (relative; of a clock the nearest one with whole ticks a cycle), with the unit optional for
// counts, flags and choices. Checked against the schema; the figure becomes `assumed`, its source
// says so. Throws InputError "machine.override", "machine.unknown_key", "machine.unit" or
// "machine.range".
[[nodiscard]] Machine apply_override(Machine machine, std::string_view setting);
[[nodiscard]] Machine apply_overrides(Machine machine, std::span<const std::string> settings);

// The settings that apply_overrides() was given to make this machine, relative ones as what they
// came to ("dma.link=57.6GB/s"), in schema order.
[[nodiscard]] std::vector<std::string> overrides_of(const Machine& machine);

enum class End : std::uint8_t { low, high };
// The machine with one figure at an end of its range; a flag is off at the low end. Nothing for
// another figure that has no range, or where the machine would contradict itself. Throws like
// Machine::explain().
[[nodiscard]] std::optional<Machine> at_end(const Machine& machine, std::string_view key, End end);

}  // namespace trainyard::machine
