// One program under construction: the values of the operations lowered so far, each of them lying
// in HBM, known as one number, or not computed yet because its only reader may compute it on the
// way (fusion).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/lowering/emit/emitter.h"
#include "compiler/lowering/emit/strided.h"
#include "compiler/lowering/values/residents.h"
#include "graph/module.h"

namespace trainyard::compiler {

using NodeId = std::uint32_t;

// Of a product's right operand only M of every N elements along the depth are stored.
struct Sparsity {
  Strided tags;  // [columns / 4, stored depth]: words of four
  isa::IntPair pattern;
};

// Of a convolution: windows that slide over an image, along its height and its width. `apart`: so
// far lie its elements from each other, with nothing between them.
struct Slides {
  struct Along {
    std::int64_t taps = 1, windows = 1, stride = 1, low = 0, dilation = 1, apart = 1;
  };
  std::array<Along, 2> along;
  // A feature meets the channels of its own group.
  std::int64_t groups = 1;
  // Where the result has its features, its batch, and what the image has two of.
  std::vector<std::int64_t> order;
};

// Which of many matrices each batch of a product multiplies: it begins list[batches...] * step
// elements further on, known when the program runs.
struct Chosen {
  Strided list;  // s32, in HBM, from 0 to last
  std::int64_t last = 0, step = 0;
};

// A batched product of matrices: [batches..., rows..., depths...] by [batches..., columns...,
// depths...] gives [batches..., rows..., columns...].
struct Product {
  Strided left, right;
  std::size_t batches = 0, rows = 0,
              columns = 0;  // how many dimensions are each; the rest is depth
  // In MX blocks along the one dimension of depth: the operands are quantised, or, with scales
  // [batches..., rows or columns..., depths / 32], of an MX format already.
  bool in_blocks = false;
  std::optional<Strided> left_scale{}, right_scale{};
  std::optional<Sparsity> sparsity{};
  // The left operand is a kernel [features, height, width, channels], the right one an image
  // [batch, height, width, channels].
  std::optional<Slides> slides{};
  std::optional<Chosen> chosen{};  // of the right operand, whose batches are at step 0
  ValueLayout layout{};            // of its value, or of what is computed behind it

  // Of operands as they are.
  [[nodiscard]] bool is_plain() const { return !in_blocks && !sparsity && !slides && !chosen; }
};

struct Node {
  enum class Kind : std::uint8_t { view, number, elementwise, joined, product };
  Kind kind = Kind::view;
  graph::Type type;
  graph::LocationId location = 0;
  Strided view{};                         // of a view
  double number = 0;                      // of a number: on every element
  const graph::Op* op = nullptr;          // of an elementwise operation
  std::vector<graph::Type> types{};       // likewise: of its operands, then of its result
  std::vector<NodeId> inputs{};           // likewise, and of values joined
  std::size_t dim = 0;                    // of values joined: they follow each other along it
  Product product{};                      // of a product
  std::optional<graph::ValueId> value{};  // of the tensor program, where it is one
};

class Segment;
// How values are computed that lie nowhere yet, with all that is fused into them.
struct Computing {
  Strided (*somewhere)(Segment&, NodeId);  // tells where
  void (*into)(Segment&, NodeId, const Strided& to);
};

class Segment {
 public:
  // `resident_bytes`: of each partition, what values between groups may take.
  Segment(const graph::Module& module, const machine::Core& core, std::string name,
          std::int64_t resident_bytes, int cores, const Computing& computing)
      : emitter_(module, core, std::move(name), cores),
        residents_(emitter_, resident_bytes),
        computing_(computing) {}
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;

  [[nodiscard]] Emitter& emitter() { return emitter_; }
  [[nodiscard]] const Emitter& emitter() const { return emitter_; }
  [[nodiscard]] Residents& residents() { return residents_; }
  [[nodiscard]] const Residents& residents() const { return residents_; }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_.at(id); }

  [[nodiscard]] NodeId add(Node node);
  // The node is that value of the tensor program.
  void hold(NodeId id, graph::ValueId value) { nodes_.at(id).value = value; }
  [[nodiscard]] NodeId add_view(graph::Type type, Strided view);
  // A new HBM tensor with that content.
  [[nodiscard]] NodeId add_constant(const graph::Literal& literal);

  // The value computed, now where it is not yet: on chip or in HBM.
  const Strided& placed(NodeId id);
  // It has been computed there.
  void set_place(NodeId id, Strided place);
  // The same, and in HBM.
  const Strided& stored(NodeId id);
  // The same without gaps and repetitions, in row-major order.
  const Strided& stored_dense(NodeId id);
  // Where each input of values joined lies in a place of their shape.
  [[nodiscard]] std::vector<Strided> parts_of(NodeId id, const Strided& whole) const;
  // Computes the value straight into a place in HBM of its shape.
  void store(NodeId id, const Strided& to);
  // Whether it is a value of the program in a wider format. It is not computed for its own sake,
  // however many read it: engines widen what they read.
  [[nodiscard]] bool is_widened_view(NodeId id) const;
  // Whether the value, or one that it is computed from, is one that `is` asks for.
  [[nodiscard]] bool reaches(NodeId id, const std::function<bool(const Node&)>& is) const;
  // Adds the tensors that the value lies in, or is computed from.
  void add_tensors(NodeId id, std::set<isa::TensorId>& tensors) const;

  // What is known of the values so far, and back to it: what a loop has found out of them holds in
  // its body.
  [[nodiscard]] std::vector<Node> known() const { return nodes_; }
  void know_again(std::vector<Node> known);

 private:
  Emitter emitter_;
  Residents residents_;
  const Computing& computing_;
  std::vector<Node> nodes_;
};

}  // namespace trainyard::compiler
