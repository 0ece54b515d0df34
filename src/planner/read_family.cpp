// Models by the record of their family: shape, layers by kind, parameters, towers, bits as stored.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "planner/read_parts.h"
#include "planner/scope.h"

namespace trainyard::planner {

namespace {

using nlohmann::json;

// Far above any model, low enough that products of three stay exact in a double.
constexpr std::int64_t family_width_max = 1 << 20;
constexpr std::int64_t family_layers_max = 10'000;
constexpr std::int64_t tokens_max = 1 << 30;

std::optional<Mixer> mixer_from(std::string_view word) {
  for (const Mixer each : {Mixer::full, Mixer::sliding, Mixer::chunked, Mixer::linear,
                           Mixer::state_space, Mixer::convolution, Mixer::none})
    if (name(each) == word) return each;
  return std::nullopt;
}

std::optional<FeedForward> feed_forward_from(std::string_view word) {
  if (word == "dense") return FeedForward::dense;
  if (word == "experts") return FeedForward::experts;
  if (word == "none") return FeedForward::none;
  return std::nullopt;
}

// Sections of the record for a stack of layers: the model's own, or those of an encoder before it.
struct Sections {
  std::string shape, parameters;
};

class StackReader {
 public:
  StackReader(const Model& m, Scope& scope, Sections sections)
      : m_(m), scope_(scope), sections_(std::move(sections)) {}

  std::vector<LayerKind> read(std::int64_t layers) {
    std::vector<LayerKind> kinds;
    for (std::int64_t i = 0; i < layers; ++i) {
      LayerKind kind = layer(i);
      if (scope_.config().has_violations()) return kinds;  // one layer's mistakes are enough
      kind.count = 0;
      auto known = std::ranges::find_if(kinds, [&](LayerKind one) {
        one.count = 0;
        return one == kind;
      });
      if (known == kinds.end()) known = kinds.insert(kinds.end(), kind);
      ++known->count;
    }
    return kinds;
  }

 private:
  [[nodiscard]] double parameter(std::string_view key, std::int64_t i) {
    return scope_.number(sections_.parameters, key, i);
  }
  [[nodiscard]] bool has_parameter(std::string_view key) const {
    return !scope_.record().find(sections_.parameters, key).is_null();
  }

  LayerKind layer(std::int64_t i) {
    LayerKind kind;
    const std::string mixer = scope_.word(sections_.shape, "mixer", "full", i);
    const std::string block =
        scope_.word(sections_.shape, "feed_forward", m_.experts > 0 ? "experts" : "dense", i);
    const auto known = mixer_from(mixer);
    const auto feed_forward = feed_forward_from(block);
    if (!known || !feed_forward) {
      scope_.config().report("model.unsupported", "the record of a family knows each layer",
                             known ? "feed_forward" : "mixer", known ? block : mixer,
                             "other kinds of layers are not modelled");
      return kind;
    }
    kind.mixer = *known;
    kind.feed_forward = *feed_forward;
    add_mixer(kind, i);
    add_feed_forward(kind, i);
    kind.mixing += parameter("layer", i);
    kind.experts_again = scope_.number(sections_.shape, "is_again", i) != 0;
    if (kind.experts_again) kind.again = kind.mixing + kind.passed - parameter("own", i);
    kind.is_usual = kind.is_usual && has_only_vectors(kind);
    return kind;
  }

  // Whether what an expression counts beside the usual matrices is biases, gains and the like, and
  // no matrix.
  [[nodiscard]] bool has_only_vectors(const LayerKind& kind) const {
    constexpr double vectors_max = 16;
    const std::int64_t heads = (kind.heads.queries + 2 * kind.heads.keys) * kind.heads.dim;
    double usual = 0;
    if (is_attention(kind.mixer)) usual += elements(projections(m_.hidden, kind.heads));
    if (kind.ffn > 0) usual += elements(feed_forward(m_.hidden, kind.ffn, m_.gated));
    if (kind.feed_forward == FeedForward::experts) usual += elements(router(m_.hidden, m_.experts));
    return kind.mixing + kind.passed - usual <=
           vectors_max * real(m_.hidden + kind.ffn + heads + m_.experts);
  }

  // Heads of a layer; a width that differs between layers is called layer_... beside that of most.
  [[nodiscard]] Heads heads_of(std::int64_t i) {
    const auto width = [&](std::string_view usual) {
      const std::string own = fmt::format("layer_{}", usual);
      const bool has_own = !scope_.record().find(sections_.shape, own).is_null();
      return scope_.whole(sections_.shape, has_own ? own : usual, 0, 4 * family_width_max, i);
    };
    Heads heads{width("heads"), width("kv_heads"), width("head_dim"), m_.latent};
    if (m_.latent.kv_rank == 0) return heads;
    heads.latent = {.kv_rank = width("kv_rank"),
                    .q_rank = width("q_rank"),
                    .nope_dim = width("nope_dim"),
                    .rope_dim = width("rope_dim"),
                    .v_dim = width("v_dim")};
    return heads;
  }

  void add_mixer(LayerKind& kind, std::int64_t i) {
    const std::string_view word = name(kind.mixer);
    if (is_attention(kind.mixer)) kind.heads = heads_of(i);
    if (has_parameter(word))
      kind.mixing = parameter(word, i);
    else if (is_attention(kind.mixer))
      kind.mixing = elements(projections(m_.hidden, kind.heads)) + parameter("attention", i);
    kind.is_usual = !has_parameter(word);
    if (is_attention(kind.mixer)) {
      if (kind.mixer != Mixer::full)
        kind.window = scope_.whole(sections_.shape, "window", 0, tokens_max, i);
      const double v_dim =
          m_.latent.kv_rank > 0 ? 0 : scope_.number(sections_.shape, "value_dim", i);
      const double head_dim = real(kind.heads.dim);
      const Latent& latent = kind.heads.latent;
      const double values = v_dim > 0 ? v_dim : head_dim;
      kind.is_usual = kind.is_usual && values == head_dim;
      if (m_.family == Family::decoder)
        kind.cached = m_.latent.kv_rank > 0 ? real(latent.kv_rank + latent.rope_dim)
                                            : real(kind.heads.keys) * (head_dim + values);
      kind.cached *= scope_.record().find(sections_.shape, "cached").is_null()
                         ? 1
                         : scope_.number(sections_.shape, "cached", i);
      kind.selection = {.picked = scope_.whole(sections_.shape, "picked", 0, tokens_max, i),
                        .stride = scope_.whole(sections_.shape, "stride", 0, tokens_max, i),
                        .cached = scope_.number(sections_.shape, "entry", i),
                        .searched = scope_.number(sections_.shape, "searched", i),
                        .scoring = scope_.number(sections_.shape, "scoring", i)};
      kind.is_usual = kind.is_usual && kind.selection == Selection{};
    }
    kind.state = scope_.number("state", word, i);  // attention has one beside a cache, too
  }

  void add_feed_forward(LayerKind& kind, std::int64_t i) {
    if (kind.feed_forward == FeedForward::dense) {
      kind.ffn = scope_.whole(sections_.shape, "ffn", 1, 4 * family_width_max, i);
      kind.passed = own_or(kind, "dense", i, feed_forward(m_.hidden, kind.ffn, m_.gated)) +
                    (has_parameter("dense") ? 0 : parameter("feed_forward", i));
    } else if (kind.feed_forward == FeedForward::experts) {
      kind.ffn = m_.shared_ffn;
      kind.passed = own_or(kind, "router_matrix", i, router(m_.hidden, m_.experts)) +
                    own_or(kind, "shared", i, feed_forward(m_.hidden, m_.shared_ffn, m_.gated)) +
                    parameter("router", i);
      if (!scope_.record().find("parameters", "expert_matrices").is_null()) kind.is_usual = false;
    }
  }

  // The parameters of `usual`, unless the record has an expression for them.
  double own_or(LayerKind& kind, std::string_view key, std::int64_t i,
                const std::vector<Matrix>& usual) {
    if (!has_parameter(key)) return elements(usual);
    kind.is_usual = false;
    return parameter(key, i);
  }

  const Model& m_;
  Scope& scope_;
  Sections sections_;
};

void read_shape(Model& m, Scope& scope) {
  const auto width = [&](std::string_view key, std::int64_t least = 0) {
    return scope.whole("shape", key, least, 4 * family_width_max);
  };
  m.hidden = scope.whole("shape", "hidden", 1, family_width_max);
  m.layers = scope.whole("shape", "layers", 1, family_layers_max);
  m.heads = width("heads");
  m.kv_heads = width("kv_heads");
  m.head_dim = width("head_dim");
  m.latent = {.kv_rank = width("kv_rank"),
              .q_rank = width("q_rank"),
              .nope_dim = width("nope_dim"),
              .rope_dim = width("rope_dim"),
              .v_dim = width("v_dim")};
  m.gated = scope.number("shape", "gated") != 0;
  m.rotary = scope.word("shape", "positions_by", "rotary") == "rotary";
  m.centred = scope.word("shape", "norms", m.gated ? "rms" : "layer") == "layer";
  m.vocab = scope.whole("shape", "vocab", 0, 1 << 26);
  m.tied = scope.number("shape", "tied") != 0;
  m.context_max = scope.whole("shape", "context", 0, tokens_max);
  m.experts = scope.whole("shape", "experts", 0, 65'536);
  if (m.experts > 0) {
    m.experts_per_token = scope.whole("shape", "experts_per_token", 1, m.experts);
    m.expert_ffn = width("expert_ffn", 1);
    m.shared_ffn = width("shared_ffn");
  }
  if (m.heads > 0 && m.kv_heads > 0 && m.heads % m.kv_heads != 0 &&
      !scope.config().has_violations()) {
    scope.config().report("model.inconsistent", "heads are a multiple of key-value heads",
                          "num_key_value_heads", fmt::format("{} and {}", m.heads, m.kv_heads),
                          "correct one of them");
  }
}

// Widths that stay the same in all layers, for what counts with one: those of the first layer.
void read_widths(Model& m) {
  for (const LayerKind& kind : m.kinds)
    if (kind.feed_forward == FeedForward::dense) m.ffn = std::max(m.ffn, kind.ffn);
}

void read_parameters(Model& m, Scope& scope) {
  const double h = real(m.hidden);
  const auto or_else = [&](std::string_view key, double otherwise) {
    return scope.record().find("parameters", key).is_null() ? otherwise
                                                            : scope.number("parameters", key);
  };
  m.expert_parameters =
      m.experts > 0
          ? or_else("expert_matrices", elements(feed_forward(m.hidden, m.expert_ffn, m.gated))) +
                scope.number("parameters", "expert")
          : 0;
  m.embedding = or_else("embedding", h * real(m.vocab));
  m.output = or_else("output", m.family == Family::decoder ? h * real(m.vocab) : 0);
  m.others = scope.number("parameters", "model");
}

// What a model of vision or sound adds: all of its parameters.
double tower_parameters(const Model& tower) { return parameters(tower).total; }

void read_whole(Model& m, Scope& scope);

// A part that a record names: where it lies, its type where it states none, what an absent one is.
Scope& part_of(Scope& scope, const json& named) {
  static const json nothing = json::object();
  const auto absent = named.find("absent");
  return scope.part(named.at("part").get<std::string>(), named.value("type", ""),
                    absent == named.end() ? nothing : *absent, named.value("is_always", false));
}

void read_towers(Model& m, Scope& scope) {
  for (const json& tower : scope.record().section("towers")) {
    const auto own = scope.fields().find(tower.at("part").get<std::string>());
    const bool is_there = own != scope.fields().end() && own->is_object();
    if (!is_there && tower.value("is_optional", false)) continue;
    Model read;
    read_whole(read, part_of(scope, tower));
    const json times = tower.contains("times") ? scope.value(tower.at("times")) : json(1);
    m.towers += (times.is_number() ? times.get<double>() : 0) * tower_parameters(read);
  }
  m.towers += scope.number("parameters", "towers");
}

// Stages whose rows shrink from one to the next: what a token of the layers behind them takes in
// each, and outside of them; a picture counts as one where nothing is behind them.
void read_stages(Model& m, Scope& scope) {
  const std::int64_t stages = scope.whole("shape", "stages", 0, family_layers_max);
  const auto add = [&](std::string_view section, std::int64_t stage) {
    m.convolutions.parameters += scope.number(section, "parameters", stage);
    m.convolutions.macs += scope.number(section, "macs", stage);
    m.convolutions.activations += scope.number(section, "activations", stage);
  };
  for (std::int64_t i = 0; i < stages && !scope.config().has_violations(); ++i) {
    if (m.family == Family::convolution)
      m.layers += scope.whole("stage", "layers", 0, family_layers_max, i);
    add("stage", i);
  }
  add("outside", -1);
}

void read_scope(Model& m, Scope& scope) {
  const std::string family = scope.word("shape", "family", "decoder");
  if (family == "stages") {
    m.family = Family::convolution;
    m.tokens_per_sample = 1;
    read_stages(m, scope);
    return read_towers(m, scope);
  }
  m.family = family == "encoder" ? Family::encoder : Family::decoder;
  read_shape(m, scope);
  if (scope.config().has_violations()) return;
  m.kinds = StackReader(m, scope, {"shape", "parameters"}).read(m.layers);
  if (!scope.record().section("encoder_shape").empty()) {
    const auto layers = scope.whole("encoder_shape", "layers", 1, family_layers_max);
    m.encoder = StackReader(m, scope, {"encoder_shape", "encoder_parameters"}).read(layers);
    for (LayerKind& kind : m.encoder) kind.cached = 0;
    m.others += scope.number("encoder_parameters", "model");
  }
  read_widths(m);
  read_stages(m, scope);
  m.others += m.convolutions.parameters;
  const double before = m.others;
  read_parameters(m, scope);
  m.others += before;
  if (m.family == Family::encoder) {
    m.tied = true;
    m.tokens_per_sample = scope.whole("shape", "tokens", 1, 1 << 26);
  }
  read_towers(m, scope);
}

// What each token of text passes beside the layers that the text alone has.
void add_to_last_layer(Model& m, double passed) {
  if (passed == 0 || m.kinds.empty()) return;
  LayerKind last = m.kinds.back();
  if (--m.kinds.back().count == 0) m.kinds.pop_back();
  last.count = 1;
  last.mixing += passed;
  last.is_usual = false;
  m.kinds.push_back(last);
}

// An encoder with a family of its own, before a decoder that attends to what it makes.
void read_encoder(Model& m, Scope& scope) {
  const json& encoder = scope.record().section("encoder");
  if (!encoder.contains("part")) return;
  Model read;
  read_whole(read, part_of(scope, encoder));
  if (read.family == Family::decoder && !scope.config().has_violations())
    scope.config().report("model.unsupported", "an encoder reads all of its input at once",
                          encoder.at("part").get<std::string>(), read.type,
                          "only types that are encoders of their own stand before a decoder");
  m.encoder = read.kinds;
  Parameters size = parameters(read);
  // Stages have no layers that a prompt would pass: they are held like a tower.
  (read.family == Family::convolution ? m.towers : m.others) +=
      size.total - size.mixing - size.passed - size.all_experts;
  for (LayerKind& kind : m.encoder) kind.cached = kind.state = 0;
}

// The part that is the text, as this whole builds it: text_types has the record of each type that
// it may be, where it is not any.
Scope& text_of(Scope& scope, const std::string& name) {
  const FamilyRecord& record = scope.record();
  const json& usual = record.section("text_type");
  std::string type = usual.is_string() ? usual.get<std::string>() : std::string();
  bool is_always = record.section("text_is_always") == true;
  const json& types = record.section("text_types");
  if (const auto own = scope.fields().find(name);
      !types.empty() && own != scope.fields().end() && own->is_object()) {
    const std::string stated = own->value("model_type", type);
    is_always = types.contains(stated);
    if (is_always)
      type = types[stated].get<std::string>();
    else
      scope.config().report("model.unsupported", "a part is of a type that this whole is built of",
                            name, stated, fmt::format("known are {}", types.dump()));
  }
  return scope.part(name, type, record.section("text_absent"), is_always);
}

// What a scope describes: a model, or one around a text that is a part of it.
void read_whole(Model& m, Scope& scope) {
  read_encoder(m, scope);
  const json& text = scope.record().section("text");
  if (!text.is_string()) return read_scope(m, scope);
  read_whole(m, text_of(scope, text.get<std::string>()));
  if (scope.record().section("tied") == "own") {
    const auto tied = scope.fields().find("tie_word_embeddings");
    const json& absent = scope.record().section("tied_absent");
    if (tied != scope.fields().end() && tied->is_boolean())
      m.tied = tied->get<bool>();
    else if (absent.is_boolean())
      m.tied = absent.get<bool>();
  }
  read_towers(m, scope);
  add_to_last_layer(m, scope.number("parameters", "passed"));
}

}  // namespace

void read_family(Model& m, const json& fields, std::string_view place) {
  Scope scope(fields, m.type, std::string(place));
  if (scope.record().section("is_part") == true) {
    scope.config().report("model.unsupported", "a configuration is of a whole model", "model_type",
                          m.type, "give the model that this text is a part of");
    scope.finish();
  }
  read_whole(m, scope);
  scope.check_keys();
  scope.finish();
}

}  // namespace trainyard::planner
