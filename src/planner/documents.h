// The planner's answers as JSON documents: what the command, the Python API and pages are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planner/timing.h"

namespace trainyard::planner {

// Everything that may be asked besides the model and the machines; what is absent or empty is
// chosen.
struct Options {
  std::optional<double> input = {}, output = {};  // tokens of a request; 1024
  double prefills = 1;                            // requests whose prompts a group reads together
  std::optional<double> batch = {};               // requests at once in a replica
  std::string weights = {};  // "bf16", "fp8", "fp4"; empty: the narrowest that is native
  std::string cache = "bf16";
  std::optional<double> interactivity = {};  // tokens a second that a user must get at least; 30
  std::string price = "own";
  std::string region = {};
  std::optional<std::int64_t> chips = {}, tp = {}, pp = {}, dp = {};
  bool pads_heads = false;              // where tp does not divide them, as some software does
  double tokens = 1e12;                 // of a training run
  std::optional<double> sequence = {};  // 8192
  double global_batch = 1024, interleave = 1;
  std::optional<double> microbatch = {};
  std::string training_format = "bf16";
  std::string recompute = {};  // "none", "selective", "mlp", "full"; empty: the fastest that fits
  std::int64_t zero = 1;       // 0 to 3: what replicas share out
  bool sum_fp32 = false;       // tensor parallelism adds partial sums in fp32
  std::vector<std::string> settings =
      {};  // "key=value" of figures, for every machine that has them
  // What the machine's stack of software measures (software.*), not what the machine would do.
  bool software = false;
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
// One pass ("prefill", "decode", "microbatch") of the best plan through all layers, as blocks of
// one core (layer_pass.h); `cores`: of a chip.
[[nodiscard]] std::string layers_document(const std::string& model, const std::string& machine,
                                          const std::string& phase, const Options& options,
                                          std::int64_t cores);
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
