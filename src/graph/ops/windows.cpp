// reduce_window and select_and_scatter: windows that slide over an operand. Source: StableHLO
// specification.
#include <algorithm>

#include "graph/evaluate/folding.h"
#include "graph/evaluate/moves.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"
#include "graph/ops/sizes.h"

namespace trainyard::graph {

namespace {

struct WindowCheck {
  Integers sizes;
  std::vector<std::int64_t> strides, base, dilation, padding;

  WindowCheck(OpCheck& c, std::size_t rank)
      : sizes(c.list("window_dimensions")),
        strides(c.sized_list("window_strides", rank, 1)),
        base(c.sized_list("base_dilations", rank, 1)),
        dilation(c.sized_list("window_dilations", rank, 1)),
        padding(c.sized_list("padding", 2 * rank, 0)) {
    const auto positive = [](std::int64_t each) { return each >= 1; };
    c.require(sizes.size() == rank, "a window has a size for each dimension");
    c.require(std::ranges::all_of(sizes, positive) && std::ranges::all_of(strides, positive) &&
                  std::ranges::all_of(base, positive) && std::ranges::all_of(dilation, positive),
              "sizes, strides and dilations of a window are positive");
  }

  [[nodiscard]] bool makes(const Type& from, const Type& to) const {
    if (from.shape.size() != to.shape.size()) return false;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      if (from.shape[d] == dynamic_extent || to.shape[d] == dynamic_extent) continue;
      const WideInteger places =
          places_of_window(from.shape[d], base[d], padding[2 * d], padding[2 * d + 1], sizes[d],
                           dilation[d], strides[d]);
      if (places != to.shape[d]) return false;
    }
    return true;
  }
};

void verify_reduce_window(OpCheck& c) {
  const std::size_t inputs = inputs_and_initials(c);
  if (inputs == 0) return;
  const WindowCheck window(c, c.operand(0).shape.size());
  if (c.has_failed()) return;
  for (std::size_t i = 0; i < inputs; ++i)
    c.require(window.makes(c.operand(i), c.result(i)),
              "a result has an element for each place of the window");
}

void verify_select_and_scatter(OpCheck& c) {
  const Type &operand = c.operand(0), &source = c.operand(1), &initial = c.operand(2);
  c.require(same_shape(operand, c.result()), "the result has the shape of the operand");
  c.require(same_element(operand, source) && is_scalar(initial) && same_element(operand, initial),
            "source and initial value have the operand's element type");
  c.scalar_region(0, 2, 1);
  c.scalar_region(1, 2, 1);
  const WindowCheck window(c, operand.shape.size());
  if (c.has_failed()) return;
  c.require(window.makes(operand, source),
            "the source has an element for each place of the window");
}

// A window that slides over an operand: which element each of its places stands on.
class SlidingWindow {
 public:
  SlidingWindow(const Evaluation& e, const Shape& operand, bool dilated)
      : operand_(operand),
        steps_(row_major_steps(operand)),
        extents(e.list("window_dimensions")),
        strides_(e.list_or("window_strides", operand.size(), 1)),
        base_(dilated ? e.list_or("base_dilations", operand.size(), 1) : Shape(operand.size(), 1)),
        dilation_(dilated ? e.list_or("window_dilations", operand.size(), 1)
                          : Shape(operand.size(), 1)),
        padding_(e.list_or("padding", 2 * operand.size(), 0)) {
    e.require(extents.size() == operand.size() && strides_.size() == operand.size() &&
                  padding_.size() == 2 * operand.size() && base_.size() == operand.size() &&
                  dilation_.size() == operand.size(),
              "one window extent, stride and dilation, and two paddings a dimension");
  }

  // The element under place `at` of the window that makes element `out`; -1 in the padding.
  [[nodiscard]] std::int64_t element(Index out, Index at) const {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < operand_.size(); ++d) {
      const std::int64_t place = out[d] * strides_[d] + at[d] * dilation_[d] - padding_[2 * d];
      if (place < 0 || place % base_[d] != 0 || place / base_[d] >= operand_[d]) return -1;
      offset += place / base_[d] * steps_[d];
    }
    return offset;
  }

 private:
  Shape operand_, steps_;

 public:
  Shape extents;

 private:
  Shape strides_, base_, dilation_, padding_;
};

template <typename T>
Value folded_windows(const Evaluation& e, std::size_t input, const SlidingWindow& window,
                     OpKind kind) {
  const std::vector<T> all = numbers<T>(e.operand(input));
  const T initial = numbers<T>(e.operand(e.results.size() + input)).at(0);
  std::vector<T> sums;
  for_each_index(e.results[input].shape, [&](Index out) {
    T sum = initial;
    for_each_index(window.extents, [&](Index at) {
      const std::int64_t element = window.element(out, at);
      sum = fold(kind, sum, element < 0 ? initial : all[static_cast<std::size_t>(element)]);
    });
    sums.push_back(sum);
  });
  return tensor_of(e.results[input], sums);
}

std::vector<Value> evaluate_reduce_window(const Evaluation& e) {
  const std::size_t inputs = e.operands.size() / 2;
  const SlidingWindow window(e, e.operand(0).shape(), true);
  const Region& body = e.op.regions.at(0);
  const auto numbers_folded = [&](auto zero, std::size_t i, OpKind kind) {
    return folded_windows<decltype(zero)>(e, i, window, kind);
  };
  if (auto results = folded_results(e, body, numbers_folded)) return *std::move(results);
  std::vector<Content> made;
  for (const Type& type : e.results) made.emplace_back(static_cast<std::size_t>(type.bytes()));
  std::int64_t to = 0;
  for_each_index(e.result().shape, [&](Index out) {
    std::vector<Value> sum(e.operands.begin() + static_cast<std::ptrdiff_t>(inputs),
                           e.operands.end());
    for_each_index(window.extents, [&](Index at) {
      const std::int64_t from = window.element(out, at);
      std::vector<Value> arguments = sum;
      for (std::size_t i = 0; i < inputs; ++i) {
        arguments.push_back(from < 0 ? e.operand(inputs + i) : scalar_at(e.operand(i), from));
      }
      sum = e.evaluator.run(body, arguments);
    });
    for (std::size_t i = 0; i < inputs; ++i) put_scalar(sum.at(i), made[i], to);
    ++to;
  });
  return results_of(e, std::move(made));
}

// Calls action(element of the operand that its window selects, element of the source).
template <typename Action>
void for_each_selected(const Evaluation& e, Action action) {
  const Value &operand = e.operand(0), &source = e.operand(1);
  const SlidingWindow window(e, operand.shape(), false);
  std::int64_t from = 0;
  for_each_index(source.shape(), [&](Index out) {
    std::int64_t selected = -1;
    for_each_index(window.extents, [&](Index at) {
      const std::int64_t element = window.element(out, at);
      if (element < 0) return;
      const bool keeps =
          selected >= 0 &&
          truth_of(e.evaluator
                       .run(e.op.regions.at(0), std::vector<Value>{scalar_at(operand, selected),
                                                                   scalar_at(operand, element)})
                       .at(0));
      if (!keeps) selected = element;
    });
    if (selected >= 0) action(selected, from);
    ++from;
  });
}

template <typename T>
Value folded_selection(const Evaluation& e, OpKind kind) {
  const std::vector<T> source = numbers<T>(e.operand(1));
  std::vector<T> into(static_cast<std::size_t>(e.result().elements()),
                      numbers<T>(e.operand(2)).at(0));
  for_each_selected(e, [&](std::int64_t to, std::int64_t from) {
    T& value = into[static_cast<std::size_t>(to)];
    value = fold(kind, value, source[static_cast<std::size_t>(from)]);
  });
  return tensor_of(e.result(), into);
}

Value evaluate_select_and_scatter(const Evaluation& e) {
  const auto kinds = simple_folds(e.op.regions.at(1));
  if (kinds && folds_numbers(e)) {
    return with_number_of(e.result().element, [&](auto zero) {
      return folded_selection<decltype(zero)>(e, kinds->front());
    });
  }
  Content bytes;
  for (std::int64_t left = e.result().elements(); left > 0; --left) {
    bytes.insert(bytes.end(), e.operand(2).bytes->begin(), e.operand(2).bytes->end());
  }
  for_each_selected(e, [&](std::int64_t to, std::int64_t from) {
    const std::vector<Value> arguments{scalar_of(bytes, e.result().element, to),
                                       scalar_at(e.operand(1), from)};
    put_scalar(e.evaluator.run(e.op.regions.at(1), arguments).at(0), bytes, to);
  });
  return make_value(e.result(), std::move(bytes));
}

// Whether windows are single elements along the dimension.
bool is_pointwise(const Op& op, std::size_t d) {
  const auto is_one = [&](std::string_view name) {
    return op.find(name) == nullptr || op.integers(name)[d] == 1;
  };
  const bool has_no_edge =
      op.find("padding") == nullptr ||
      (op.integers("padding")[2 * d] == 0 && op.integers("padding")[2 * d + 1] == 0);
  return has_no_edge && is_one("window_dimensions") && is_one("window_strides") &&
         is_one("window_dilations") && is_one("base_dilations");
}

bool factors_of_windows(Making& make, std::size_t count) {
  make.along(count, [&](std::size_t d) { return is_pointwise(make.op(), d); });
  return true;
}
bool factors_of_reduce_window(Making& make) {
  return factors_of_windows(make, make.op().operands.size() / 2);
}
bool factors_of_select_and_scatter(Making& make) { return factors_of_windows(make, 2); }

void complete_select_and_scatter(Op& op) {
  constexpr std::string_view like = "window_dimensions";
  add_filled(op, "window_strides", like, 1);
  add_filled(op, "padding", like, 0, 2);
}
void complete_reduce_window(Op& op) {
  complete_select_and_scatter(op);
  add_filled(op, "base_dilations", "window_dimensions", 1);
  add_filled(op, "window_dilations", "window_dimensions", 1);
}

constexpr auto windows_records = std::to_array<OpRecord>({
    {.kind = OpKind::reduce_window,
     .name = "reduce_window",
     .operands = {2, many},
     .results = {1, many},
     .regions = {1, 1},
     .vhlo = {"base_dilations padding window_dilations window_dimensions window_strides"},
     .complete = complete_reduce_window,
     .verify = verify_reduce_window,
     .evaluate = evaluate_reduce_window,
     .factors = factors_of_reduce_window},
    {.kind = OpKind::select_and_scatter,
     .name = "select_and_scatter",
     .operands = {3, 3},
     .regions = {2, 2},
     .vhlo = {"padding window_dimensions window_strides"},
     .complete = complete_select_and_scatter,
     .verify = verify_select_and_scatter,
     .evaluate = alone<evaluate_select_and_scatter>,
     .factors = factors_of_select_and_scatter},
});

}  // namespace

std::span<const OpRecord> windows_ops() { return windows_records; }

}  // namespace trainyard::graph
