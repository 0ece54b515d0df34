// rng_bit_generator by ThreeFry 2x32 and Philox 4x32 (Salmon et al., "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011), counters and layouts as XLA has them, so that the bits are those of
// XLA's CPU. DEFAULT is Philox there, and here. The operation rng has no state; it draws from
// Philox with a fixed key, so that a run can be repeated.
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_rng(OpCheck& c) {
  constexpr std::array<std::string_view, 2> distributions{"UNIFORM", "NORMAL"};
  c.one_of("rng_distribution", distributions, false);
  for (const std::size_t i : {0U, 1U})
    c.require(is_scalar(c.operand(i)) && same_element(c.operand(i), c.result()),
              "a parameter is one element of the result's type");
  c.require(c.operand(2).shape.size() == 1, "the shape is a list");
}

void verify_rng_bit_generator(OpCheck& c) {
  constexpr std::array<std::string_view, 3> algorithms{"DEFAULT", "THREE_FRY", "PHILOX"};
  c.one_of("rng_algorithm", algorithms, false);
  c.require(same_type(c.operand(0), c.result(0)), "the new state has the type of the old one");
}

using Pair = std::array<std::uint32_t, 2>;

using Quad = std::array<std::uint32_t, 4>;

Pair halves(std::uint64_t word) {
  return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
}

std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
  return low | (static_cast<std::uint64_t>(high) << 32);
}

Pair three_fry(Pair x, Pair key) {
  constexpr std::array<int, 8> rotations{13, 15, 26, 6, 17, 29, 16, 24};
  constexpr std::uint32_t parity = 0x1BD11BDA;
  const std::array<std::uint32_t, 3> keys{key[0], key[1], parity ^ key[0] ^ key[1]};
  x[0] += keys[0];
  x[1] += keys[1];
  for (std::uint32_t group = 0; group < 5; ++group) {
    for (std::size_t i = 0; i < 4; ++i) {
      x[0] += x[1];
      x[1] = std::rotl(x[1], rotations[group % 2 * 4 + i]) ^ x[0];
    }
    x[0] += keys[(group + 1) % 3];
    x[1] += keys[(group + 2) % 3] + group + 1;
  }
  return x;
}

Quad philox(Quad x, Pair key) {
  constexpr std::uint64_t factor_a = 0xD2511F53, factor_b = 0xCD9E8D57;
  constexpr std::uint32_t step_a = 0x9E3779B9, step_b = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const Pair a = halves(x[0] * factor_a), b = halves(x[2] * factor_b);
    x = {b[1] ^ x[1] ^ key[0], b[0], a[1] ^ x[3] ^ key[1], a[0]};
    key = {key[0] + step_a, key[1] + step_b};
  }
  return x;
}

// The dimension that is cut in two: the first even one, else the longest.
std::size_t split_dimension(const Shape& shape) {
  std::size_t longest = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] % 2 == 0) return d;
    if (shape[d] > shape[longest]) longest = d;
  }
  return longest;
}

struct Draw {
  std::vector<std::uint64_t> bits;
  std::vector<std::uint64_t> state;  // behind the key
};

Draw draw_three_fry(std::uint64_t key, std::uint64_t state, const Type& type) {
  Draw draw;
  const Pair keys = halves(key);
  if (bits(type.element) == 64) {
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(type.elements()); ++i) {
      const Pair out = three_fry(halves(state + i), keys);
      draw.bits.push_back(joined(out[0], out[1]));
    }
    draw.state = {state + static_cast<std::uint64_t>(type.elements())};
    return draw;
  }
  if (type.shape.empty()) {
    draw.bits = {three_fry(halves(state), keys)[0]};
    draw.state = {state + 1};
    return draw;
  }
  const std::size_t split = split_dimension(type.shape);
  Shape half = type.shape;
  half[split] = (half[split] + 1) / 2;
  const Shape steps = row_major_steps(half);
  for_each_index(type.shape, [&](Index index) {
    Shape place(index.begin(), index.end());
    place[split] /= 2;
    const auto counter = state + static_cast<std::uint64_t>(offset_of(place, steps));
    draw.bits.push_back(
        three_fry(halves(counter), keys)[static_cast<std::size_t>(index[split] % 2)]);
  });
  Type half_type = type;
  half_type.shape = half;
  draw.state = {state + static_cast<std::uint64_t>(half_type.elements())};
  return draw;
}

Draw draw_philox(std::uint64_t key, std::array<std::uint64_t, 2> counter, const Type& type) {
  const auto count = static_cast<std::uint64_t>(type.elements());
  const bool wide = bits(type.element) == 64;
  const std::uint64_t blocks = wide ? (2 * count + 3) / 4 : (count + 3) / 4;
  const auto after = [&](std::uint64_t steps) -> std::array<std::uint64_t, 2> {
    const std::uint64_t low = counter[0] + steps;
    return {low, counter[1] + (low < counter[0] ? 1 : 0)};
  };
  Draw draw;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const auto at = after(block);
    const Pair low = halves(at[0]), high = halves(at[1]);
    const Quad out = philox({low[0], low[1], high[0], high[1]}, halves(key));
    if (wide) {
      draw.bits.push_back(joined(out[0], out[1]));
      draw.bits.push_back(joined(out[2], out[3]));
    } else {
      draw.bits.insert(draw.bits.end(), out.begin(), out.end());
    }
  }
  draw.bits.resize(count);
  const auto end = after(blocks);
  draw.state = {end[0], end[1]};
  return draw;
}

// The state as 64-bit words: given as such, or as pairs of 32-bit words, the lower one first.
std::vector<std::uint64_t> state_words(const Value& state) {
  std::vector<std::uint64_t> words(state.bytes->size() / 8);
  if (!words.empty()) std::memcpy(words.data(), state.bytes->data(), words.size() * 8);
  return words;
}

Value from_patterns(const Type& type, const std::vector<std::uint64_t>& patterns) {
  const auto size = static_cast<std::size_t>(size_in_bytes(type.element));
  Content bytes(patterns.size() * size);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::memcpy(bytes.data() + i * size, &patterns[i], size);
  }
  return make_value(type, std::move(bytes));
}

std::vector<Value> evaluate_bit_generator(const Evaluation& e) {
  const Type& type = e.results.at(1);
  std::vector<std::uint64_t> state = state_words(e.operand(0));
  e.require(state.size() >= 2 && state.size() <= 3 && bits(type.element) >= 8,
            "a state of two or three 64-bit words, numbers of whole bytes");
  Draw draw;
  if (e.op.text("rng_algorithm") == "THREE_FRY") {
    draw = draw_three_fry(state[0], state[1], type);
  } else {
    // XLA's CPU takes the key as the upper counter word of a state that has none.
    draw = draw_philox(state[0], {state[1], state.size() > 2 ? state[2] : state[0]}, type);
  }
  for (std::size_t i = 1; i < state.size(); ++i) {
    if (i - 1 < draw.state.size()) state[i] = draw.state[i - 1];
  }
  Content bytes(e.operand(0).bytes->size());
  std::memcpy(bytes.data(), state.data(), bytes.size());
  return {make_value(e.results[0], std::move(bytes)), from_patterns(type, draw.bits)};
}

constexpr std::uint64_t fixed_key = 0x5EED;

Value evaluate_rng(const Evaluation& e) {
  Type words = e.result();
  words.element = ElementType::u64;
  const std::vector<std::uint64_t> drawn = draw_philox(fixed_key, {0, 0}, words).bits;
  const bool normal = e.op.text("rng_distribution") == "NORMAL";
  if (!is_float(e.result().element)) {
    const std::int64_t low = integers_in(e.operand(0)).at(0),
                       high = integers_in(e.operand(1)).at(0);
    e.require(low < high && !normal, "uniform integers between a and a greater b");
    std::vector<std::int64_t> all;
    for (const std::uint64_t word : drawn) {
      const auto range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
      all.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + word % range));
    }
    return tensor_of(e.result(), all);
  }
  const double a = numbers<double>(e.operand(0)).at(0), b = numbers<double>(e.operand(1)).at(0);
  std::vector<double> all;
  for (const std::uint64_t word : drawn) {
    const Pair parts = halves(word);
    const double first = std::ldexp(parts[0] + 0.5, -32), second = std::ldexp(parts[1], -32);
    const double gauss = std::sqrt(-2 * std::log(first)) * std::cos(2 * std::numbers::pi * second);
    all.push_back(normal ? a + b * gauss
                         : a + (b - a) * std::ldexp(static_cast<double>(word >> 11), -53));
  }
  return tensor_of(e.result(), all);
}

constexpr auto random_records = std::to_array<OpRecord>({
    {.kind = OpKind::rng,
     .name = "rng",
     .operands = {3, 3},
     .traits = {Trait::keeps_format},
     .vhlo = {"rng_distribution"},
     .verify = verify_rng,
     .evaluate = alone<evaluate_rng>},
    {.kind = OpKind::rng_bit_generator,
     .name = "rng_bit_generator",
     .operands = {1, 1},
     .results = {2, 2},
     .vhlo = {"rng_algorithm"},
     .verify = verify_rng_bit_generator,
     .evaluate = evaluate_bit_generator},
});

}  // namespace

std::span<const OpRecord> random_ops() { return random_records; }

}  // namespace trainyard::graph
