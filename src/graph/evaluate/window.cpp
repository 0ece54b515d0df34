// reduce_window and select_and_scatter. Source: StableHLO specification.
#include <algorithm>

#include "graph/evaluate/evaluator.h"
#include "graph/evaluate/moves.h"

namespace trainyard::graph {

namespace {

// A window that slides over an operand: which element each of its places stands on.
class Window {
 public:
  Window(const Evaluation& e, const Shape& operand, bool dilated)
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
Value folded(const Evaluation& e, std::size_t input, const Window& window, OpKind kind) {
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

std::vector<Value> reduce_window(const Evaluation& e) {
  const std::size_t inputs = e.operands.size() / 2;
  const Window window(e, e.operand(0).shape(), true);
  const Region& body = e.op.regions.at(0);
  const auto kinds = simple_folds(body);
  if (kinds && folds_numbers(e)) {
    std::vector<Value> results;
    for (std::size_t i = 0; i < inputs; ++i) {
      results.push_back(with_number_of(e.results[i].element, [&](auto zero) {
        return folded<decltype(zero)>(e, i, window, (*kinds)[i]);
      }));
    }
    return results;
  }
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
  std::vector<Value> results;
  for (std::size_t i = 0; i < inputs; ++i) {
    results.push_back(make_value(e.results[i], std::move(made[i])));
  }
  return results;
}

// Calls action(element of the operand that its window selects, element of the source).
template <typename Action>
void for_each_selected(const Evaluation& e, Action action) {
  const Value &operand = e.operand(0), &source = e.operand(1);
  const Window window(e, operand.shape(), false);
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

Value select_and_scatter(const Evaluation& e) {
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

}  // namespace

Results evaluate_window(const Evaluation& e) {
  if (e.op.kind == OpKind::reduce_window) return reduce_window(e);
  if (e.op.kind == OpKind::select_and_scatter) return std::vector<Value>{select_and_scatter(e)};
  return std::nullopt;
}

}  // namespace trainyard::graph
