#include "planner/layer_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "planner/expert_layout.h"
#include "planner/serving.h"
#include "planner/training.h"

namespace trainyard::planner {

namespace {

constexpr std::int64_t rows_max = 4096;  // of a step that is simulated
constexpr std::int64_t tile = 128;       // keys that the array takes at once

constexpr std::string_view capacity_note =
    "experts have places for as many tokens as they get on average, and none to spare; tokens of "
    "other chips lie in HBM";

std::int64_t divided_up(std::int64_t number, std::int64_t by) { return (number + by - 1) / by; }

// Work of all cores: sequences of so many tokens behind others, or of a step the next tokens of
// each.
struct Tokens {
  std::int64_t tokens = 1, sequences = 1;
  std::int64_t past = 0;
  bool is_step = false;
  Format format = Format::bf16, cache = Format::bf16;
  bool backward = false;
};

// The layers of a model as the cores that share them do them.
class LayerSteps {
 public:
  LayerSteps(const Model& model, const Cores& cores, const Tokens& work)
      : m_(model), cores_(cores), work_(work), groups_(cores.all / cores.group) {
    for (const LayerKind& kind : m_.kinds) add_attention(kind);
    for (const LayerKind& kind : m_.kinds) add_what_follows(kind);
    add_norms();
  }

  // Each expert of the group computes every token, its inner size split over the cores, as AWS's
  // library does where neither a capacity nor expert parallelism is asked for:
  // ExpertMLPs.forward_all_experts of aws-neuron/neuronx-distributed.
  [[nodiscard]] LayerStep split_experts() const {
    Block block = experts(std::max<std::int64_t>(1, m_.experts / groups_),
                          divided_up(m_.expert_ffn, cores_.group));
    block.routing.every = true;
    return {.block = block, .times = real(expert_layers(m_))};
  }

  [[nodiscard]] std::vector<LayerStep> found() && { return std::move(found_); }

 private:
  void add(const Block& block, double times) {
    const auto known = std::ranges::find(found_, block, &LayerStep::block);
    if (known != found_.end())
      known->times += times;
    else
      found_.push_back({.block = block, .times = times});
  }

  [[nodiscard]] Block block(BlockKind kind, std::int64_t rows) const {
    return {.kind = kind,
            .rows = rows,
            .hidden = m_.hidden,
            .format = work_.format,
            .backward = work_.backward};
  }

  // Of each group. Where several groups share one sequence, a core attends for its part of the
  // rows, which see what a row sees on average.
  [[nodiscard]] std::int64_t rows() const {
    return std::max<std::int64_t>(1, work_.tokens * work_.sequences / groups_);
  }

  // A core computes whole heads, one at least; the busiest has one more where they are not dealt
  // out evenly.
  [[nodiscard]] Heads share_of(const Heads& heads) const {
    const std::int64_t queries = divided_up(heads.queries, cores_.group);
    if (heads.latent.kv_rank > 0) return {queries, queries, heads.dim, heads.latent};
    const std::int64_t keys = divided_up(heads.keys, cores_.group);
    return {divided_up(queries, keys) * keys, keys, heads.dim, {}};
  }

  void add_attention(const LayerKind& kind) {
    if (kind.mixer == Mixer::none) return;
    Block one = block(BlockKind::attention, work_.tokens);
    one.heads = share_of(kind.heads);
    one.matrices = projections(m_.hidden, one.heads);
    one.rotary = m_.rotary;
    one.cache = work_.cache;
    double times = real(std::max<std::int64_t>(1, work_.sequences / groups_));
    if (work_.is_step) {
      one.rows = rows();
      one.together = work_.tokens;
      // The cache lies in whole tiles of the array.
      const auto seen = static_cast<std::int64_t>(std::ceil(kind.seen(real(work_.past))));
      one.context = divided_up(std::max<std::int64_t>(1, seen), tile) * tile;
      add(one, real(kind.count));
      return;
    }
    one.past = work_.past;
    if (kind.mixer == Mixer::chunked && kind.window < work_.past + work_.tokens) {
      // A chunk is a sequence; what is read begins in the middle of one on average.
      one.past = std::min(work_.past, kind.window / 2);
      one.rows = std::min(work_.tokens, kind.window - one.past);
      times *= real(work_.tokens) / real(one.rows);
    } else if (kind.window > 0 && kind.window < work_.past + work_.tokens) {
      // A window as long as what is seen hides nothing, and what lies before it is not read.
      one.window = kind.window;
      one.past = std::min(work_.past, divided_up(kind.window, tile) * tile);
    }
    if (work_.sequences < groups_)
      one = with_rows(one, std::max<std::int64_t>(1, one.rows * work_.sequences / groups_));
    add(one, real(kind.count) * times);
  }

  void add_what_follows(const LayerKind& kind) {
    const bool is_sparse = kind.feed_forward == FeedForward::experts;
    if (is_sparse) {
      // Groups of cores with whole experts; with more cores than experts, parts of one.
      const std::int64_t apart = cores_.experts == ExpertLayout::divided ? groups_ : cores_.all;
      const std::int64_t holders = std::min(m_.experts, apart);
      add(experts(std::max<std::int64_t>(1, m_.experts / holders),
                  divided_up(m_.expert_ffn, std::max<std::int64_t>(1, cores_.all / holders))),
          real(kind.count));
    }
    if (kind.ffn == 0 || kind.feed_forward == FeedForward::none) return;
    Block one = block(BlockKind::feed_forward, rows());
    one.matrices = feed_forward(m_.hidden, divided_up(kind.ffn, cores_.group), m_.gated);
    add(one, real(kind.count));
  }

  [[nodiscard]] Block experts(std::int64_t local, std::int64_t inner) const {
    Block one = block(BlockKind::experts, work_.tokens * work_.sequences);
    one.matrices = router(m_.hidden, m_.experts);
    const std::vector<Matrix> each = feed_forward(m_.hidden, inner, m_.gated);
    one.matrices.insert(one.matrices.end(), each.begin(), each.end());
    // Of a step, those that its tokens choose on average; where it is said how experts lie, of the
    // core that has most of them.
    if (work_.is_step || cores_.experts != ExpertLayout::even) {
      double read = real(local) * experts_touched(m_, real(one.rows)) / real(m_.experts);
      if (cores_.experts != ExpertLayout::even)
        read *= busiest_holder(m_, real(one.rows), real(m_.experts / local)).experts;
      local = std::max<std::int64_t>(1, std::llround(read));
    }
    one.routing = {m_.experts, m_.experts_per_token, local};
    return one;
  }

  // Each core does its share of the rows (sequence parallelism), of a step all.
  void add_norms() {
    Block one = block(BlockKind::norm, work_.is_step ? rows() : divided_up(rows(), cores_.group));
    one.format = Format::bf16;
    one.centred = m_.centred;
    double times = 0;
    for (const LayerKind& kind : m_.kinds)
      times += real(kind.count) * ((kind.mixer == Mixer::none ? 0 : 1) +
                                   (kind.feed_forward == FeedForward::none ? 0 : 1));
    add(one, times);
  }

  const Model& m_;
  Cores cores_;
  Tokens work_;
  std::int64_t groups_;
  std::vector<LayerStep> found_;
};

// Why no program of a model's layers is made; empty: there may be one.
std::string why_no_layers(const Model& m, Format format) {
  if (m.family != Family::decoder)
    return fmt::format("a decoder's layers are simulated, not those of {}", name(m.family));
  if (!m.encoder.empty()) return "layers of a decoder behind an encoder are not simulated";
  for (const LayerKind& kind : m.kinds) {
    if (kind.mixer != Mixer::none && !is_attention(kind.mixer))
      return fmt::format("layers that mix tokens by {} are not simulated", name(kind.mixer));
    if (!kind.is_usual)
      return fmt::format("{} has matrices of its own, which are counted and not simulated", m.type);
  }
  if (format == Format::fp4) return "products in fp4 are not simulated; bf16 and fp8 are";
  return {};
}

// What formulas say of each block: its share of the products, and of attention.
void add_modelled(LayerPass& pass) {
  double products = 0, pairs = 0;
  for (const LayerStep& step : pass.steps) {
    if (step.block.kind == BlockKind::norm) continue;
    products += step.times * weight_macs(step.block);
    pairs += step.times * (macs(step.block) - weight_macs(step.block));
  }
  for (LayerStep& step : pass.steps) {
    if (step.block.kind == BlockKind::norm) continue;
    const double weights = weight_macs(step.block);
    step.modelled =
        step.times *
        (pass.modelled.linear * weights / products +
         (pairs > 0 ? pass.modelled.attention * (macs(step.block) - weights) / pairs : 0));
  }
}

void note_samples(LayerPass& pass) {
  std::string sampled;
  bool are_rows = false;
  const auto look_at = [&](const LayerStep& step) {
    const Block sample = sample_of(step.block);
    const std::string text = sample_text(step.block, sample);
    if (text.empty()) return;
    sampled += fmt::format("{}{} ({})", sampled.empty() ? "" : "; ", title(step.block), text);
    are_rows = are_rows || (sample.kind == BlockKind::attention && sample.past > 0);
  };
  std::ranges::for_each(pass.steps, look_at);
  std::ranges::for_each(pass.variants, look_at);
  if (sampled.empty()) return;
  pass.notes.push_back(fmt::format("sampled to stay quick: {}; the others take as long", sampled));
  if (are_rows)
    pass.notes.emplace_back("sampled rows of attention see as many keys as a row does on average");
}

Cores cores_of(const Plan& plan, std::int64_t cores) {
  return {plan.tp * cores, plan.tp * plan.dp * cores, plan.experts};
}

// Of all layers.
void add_collectives(LayerPass& pass, const Model& m, const Plan& plan, const Pass& work,
                     double sums) {
  Collective sum = sum_over_tensors(m, plan, work);
  sum.times *= real(m.layers) * sums;
  pass.collectives.push_back(sum);
  if (m.experts == 0 || plan.dp == 1) return;
  Collective exchange = exchange_tokens(m, plan, work);
  exchange.times *= real(expert_layers(m));
  pass.collectives.push_back(exchange);
}

bool is_repeated(const Block& block, Recompute recompute) {
  const bool follows = block.kind == BlockKind::feed_forward || block.kind == BlockKind::experts;
  return recompute == Recompute::full || (recompute == Recompute::mlp && follows);
}

}  // namespace

LayerPass prefill_layers(const Model& m, const Chip& chip, const Plan& plan, const Pass& work,
                         std::int64_t cores) {
  LayerPass pass{.phase = "prefill", .plan = plan, .why = why_no_layers(m, work.format)};
  if (!pass.why.empty()) return pass;
  const Tokens tokens{.tokens = std::llround(work.tokens),
                      .sequences = std::max<std::int64_t>(1, std::llround(work.samples)),
                      .past = std::llround(work.context),
                      .format = work.format};
  LayerSteps steps(m, cores_of(plan, cores), tokens);
  if (m.experts > 0) pass.variants.push_back(steps.split_experts());
  pass.steps = std::move(steps).found();
  pass.modelled = layers(m, plan, chip, work);
  pass.what = fmt::format(
      "prefill of {}{} tokens{}",
      tokens.sequences > 1 ? fmt::format("{} prompts of ", tokens.sequences) : std::string(),
      tokens.tokens, tokens.past > 0 ? fmt::format(" behind {}", tokens.past) : std::string());
  add_modelled(pass);
  add_collectives(pass, m, plan, work, 1);
  pass.notes.emplace_back("not simulated: embedding, output matrix");
  note_samples(pass);
  if (tokens.sequences < plan.dp)
    pass.notes.emplace_back("groups share a prompt: each attends for its part of the rows");
  if (m.experts > 0) pass.notes.emplace_back(capacity_note);
  return pass;
}

LayerPass decode_layers(const Model& m, const Chip& chip, const Plan& plan, const Pass& work,
                        std::int64_t cores) {
  LayerPass pass{.phase = "decode", .plan = plan, .why = why_no_layers(m, work.format)};
  if (pass.why.empty() && work.cache == Format::fp4)
    pass.why = "a cache in fp4 is not simulated; bf16 and fp8 are";
  const Tokens tokens{.tokens = std::llround(work.tokens),
                      .sequences = std::max<std::int64_t>(1, std::llround(work.samples)),
                      .past = std::llround(work.context),
                      .is_step = true,
                      .format = work.format,
                      .cache = work.cache};
  const std::int64_t requests = std::max<std::int64_t>(1, tokens.sequences / plan.dp);
  if (pass.why.empty() && requests * tokens.tokens > rows_max)
    pass.why = fmt::format("{} tokens at once are not simulated, at most {}",
                           requests * tokens.tokens, rows_max);
  if (!pass.why.empty()) return pass;
  pass.steps = LayerSteps(m, cores_of(plan, cores), tokens).found();
  pass.modelled = layers(m, plan, chip, work);
  pass.what =
      fmt::format("decoding step of {}, context {}", count_text(requests, "request"), tokens.past);
  add_modelled(pass);
  add_collectives(pass, m, plan, work, 1);
  pass.notes.emplace_back("not simulated: embedding, output matrix, writing to the cache");
  note_samples(pass);
  for (const LayerStep& step : pass.steps)
    if (step.block.kind == BlockKind::experts)
      pass.notes.push_back(fmt::format(
          "a core reads {} of its experts, as many as the requests choose on average{}",
          step.block.routing.local,
          plan.experts == ExpertLayout::even ? "; one that has more of the chosen ones takes longer"
                                             : " of the core that has most of them"));
  return pass;
}

LayerPass microbatch_layers(const Model& m, const Chip& chip, const Plan& plan,
                            const Training& training, std::int64_t cores) {
  LayerPass pass{.phase = "microbatch",
                 .plan = plan,
                 .batch = training.microbatch,
                 .recompute = training.recompute,
                 .why = why_no_layers(m, training.format)};
  if (!pass.why.empty()) return pass;
  const Plan one{.tp = plan.tp};  // replicas share nothing within a microbatch
  const Tokens tokens{.tokens = std::llround(training.sequence),
                      .sequences = std::max<std::int64_t>(1, std::llround(training.microbatch)),
                      .format = training.format,
                      .backward = true};
  pass.steps = LayerSteps(m, cores_of(one, cores), tokens).found();
  for (LayerStep& step : pass.steps) step.is_again = is_repeated(step.block, training.recompute);
  pass.modelled = microbatch_of(m, plan, chip, training).of_layers;
  pass.what = fmt::format("microbatch of {} x {} tokens, forward and backward", tokens.sequences,
                          tokens.tokens);
  add_modelled(pass);
  add_collectives(pass, m, one,
                  {.samples = training.microbatch, .tokens = training.sequence, .training = true},
                  sums_of_layer(training));
  pass.notes.emplace_back("not simulated: embedding, output matrix, optimiser");
  note_samples(pass);
  if (training.recompute == Recompute::full)
    pass.notes.emplace_back("all blocks run forward twice");
  if (training.recompute == Recompute::mlp)
    pass.notes.emplace_back("feed-forward blocks, their last matrix too, run forward twice");
  if (m.experts > 0) pass.notes.emplace_back(capacity_note);
  return pass;
}

}  // namespace trainyard::planner
