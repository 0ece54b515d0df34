// An accelerator as far as machines are compared by it: peaks, memory, links, power, and the share
// of them that programs reach. machines/compared/*.toml; what a core does in detail is
// machine/machine.h.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/figure.h"

namespace trainyard::machine {

struct Field;

// A figure with its range, in the canonical unit of its dimension.
struct Quantity {
  Interval amount;
  Figure figure;
};

struct Accelerator {
  std::string name = {};   // "trn3-gen2"
  std::string title = {};  // "AWS Trainium3 Gen2 UltraServer, 144 chips"
  std::string path = {};   // the file it was read from
  std::string core = {};   // the machine file of its core ("trn3"); empty: not described in detail
  std::string system =
      {};  // the system file of its links ("trn3-gen2"); empty: none describes them
  std::string prices = {};  // its name in the price list ("trn3")
  std::map<std::string, Quantity, std::less<>> figures =
      {};  // by key; what is unpublished is absent

  // The figure, or nothing where nobody has published or bracketed it.
  [[nodiscard]] const Quantity* find(std::string_view key) const;
};

// What a file may and must say, in the order of the reference.
[[nodiscard]] std::span<const Field> accelerator_schema();
[[nodiscard]] bool is_required(std::string_view key);

// The accelerator called `name_or_path`: a path if it ends in ".toml", else compared/<name>.toml in
// the folders of search_path(). Throws InputError with every violation found, with the labels of
// machine::load().
[[nodiscard]] Accelerator load_accelerator(std::string_view name_or_path);
[[nodiscard]] Accelerator load_accelerator_text(std::string_view text, std::string_view place,
                                                std::string_view folder = "");
// The names that load_accelerator() finds, sorted.
[[nodiscard]] std::vector<std::string> available_accelerators();

}  // namespace trainyard::machine
