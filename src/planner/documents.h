// The planner's answers as JSON documents: what the command, the Python API and pages are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner/timing.h"

namespace trainyard::planner {

// Everything that may be asked besides the model and the machines; what is 0 or empty is chosen.
struct Options {
  double input = 1024, output = 1024;  // tokens of a request
  double prefills = 1;                 // requests whose prompts are read together
  double batch = 0;          // of `fit` and `cost`: requests at once; 0: the best that fits
  std::string weights = {};  // "bf16", "fp8", "fp4"; empty: the narrowest that is native
  std::string cache = "bf16";
  double interactivity = 30;  // tokens a second that a user must get at least
  std::string price = "own";
  std::string region = {};
  std::int64_t chips = 0, tp = 0, pp = 0, dp = 0;
  double tokens = 1e12;  // of a training run
  double sequence = 8192, global_batch = 1024, microbatch = 1, interleave = 1;
  std::string training_format = "bf16";
  std::string recompute = {};  // "none", "selective", "mlp", "full"; empty: the fastest that fits
  bool sum_fp32 = false;       // tensor parallelism adds partial sums in fp32
  std::vector<std::string> settings =
      {};                  // "key=value" of figures, for every machine that has them
  std::int64_t plans = 4;  // whose layers are simulated, where somebody does
  bool intervals = true;
};

// Each throws InputError for a name or an option that is wrong.

// What is in `models/` and `machines/compared/`, and where each figure comes from.
[[nodiscard]] std::string model_document(const std::string& model);
[[nodiscard]] std::string accelerator_document(const std::string& machine);

[[nodiscard]] std::string fit_document(const std::string& model, const std::string& machine,
                                       const Options& options);
// One machine's serving or training answers, intervals included; `plan` fixed by tp, pp, dp and
// batch where they are given. With a timer, the answers and the choice are by simulated layers.
[[nodiscard]] std::string serving_document(const std::string& model, const std::string& machine,
                                           const Options& options,
                                           const LayerTimer* timer = nullptr);
[[nodiscard]] std::string training_document(const std::string& model, const std::string& machine,
                                            const Options& options,
                                            const LayerTimer* timer = nullptr);
// What a sum or an exchange (by its name in fabric) of `bytes` of each of `chips` neighbours takes,
// between the least and the most that the ranges of its figures allow, and what the links allow at
// their peak.
[[nodiscard]] std::string collective_document(const std::string& machine,
                                              const std::string& operation, double bytes,
                                              std::int64_t chips);
// The ratio of two machines' serving or training answers, each by its own best plan; figures that
// both share move together.
[[nodiscard]] std::string ratio_document(const std::string& model, const std::string& machine,
                                         const std::string& other, const std::string& phase,
                                         const Options& options);

}  // namespace trainyard::planner
