// ResNet: parameters, multiply-accumulates and activations of one image, layer by layer.
#include <cmath>

#include "planner/config.h"
#include "planner/read_parts.h"

namespace trainyard::planner {

namespace {

// The image that flows through, and what it has cost so far.
struct Flow {
  double side = 0;  // pixels of an edge
  double channels = 0;
  Convolutions sum = {};

  void convolve(double out, double kernel, double stride) {
    side = std::ceil(side / stride);
    const double weights = kernel * kernel * channels * out;
    sum.parameters += weights + 2 * out;  // with the scale and shift of the normalisation
    sum.macs += weights * side * side;
    sum.activations += out * side * side;
    channels = out;
  }
};

// One residual block: the path, and the shortcut where the shape changes.
void block(Flow& flow, double out, double stride, bool bottleneck) {
  const Flow before = flow;
  if (bottleneck) {
    flow.convolve(out / 4, 1, 1);
    flow.convolve(out / 4, 3, stride);
    flow.convolve(out, 1, 1);
  } else {
    flow.convolve(out, 3, stride);
    flow.convolve(out, 3, 1);
  }
  if (before.channels == out && stride == 1) return;
  Flow shortcut{before.side, before.channels, {}};
  shortcut.convolve(out, 1, stride);
  flow.sum.parameters += shortcut.sum.parameters;
  flow.sum.macs += shortcut.sum.macs;
  flow.sum.activations += shortcut.sum.activations;
}

}  // namespace

void read_resnet(Model& m, Config& config) {
  constexpr std::int64_t channels_max = 65'536;
  m.family = Family::convolution;
  const auto depths = config.list("depths", 1000);
  const auto widths = config.list("hidden_sizes", channels_max);
  const bool bottleneck = config.word("layer_type") != "basic";
  if (depths.empty() || depths.size() != widths.size()) {
    config.report("model.inconsistent", "depths and hidden_sizes have an entry for each stage",
                  "depths", "different lengths, or none", "give both lists");
    return;
  }
  Flow flow{static_cast<double>(config.whole_or({"image_size"}, 224, 16'384, 1)),
            static_cast<double>(config.whole_or({"num_channels"}, 3, channels_max, 1)),
            {}};
  flow.convolve(static_cast<double>(config.whole({"embedding_size"}, channels_max)), 7, 2);
  flow.side = std::ceil(flow.side / 2);  // pooling
  for (std::size_t stage = 0; stage < depths.size(); ++stage) {
    for (std::int64_t i = 0; i < depths[stage]; ++i) {
      const double stride = i == 0 && stage > 0 ? 2 : 1;
      block(flow, static_cast<double>(widths[stage]), stride, bottleneck);
      ++m.layers;
    }
  }
  flow.side = 1;  // pooled, then classified
  const auto labels = static_cast<double>(config.whole_or({"num_labels"}, 1000, 1 << 26, 1));
  flow.sum.parameters += (flow.channels + 1) * labels;
  flow.sum.macs += flow.channels * labels;
  m.convolutions = flow.sum;
  m.tokens_per_sample = 1;
}

}  // namespace trainyard::planner
