#include "planner/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "planner/read_model.h"

namespace trainyard::planner {

namespace {

constexpr double default_tokens = 1024;
constexpr double default_sequence = 8192;
constexpr double default_interactivity = 30;
constexpr std::int64_t default_chips = 1024;  // of a training run

[[noreturn]] void refuse_option(std::string_view label, std::string rule, std::string_view option,
                                std::string found, std::string fix) {
  throw base::InputError(
      {std::string(label), std::move(rule), std::string(option), std::move(found), std::move(fix)});
}

Format format_from(std::string_view option, const std::string& word) {
  for (const Format format : {Format::bf16, Format::fp8, Format::fp4})
    if (name(format) == word) return format;
  refuse_option("plan.format", "a format is bf16, fp8 or fp4", option, word, "name one of them");
}

Recompute recompute_from(const std::string& word) {
  for (const Recompute each :
       {Recompute::none, Recompute::selective, Recompute::mlp, Recompute::full})
    if (name(each) == word) return each;
  refuse_option("plan.recompute", "recompute is none, selective, mlp or full", "recompute", word,
                "name one of them");
}

Sheet sheet_from(const std::string& machine, const Options& options) {
  const Sheet sheet(machine::load_accelerator(machine), economics::load_prices());
  return (options.software ? sheet : sheet.without_software()).with_settings(options.settings);
}

// The model with samples as long as is asked. An image has the tokens that its patches make.
Model model_from(const std::string& name, const Options& o) {
  Model model = load_model(name);
  if (model.family == Family::decoder) return model;
  const bool is_text = model.family == Family::encoder && model.vocab > 0;
  for (const auto& [what, asked] :
       {std::pair("input", o.input), std::pair("sequence", o.sequence)}) {
    if (!asked) continue;
    if (!is_text)
      throw base::InputError({"plan.input", "only text has a length that is chosen", what,
                              fmt::format("{:.6g}, of {}, whose samples have {} tokens", *asked,
                                          model.name, model.tokens_per_sample),
                              fmt::format("leave {} out", what)});
    if (model.context_max > 0 && *asked > real(model.context_max))
      throw base::InputError({"plan.input", "an encoder has a position for each token", what,
                              fmt::format("{:.6g} tokens", *asked),
                              fmt::format("name at most {}", model.context_max)});
    model.tokens_per_sample = static_cast<std::int64_t>(*asked);
  }
  return model;
}

void throw_any(std::vector<base::Violation> violations) {
  if (!violations.empty()) throw base::InputError(std::move(violations));
}

}  // namespace

void check_options(const Options& o) {
  std::vector<base::Violation> wrong;
  const auto in = [&](std::string_view what, const std::optional<double>& value, double low,
                      double high) {
    if (!value || (*value >= low && *value <= high)) return;  // false for NaN
    wrong.push_back({"plan.range", fmt::format("{} is {} to {}", what, low, high),
                     std::string(what), fmt::format("{}", *value), "correct the option"});
  };
  const auto whole = [&](std::string_view what, const std::optional<double>& value) {
    if (!value || !std::isfinite(*value) || *value == std::floor(*value)) return;
    wrong.push_back({"plan.range", fmt::format("{} is a whole number", what), std::string(what),
                     fmt::format("{}", *value), "correct the option"});
  };
  const auto size = [](const std::optional<std::int64_t>& count) {
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
  };
  in("input", o.input, 1, 1e8);
  in("output", o.output, 1, 1e8);
  in("batch", o.batch, 1, 1e6);
  in("prefills", o.prefills, 1, 1e6);
  in("interactivity", o.interactivity, 0, 1e6);
  in("tokens", o.tokens, 1, 1e18);
  in("sequence", o.sequence, 1, 1e8);
  in("global_batch", o.global_batch, 1, 1e8);
  in("microbatch", o.microbatch, 1, std::max(1.0, o.global_batch));
  in("interleave", o.interleave, 1, 64);
  whole("batch", o.batch);
  whole("global_batch", o.global_batch);
  whole("microbatch", o.microbatch);
  whole("interleave", o.interleave);
  in("zero", static_cast<double>(o.zero), 0, 3);
  in("plans", static_cast<double>(o.plans), 1, 64);
  in("chips", size(o.chips), 1, 1e7);
  in("tp", size(o.tp), 1, 1e7);
  in("pp", size(o.pp), 1, 1e7);
  in("dp", size(o.dp), 1, 1e7);
  throw_any(std::move(wrong));
}

Question::Question(const std::string& model, const std::string& machine, const Options& options)
    : options_((check_options(options), options)),
      model_(model_from(model, options)),
      sheet_(sheet_from(machine, options)),
      chip_(chip_of(sheet_)) {}

Serving Question::serving() const {
  const Options& o = options_;
  const bool is_decoder = model_.family == Family::decoder;
  Serving serving{.input = o.input.value_or(default_tokens),
                  .output = o.output.value_or(default_tokens),
                  .batch = o.batch.value_or(1),
                  .prefills = o.prefills};
  if (!is_decoder) {
    serving.input = real(model_.tokens_per_sample);
    serving.output = 0;
  }
  serving.cache = format_from("cache", o.cache);
  if (o.weights.empty() && model_.stored_bits < 16) serving.stored_bytes = model_.stored_bits / 8;
  if (!o.weights.empty()) {
    serving.weights = format_from("weights", o.weights);
  } else if (model_.stored_bits < 5) {
    serving.weights = Format::fp4;  // published in four bits, which any machine can unpack
  } else if (is_decoder && chip_.native[1]) {
    serving.weights = Format::fp8;
  }
  return serving;
}

Training Question::training() const {
  const Options& o = options_;
  const bool is_decoder = model_.family == Family::decoder;
  return {.sequence =
              is_decoder ? o.sequence.value_or(default_sequence) : real(model_.tokens_per_sample),
          .global_batch = o.global_batch,
          .microbatch = o.microbatch.value_or(1),
          .format = format_from("training_format", o.training_format),
          .recompute = o.recompute.empty() ? Recompute::selective : recompute_from(o.recompute),
          .interleave = o.interleave,
          .zero = static_cast<int>(o.zero),
          .summed_bytes = o.sum_fp32 ? 4.0 : 2.0};
}

Wanted Question::wanted() const {
  const Options& o = options_;
  Wanted result{.chips = o.chips, .tp = o.tp, .pp = o.pp, .dp = o.dp};
  result.pads_heads = o.pads_heads;
  return result;
}

Wanted Question::wanted_serving() const {
  Wanted result = wanted();
  result.batch = options_.batch;
  throw_any(find_violations(model_, result, nullptr));
  return result;
}

Wanted Question::wanted_training() const {
  Wanted result = wanted();
  result.microbatch = options_.microbatch;
  if (!options_.recompute.empty()) result.recompute = recompute_from(options_.recompute);
  if (!result.chips && !(result.tp && result.pp && result.dp)) {
    // About as many as unless something is fixed, in whole replicas whose number divides a batch.
    std::int64_t chips = result.tp.value_or(1) * result.pp.value_or(1) * result.dp.value_or(1);
    while (2 * chips <= default_chips) chips *= 2;
    result.chips = chips;
  }
  const Training asked = training();
  throw_any(find_violations(model_, result, &asked));
  return result;
}

double Question::speed() const {
  if (model_.family != Family::decoder) return 0;
  if (options_.interactivity) return *options_.interactivity;
  return options_.batch ? 0 : default_interactivity;
}

}  // namespace trainyard::planner
