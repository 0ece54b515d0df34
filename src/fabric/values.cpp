#include "fabric/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "numerics/convert.h"

namespace trainyard::fabric {

namespace {

struct Range {
  std::size_t begin = 0, end = 0;  // elements of a buffer
};

// Where the pieces of each stripe lie in a buffer of `elements`.
class Layout {
 public:
  Layout(const Schedule& schedule, std::size_t elements)
      : elements_(elements), schedule_(schedule) {
    for (const Stripe& stripe : schedule.stripes) {
      total_ += stripe.weight;
      std::vector<std::size_t> rank_at(static_cast<std::size_t>(schedule.ranks));
      for (std::size_t r = 0; r < rank_at.size(); ++r)
        rank_at[stripe.place.empty() ? r : static_cast<std::size_t>(stripe.place[r])] = r;
      rank_at_.push_back(std::move(rank_at));
    }
  }

  [[nodiscard]] Range piece(std::size_t rank) const {
    const auto ranks = static_cast<std::size_t>(schedule_.ranks);
    return {elements_ * rank / ranks, elements_ * (rank + 1) / ranks};
  }
  // The part of a stripe in the piece at `place`.
  [[nodiscard]] Range part(std::size_t stripe, std::int32_t place) const {
    const Range whole = piece(rank_at_[stripe][static_cast<std::size_t>(place)]);
    double before = 0;
    for (std::size_t l = 0; l < stripe; ++l) before += schedule_.stripes[l].weight;
    const auto length = static_cast<double>(whole.end - whole.begin);
    const double after = before + schedule_.stripes[stripe].weight;
    const bool is_last = stripe + 1 == schedule_.stripes.size();
    return {whole.begin + static_cast<std::size_t>(length * before / total_),
            is_last ? whole.end : whole.begin + static_cast<std::size_t>(length * after / total_)};
  }

 private:
  std::size_t elements_;
  const Schedule& schedule_;
  double total_ = 0;
  std::vector<std::vector<std::size_t>> rank_at_;
};

class Execution {
 public:
  Execution(const Schedule& schedule, numerics::DType dtype, std::span<const Buffer> inputs,
            std::size_t elements)
      : schedule_(schedule),
        dtype_(dtype),
        size_(static_cast<std::size_t>(numerics::size_in_bytes(dtype))),
        layout_(schedule, elements),
        inputs_(inputs),
        work_(inputs.size(), Buffer(elements * size_)) {}

  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] std::vector<Buffer>& work() { return work_; }
  [[nodiscard]] std::span<std::byte> bytes(Buffer& buffer, Range range) const {
    return std::span(buffer).subspan(range.begin * size_, (range.end - range.begin) * size_);
  }

  void run() {
    for (const Phase& phase : schedule_.phases) {
      for (std::int32_t times = 0; times < phase.repeat; ++times) step(phase, times);
    }
  }

 private:
  struct Arrival {
    Transfer transfer;
    std::int32_t to = 0;
    Buffer data;
  };

  using Term = std::span<const std::byte>;

  // Everything is read before anything is written: transfers of one step do not see one another.
  void step(const Phase& phase, std::int32_t times) {
    std::vector<Arrival> arrivals;
    const auto everybody = [](std::int32_t) { return true; };
    for_each_transfer(phase, schedule_, everybody, [&](const Transfer& t) {
      Arrival arrival{t, moved(t.to, phase, times, schedule_.ranks), {}};
      const auto source = static_cast<std::size_t>(t.source);
      const Buffer& from = phase.from_input ? inputs_[source] : work_[source];
      for (std::int32_t i = 0; i < t.count; ++i) {
        const std::int32_t place = moved(t.first + i, phase, times, schedule_.ranks);
        const Range range = layout_.part(static_cast<std::size_t>(t.stripe), place);
        arrival.data.insert(arrival.data.end(),
                            from.begin() + static_cast<std::ptrdiff_t>(range.begin * size_),
                            from.begin() + static_cast<std::ptrdiff_t>(range.end * size_));
      }
      arrivals.push_back(std::move(arrival));
    });
    std::map<std::tuple<std::int32_t, std::int16_t, std::int32_t>, std::vector<Term>> sums;
    for (const Arrival& arrival : arrivals) {
      const Transfer& t = arrival.transfer;
      if (t.move != Move::add) {
        store(t, arrival.to, arrival.data);
        continue;
      }
      std::span<const std::byte> data = arrival.data;
      for (std::int32_t i = 0; i < t.count; ++i) {
        const std::int32_t place = (arrival.to + i) % schedule_.ranks;
        const Range range = layout_.part(static_cast<std::size_t>(t.stripe), place);
        const std::size_t size = (range.end - range.begin) * size_;
        base::check(data.size() >= size, "a term is as long as its sum");
        sums[{t.target, t.stripe, place}].push_back(data.first(size));
        data = data.subspan(size);
      }
    }
    for (const auto& [where, terms] : sums) {
      const auto [target, stripe, place] = where;
      add(bytes(work_[static_cast<std::size_t>(target)],
                layout_.part(static_cast<std::size_t>(stripe), place)),
          terms);
    }
  }

  // Pieces of different lengths may change places in an all-to-all; there they are of one length.
  void store(const Transfer& t, std::int32_t to, std::span<const std::byte> data) {
    for (std::int32_t i = 0; i < t.count; ++i) {
      const std::int32_t place = (to + i) % schedule_.ranks;
      const Range range = layout_.part(static_cast<std::size_t>(t.stripe), place);
      const auto target = bytes(work_[static_cast<std::size_t>(t.target)], range);
      base::check(data.size() >= target.size(), "a piece is as long as its place");
      std::ranges::copy(data.first(target.size()), target.begin());
      data = data.subspan(target.size());
    }
  }

  // To one piece, in the order of arrival, with one rounding.
  void add(std::span<std::byte> sum, std::span<const Term> terms) const {
    std::vector<float> total = floats(sum);
    for (const Term term : terms) {
      const std::vector<float> values = floats(term);
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += values[i];
    }
    numerics::narrow(dtype_, total.data(), sum.data(), total.size());
  }

  [[nodiscard]] std::vector<float> floats(std::span<const std::byte> data) const {
    std::vector<float> values(data.size() / size_);
    numerics::widen(dtype_, data.data(), values.data(), values.size());
    return values;
  }

  const Schedule& schedule_;
  numerics::DType dtype_;
  std::size_t size_;
  Layout layout_;
  std::span<const Buffer> inputs_;
  std::vector<Buffer> work_;
};

void check_inputs(const Schedule& schedule, CollectiveOp operation, std::size_t size,
                  std::span<const Buffer> inputs) {
  const auto refuse = [](std::string rule, std::string found, std::string fix) {
    throw base::InputError(
        {"fabric.values", std::move(rule), "", std::move(found), std::move(fix)});
  };
  if (inputs.size() != static_cast<std::size_t>(schedule.ranks)) {
    refuse("every rank of the group has an input", fmt::format("{}", inputs.size()),
           fmt::format("give {}", schedule.ranks));
  }
  for (const Buffer& input : inputs) {
    if (input.size() == inputs[0].size() && input.size() % size == 0) continue;
    refuse("inputs are of one length, in whole elements",
           fmt::format("{} and {} bytes", inputs[0].size(), input.size()), "pad them");
  }
  if (operation == CollectiveOp::all_to_all && inputs[0].size() / size % inputs.size() != 0) {
    refuse("each rank gets the same number of elements",
           fmt::format("{} elements for {} ranks", inputs[0].size() / size, inputs.size()),
           "pad the inputs");
  }
}

}  // namespace

std::vector<Buffer> execute(const Schedule& schedule, CollectiveOp operation, numerics::DType dtype,
                            std::span<const Buffer> inputs, std::int32_t root) {
  const auto size = static_cast<std::size_t>(numerics::size_in_bytes(dtype));
  check_inputs(schedule, operation, size, inputs);
  const bool gathers = operation == CollectiveOp::all_gather;
  const std::size_t elements = inputs[0].size() / size * (gathers ? inputs.size() : 1);
  Execution execution(schedule, dtype, inputs, elements);
  for (std::size_t r = 0; r < inputs.size(); ++r) {
    Buffer& work = execution.work()[r];
    const Range own = execution.layout().piece(r);
    const auto piece = execution.bytes(work, own);
    if (operation == CollectiveOp::all_reduce || operation == CollectiveOp::reduce_scatter)
      work = inputs[r];
    if (operation == CollectiveOp::broadcast && r == static_cast<std::size_t>(root))
      work = inputs[r];
    if (gathers) std::ranges::copy(inputs[r], piece.begin());
    if (operation == CollectiveOp::all_to_all)
      std::ranges::copy(std::span(inputs[r]).subspan(own.begin * size, piece.size()),
                        piece.begin());
  }
  execution.run();
  std::vector<Buffer> results = std::move(execution.work());
  if (operation != CollectiveOp::reduce_scatter) return results;
  for (std::size_t r = 0; r < results.size(); ++r) {
    const auto piece = execution.bytes(results[r], execution.layout().piece(r));
    results[r] = Buffer(piece.begin(), piece.end());
  }
  return results;
}

}  // namespace trainyard::fabric
