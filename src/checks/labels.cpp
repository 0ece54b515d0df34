#include "checks/labels.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "checks/registry.h"

namespace trainyard::checks {

namespace {

// What the words of an instruction's rule suggest; the first that occurs counts.
struct Suggestion {
  std::string_view words, fix;
};
constexpr std::array suggestions{
    Suggestion{"have dtypes that engines compute on",
               "cast the tile first, for instance to bfloat16 with nki.isa.tensor_copy"},
    Suggestion{"has a dtype that engines compute on",
               "declare dst with another dtype, for instance float32"},
    Suggestion{"in SBUF",
               "copy it to SBUF first: nki.isa.dma_copy from HBM, "
               "nki.isa.tensor_copy from PSUM"},
    Suggestion{"is on chip", "copy it to SBUF first with nki.isa.dma_copy"},
    Suggestion{"[P, 1]", "pass a number, or slice one column of a tile: t[:, 0:1]"},
    Suggestion{"[1, 1]", "slice one element of a tile: t[0:1, 0:1]"},
    Suggestion{"same number of", "slice or reshape one of them so that their sizes agree"},
    Suggestion{"same shape", "slice or reshape one of them so that their shapes agree"},
    Suggestion{"same size", "slice one of them, or declare it anew, so that their sizes agree"},
    Suggestion{"as many", "slice one of them, or declare it anew, so that their sizes agree"},
    Suggestion{"priority is", "pass a priority of 0 (the highest) to 3"},
    Suggestion{"tile_size", "pass one of the sizes that the rule names"},
    Suggestion{"group names", "list each rank once, this one among them"},
    Suggestion{"collective_dim", "rearrange the tensor so that the parts lie along dimension 0"},
    Suggestion{"for each", "declare it with the size that the rule names"},
    Suggestion{"dst has", "declare dst with the shape that the rule names"},
    Suggestion{"words per lane", "declare the tile with as many words"},
    Suggestion{"register", "make a register with nki.isa.register_alloc"},
    Suggestion{"NeuronCore-v", "run on a machine that has it, or use another instruction"},
    Suggestion{"the core has", "run on a machine that has it, or use another instruction"},
    Suggestion{"the machine has", "run on a machine that has it, or use another instruction"},
    Suggestion{"from gen", "run on a machine that has it, or leave the engine to the compiler"},
    Suggestion{"reduce_cmd", "pass one of the commands that the rule names"},
    Suggestion{"comparison", "pass a comparison, such as nl.less or nl.equal"},
    Suggestion{"op", "pass one of the operators that the rule names"},
    Suggestion{"reduction is", "pass one of the operators that the rule names"},
    Suggestion{"int", "declare the tile with such a dtype, or cast it with nki.isa.tensor_copy"},
    Suggestion{"float", "declare the tile with such a dtype, or cast it with nki.isa.tensor_copy"},
    Suggestion{"multiple of", "pad or slice to such a size"},
    Suggestion{"at most", "split it into smaller pieces"},
};

}  // namespace

std::vector<const Label*> labels() {
  std::vector<const Label*> list;
  for (const std::span<const Label> part :
       {kernel_labels(), run_labels(), machine_labels(), program_labels()}) {
    for (const Label& label : part) list.push_back(&label);
  }
  return list;
}

const Label& label(std::string_view id) {
  const std::vector<const Label*> all = labels();
  const auto found = std::ranges::find(all, id, &Label::id);
  base::check(found != all.end(), "a label that an error prints has an entry");
  return **found;
}

std::string_view usual_fix(std::string_view label, std::string_view rule) {
  static const std::vector<const Label*> list = labels();
  const auto known = std::ranges::find(list, label, &Label::id);
  if (known != list.end()) return (*known)->fix;
  for (const Check* check : all()) {
    if (check->id == label) return check->fix;
  }
  const auto found = std::ranges::find_if(suggestions, [&](const Suggestion& one) {
    return rule.find(one.words) != std::string_view::npos;
  });
  return found == suggestions.end() ? "pass what the rule allows" : found->fix;
}

}  // namespace trainyard::checks
