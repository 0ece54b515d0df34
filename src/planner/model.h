// A model as far as its cost is known from its shape: layers, widths, experts, what a token needs.
// Read from a configuration (read_model.h); no weights.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planner/operations.h"

namespace trainyard::planner {

enum class Family : std::uint8_t {
  decoder,      // makes tokens one after the other, with a KV cache
  encoder,      // one pass over all tokens of a sample: ViT, BERT
  diffusion,    // an encoder that is run for a number of steps, with text to attend to
  convolution,  // ResNet: images, no tokens
};
[[nodiscard]] std::string_view name(Family family);

// What a convolutional network comes to, for one image; or, for a token, what lies before the
// layers of an encoder, whose parameters are then among the `others`.
struct Convolutions {
  double parameters = 0;
  double macs = 0;
  double activations = 0;  // elements that training keeps
};

// How a layer mixes tokens.
enum class Mixer : std::uint8_t {
  full,         // attention to all tokens
  sliding,      // attention to the last `window` tokens
  chunked,      // attention within chunks of `window` tokens
  linear,       // linear attention: a state instead of a cache
  state_space,  // Mamba and the like
  convolution,  // a short convolution
  none,         // no mixing: a feed-forward layer alone
};
[[nodiscard]] std::string_view name(Mixer mixer);
[[nodiscard]] bool is_attention(Mixer mixer);

enum class FeedForward : std::uint8_t { dense, experts, none };

// Attention that looks at a part of what lies behind: the best tokens, or entries that stand for
// several. Scores over all that lies behind say which.
struct Selection {
  std::int64_t picked = 0;  // tokens, or entries beside a window, that one looks at; 0: all
  std::int64_t stride = 0;  // tokens of an entry; 0: there are none
  double cached = 0;        // elements that a token leaves in entries
  double searched = 0;      // elements that a token leaves for scores
  double scoring = 0;       // multiply-accumulates that score one token behind
  friend bool operator==(const Selection&, const Selection&) = default;
};

// Layers that are alike, wherever they stand.
struct LayerKind {
  Mixer mixer = Mixer::full;
  FeedForward feed_forward = FeedForward::dense;
  std::int64_t count = 0;
  std::int64_t window = 0;     // tokens; 0: all
  Heads heads = {};            // of attention
  std::int64_t ffn = 0;        // inner width that each token passes: dense, or of shared experts
  bool is_usual = true;        // all matrices are those of operations.h; else only counted
  double mixing = 0;           // parameters of the mixer, norms included
  double passed = 0;           // parameters of the feed-forward part that each token passes
  double again = 0;            // those of both that an earlier layer has stored
  bool experts_again = false;  // so are its experts
  double cached = 0;           // elements that a token leaves in the cache, over all chips
  double state = 0;            // elements that a request keeps, however long it is
  Selection selection = {};

  // Tokens, or entries in their place, that one looks at, with `context` behind it.
  [[nodiscard]] double seen(double context) const;
  // Elements that a request of `context` tokens keeps.
  [[nodiscard]] double kept(double context) const;
  // Those of them that a pass of `tokens` reads.
  [[nodiscard]] double read(double context, double tokens) const;
  // Multiply-accumulates of attention's scores and values for one token, with `context` behind it.
  [[nodiscard]] double attention_macs(double context) const;
  friend bool operator==(const LayerKind&, const LayerKind&) = default;
};

struct Model {
  std::string name = {}, title = {}, source = {};
  std::string type = {};  // "llama", as the configuration calls it
  Family family = Family::decoder;
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0;
  std::vector<LayerKind> kinds = {};    // of all layers
  std::vector<LayerKind> encoder = {};  // of an encoder before a decoder, which reads the prompt
  std::int64_t ffn = 0;                 // inner width of a dense layer
  bool gated = true;                    // three matrices in a feed-forward block, else two
  bool rotary = true;                   // queries and keys are rotated by their positions
  bool centred = false;                 // norms subtract the mean (LayerNorm)
  std::int64_t vocab = 0;               // 0: no embedding
  bool tied = false;                    // the output matrix is the embedding
  std::int64_t experts = 0, experts_per_token = 0, expert_ffn = 0;
  std::int64_t shared_ffn = 0;   // inner width of the experts that every token passes, together
  std::int64_t context_max = 0;  // 0: not stated
  double expert_parameters = 0;  // of one expert of one layer
  double embedding = 0;          // parameters of the table of tokens
  double output = 0;             // of the output matrix, also where it is the embedding
  double others = 0;             // positions, last norms, poolers: counted, not multiplied
  double towers = 0;             // vision and audio, with what joins them to the text
  Latent latent = {};
  double stored_bits = 16;  // of a weight as published, on average
  // Encoders and diffusion:
  std::int64_t tokens_per_sample = 0;
  std::int64_t text_tokens = 0;  // cross-attention; 0: none
  std::int64_t steps = 1;        // passes a sample
  Convolutions convolutions = {};
};

// Parameters of a model; sums over its layers.
struct Parameters {
  double mixing = 0;         // of all layers, with their norms
  double passed = 0;         // feed-forward parts that each token passes, all layers
  double again = 0;          // of both, passed again: an earlier layer has stored them
  double expert = 0;         // one expert of one layer
  double all_experts = 0;    // of all layers, stored
  double experts_again = 0;  // of layers whose experts an earlier one has stored
  double embedding = 0;      // the output matrix not counted
  double output = 0;         // the output matrix, also where it is the embedding
  double total = 0;          // of the model
  double active = 0;         // that a token of text passes, each time; not the embedding's rows
};
[[nodiscard]] Parameters parameters(const Model& model);

// Layers with experts.
[[nodiscard]] std::int64_t expert_layers(const Model& model);
// Elements that one token leaves in the KV cache of all layers, over all chips; beyond the windows
// of those that have one if `is_beyond`.
[[nodiscard]] double kv_elements(const Model& model, bool is_beyond = false);
// Elements of the cache and of states that a request of `context` tokens keeps in all layers.
[[nodiscard]] double request_elements(const Model& model, double context);
// Multiply-accumulates of attention's scores and values for one token, in all layers, with
// `context` tokens behind.
[[nodiscard]] double attention_macs(const Model& model, double context);
// How many different experts of a layer `tokens` tokens choose, if all experts are alike.
[[nodiscard]] double experts_touched(const Model& model, double tokens);

}  // namespace trainyard::planner
