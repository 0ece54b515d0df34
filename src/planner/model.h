// A model as far as its cost is known from its shape: layers, widths, experts, what a token needs.
// Read from a configuration (read_model.h); no weights.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::planner {

// Counts as what formulas multiply.
[[nodiscard]] inline double real(std::int64_t count) { return static_cast<double>(count); }

enum class Family : std::uint8_t {
  decoder,      // makes tokens one after the other, with a KV cache
  encoder,      // one pass over all tokens of a sample: ViT, BERT
  diffusion,    // an encoder that is run for a number of steps, with text to attend to
  convolution,  // ResNet: images, no tokens
};
[[nodiscard]] std::string_view name(Family family);

// Multi-head latent attention (DeepSeek): keys and values are made from a vector of kv_rank.
struct Latent {
  std::int64_t kv_rank = 0;  // 0: ordinary attention
  std::int64_t q_rank = 0;   // 0: queries straight from the hidden vector
  std::int64_t nope_dim = 0, rope_dim = 0, v_dim = 0;
};

// What a convolutional network comes to, for one image.
struct Convolutions {
  double parameters = 0;
  double macs = 0;
  double activations = 0;  // elements that training keeps
};

struct Model {
  std::string name = {}, title = {}, source = {};
  std::string type = {};  // "llama", as the configuration calls it
  Family family = Family::decoder;
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0;
  std::int64_t ffn = 0;    // inner width of a dense layer
  bool gated = true;       // three matrices in a feed-forward block, else two
  std::int64_t vocab = 0;  // 0: no embedding
  bool tied = false;       // the output matrix is the embedding
  std::int64_t experts = 0, experts_per_token = 0, expert_ffn = 0;
  std::int64_t shared_experts = 0;  // each of expert_ffn, for every token
  std::int64_t dense_layers = 0;    // leading layers without experts
  std::int64_t window = 0;          // 0: full attention
  std::int64_t window_layers = 0;   // layers that see the window only
  std::int64_t context_max = 0;     // 0: not stated
  Latent latent = {};
  double stored_bits = 16;  // of a weight as published
  // Encoders and diffusion:
  std::int64_t tokens_per_sample = 0;
  std::int64_t text_tokens = 0;  // cross-attention; 0: none
  std::int64_t steps = 1;        // passes a sample
  Convolutions convolutions = {};
};

// Parameters by part. Norms and biases, which are below a thousandth, are counted with attention.
struct Parameters {
  double attention = 0;  // of a layer
  double dense = 0;      // feed-forward block of a dense layer
  double expert = 0;     // one expert of one layer
  double router = 0;     // of a layer with experts
  double embedding = 0;  // of the model, the output matrix not counted
  double output = 0;     // the output matrix, also where it is the embedding
  double total = 0;      // of the model
  double active = 0;     // that a token passes through, without the embedding's rows
};
[[nodiscard]] Parameters parameters(const Model& model);

// Layers with experts.
[[nodiscard]] std::int64_t expert_layers(const Model& model);
// Elements that one token leaves in the KV cache of one layer, over all chips.
[[nodiscard]] double kv_elements(const Model& model);
// Tokens of context that layer-average attention looks at, with `context` tokens behind.
[[nodiscard]] double seen_context(const Model& model, double context);
// Multiply-accumulates of attention scores and values for one token that sees one other, in a
// layer.
[[nodiscard]] double attention_macs(const Model& model);
// How many different experts of a layer `tokens` tokens choose, if all experts are alike.
[[nodiscard]] double experts_touched(const Model& model, double tokens);

}  // namespace trainyard::planner
