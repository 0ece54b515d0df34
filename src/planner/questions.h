// Options as the formulas take them: checked, typed, with what somebody fixed of the plan.
#pragma once

#include "planner/documents.h"
#include "planner/rates.h"
#include "planner/wanted.h"

namespace trainyard::planner {

// One question about a model and a machine. Throws InputError for a name or an option that is
// wrong.
class Question {
 public:
  Question(const std::string& model, const std::string& machine, const Options& options);

  [[nodiscard]] Serving serving() const;
  [[nodiscard]] Training training() const;
  [[nodiscard]] Purchase purchase() const { return {options_.price, options_.region}; }
  // What is fixed; throws InputError where no plan of the phase can have it.
  [[nodiscard]] Wanted wanted_serving() const;
  [[nodiscard]] Wanted wanted_training() const;
  // Tokens a second that a user gets at least. Where the plan and the batch, or the batch alone,
  // are asked for and no speed is, they are taken as they are.
  [[nodiscard]] double speed() const;

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const Sheet& sheet() const { return sheet_; }
  [[nodiscard]] const Chip& chip() const { return chip_; }
  [[nodiscard]] const Options& options() const { return options_; }

 private:
  [[nodiscard]] Wanted wanted() const;

  Options options_;
  Model model_;
  Sheet sheet_;
  Chip chip_;
};

// Throws InputError with every option that is out of its range.
void check_options(const Options& options);

}  // namespace trainyard::planner
