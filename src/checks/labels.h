// The labels of errors that are neither a check's nor an instruction's rule: what must hold, why,
// what to do, what breaks it. With those two this is everything that an error can be called.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace trainyard::checks {

struct Label {
  std::string_view id{};       // "view.bounds"
  std::string_view rule{};     // what must hold
  std::string_view why{};      // the reason, in a sentence
  std::string_view fix{};      // what to do
  std::string_view example{};  // a line that breaks it
};

// Of what a kernel's author writes: tensors, views, tiles, loops, scalars, the language.
[[nodiscard]] std::span<const Label> kernel_labels();
// Of collectives, runs and results of kernels.
[[nodiscard]] std::span<const Label> run_labels();
// Of machines, systems, prices, models and plans.
[[nodiscard]] std::span<const Label> machine_labels();
[[nodiscard]] std::span<const Label> front_labels();
// Of files and programs in every form.
[[nodiscard]] std::span<const Label> program_labels();

// All of them, in the order above; they live as long as the process.
[[nodiscard]] std::vector<const Label*> labels();

// The entry of that id, which there is.
[[nodiscard]] const Label& label(std::string_view id);

// What to do where an error does not say: the fix of the label's entry, or of the check of that id;
// empty where there is neither.
[[nodiscard]] std::string_view usual_fix(std::string_view label);

}  // namespace trainyard::checks
