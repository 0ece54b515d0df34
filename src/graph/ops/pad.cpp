// pad: an operand with one value around its elements and between them.
#include <cstring>

#include "graph/ops/all.h"
#include "graph/ops/sizes.h"

namespace trainyard::graph {

namespace {

void verify_pad(OpCheck& c) {
  const Type &from = c.operand(0), &to = c.result();
  const std::size_t rank = from.shape.size();
  same_elements(c);
  c.require(is_scalar(c.operand(1)) && same_element(c.operand(1), c.result()),
            "what is put in is one element of the type");
  const Integers low = c.list("edge_padding_low"), high = c.list("edge_padding_high"),
                 interior = c.list("interior_padding");
  if (!c.require(low.size() == rank && high.size() == rank && interior.size() == rank &&
                     to.shape.size() == rank,
                 "there are paddings for each dimension"))
    return;
  for (std::size_t d = 0; d < rank; ++d) {
    if (!c.require(interior[d] >= 0, "interior padding is not negative")) return;
    if (from.shape[d] == dynamic_extent) continue;
    const WideInteger size = from.shape[d];
    const WideInteger inside = size == 0 ? 0 : size + (size - 1) * interior[d];
    const WideInteger padded = inside + low[d] + high[d];
    c.require(is_size(to.shape[d], padded), "the result has the operand's size and the paddings'");
  }
}

void verify_dynamic_pad(OpCheck& c) {
  for (const std::size_t i : {2U, 3U, 4U})
    c.require(is_shape(c.operand(i)), "paddings are lists of integers");
  c.require(c.result().shape.size() == c.operand(0).shape.size(), "the rank stays");
}

Value padded(const Evaluation& e, const Shape& low, const Shape& interior) {
  const Value& operand = e.operand(0);
  const auto size = static_cast<std::size_t>(size_in_bytes(e.result().element));
  const Shape steps = row_major_steps(e.result().shape);
  Content bytes(static_cast<std::size_t>(e.result().bytes()));
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::memcpy(bytes.data() + at, e.operand(1).bytes->data(), size);
  }
  std::size_t from = 0;
  for_each_index(operand.shape(), [&](Index index) {
    std::int64_t to = 0;
    bool inside = true;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t place = low[d] + index[d] * (interior[d] + 1);
      inside = inside && place >= 0 && place < e.result().shape[d];
      to += place * steps[d];
    }
    if (inside) {
      std::memcpy(bytes.data() + static_cast<std::size_t>(to) * size, operand.bytes->data() + from,
                  size);
    }
    from += size;
  });
  return make_value(e.result(), std::move(bytes));
}

Value evaluate_pad(const Evaluation& e) {
  return padded(e, e.list("edge_padding_low"), e.list("interior_padding"));
}
Value evaluate_dynamic_pad(const Evaluation& e) {
  e.require(e.result().is_static(), "a result of static shape");
  return padded(e, integers_in(e.operand(2)), integers_in(e.operand(4)));
}

bool factors_of_pad(Making& make) {
  const Op& op = make.op();
  make.along(1, [&](std::size_t d) {
    return op.integers("edge_padding_low")[d] == 0 && op.integers("edge_padding_high")[d] == 0 &&
           op.integers("interior_padding")[d] == 0;
  });
  return true;
}

constexpr auto pad_records = std::to_array<OpRecord>({
    {.kind = OpKind::dynamic_pad,
     .name = "dynamic_pad",
     .operands = {5, 5},
     .verify = verify_dynamic_pad,
     .evaluate = alone<evaluate_dynamic_pad>},
    {.kind = OpKind::pad,
     .name = "pad",
     .operands = {2, 2},
     .traits = {Trait::move},
     .vhlo = {"edge_padding_high edge_padding_low interior_padding"},
     .verify = verify_pad,
     .evaluate = alone<evaluate_pad>,
     .factors = factors_of_pad},
});

}  // namespace

std::span<const OpRecord> pad_ops() { return pad_records; }

}  // namespace trainyard::graph
