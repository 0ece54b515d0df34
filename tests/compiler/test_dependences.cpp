// Does an instruction depend on the earlier ones it shares bytes with, and on no more?
#include "compiler/dependences.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "isa/instructions/tensor_copy.h"
#include "isa/view.h"

namespace trainyard::compiler {
namespace {

// Copies between SBUF tensors at chosen addresses, dependences found as after allocation.
class Copies {
 public:
  isa::TensorId tensor(std::int64_t address, std::int64_t columns, std::int64_t partitions = 128) {
    isa::Tensor tensor;
    tensor.space = isa::Space::sbuf;
    tensor.dtype = numerics::DType::float32;
    tensor.shape = {partitions, columns};
    tensor.address = address;
    program_.tensors.push_back(tensor);
    return static_cast<isa::TensorId>(program_.tensors.size() - 1);
  }
  std::uint32_t copy(isa::TensorId dst, isa::TensorId src) {
    return program_.append(isa::TensorCopy{.dst = tile(dst), .src = tile(src)},
                           isa::Engine::vector);
  }
  // The producers of each instruction.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> producers() {
    program_.compiled = true;
    DependenceTracker tracker(program_);
    std::vector<std::vector<std::uint32_t>> found(program_.instructions.size());
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      for (const Dependence& d : tracker.next(i)) found[i].push_back(d.producer);
    }
    return found;
  }

 private:
  [[nodiscard]] isa::Tile tile(isa::TensorId id) const {
    isa::Tile tile = isa::tile_of(isa::view_of(program_, id));
    tile.offset += program_.tensors[id].address;
    return tile;
  }
  isa::Program program_;
};

using Producers = std::vector<std::uint32_t>;

TEST(Dependences, TensorsThatShareBytesSeeEachOther) {
  Copies k;
  const isa::TensorId source = k.tensor(65536, 256), sink = k.tensor(131072, 256);
  const isa::TensorId whole = k.tensor(0, 256), front = k.tensor(0, 256, 64);
  const std::uint32_t first = k.copy(whole, source);
  const std::uint32_t second = k.copy(front, source);
  const std::uint32_t read = k.copy(sink, whole);
  const std::uint32_t third = k.copy(whole, source);
  const auto found = k.producers();
  EXPECT_EQ(found[second], Producers{first});
  EXPECT_EQ(found[read], (Producers{first, second}));
  EXPECT_EQ(found[third], (Producers{first, second, read}));
}

TEST(Dependences, APlaceRemembersItsLastWriterOnly) {
  Copies k;
  const isa::TensorId source = k.tensor(131072, 8192);
  std::int64_t at = 0;
  // Round and round in 64 KiB with tensors of changing size, so that hardly two lie alike.
  for (std::int64_t i = 0; i < 2000; ++i) {
    const std::int64_t columns = 16 + i * 37 % 977;
    if (at + columns * 4 > 65536) at = 0;
    const isa::TensorId next = k.tensor(at, columns, i % 3 == 0 ? 64 : 128);
    k.copy(next, source);
    at += columns * 4;
  }
  std::size_t most = 0;
  for (const Producers& producers : k.producers()) most = std::max(most, producers.size());
  EXPECT_LT(most, 16u) << "an older writer was overwritten since";
}

}  // namespace
}  // namespace trainyard::compiler
