// Do arrays come back as they went, in every layout, and is their memory counted?
#include <array>
#include <numeric>
#include <vector>

#include "caller.h"

namespace trainyard::pjrt {
namespace {

class Buffers : public ClientTest {
 protected:
  Buffer* put(const std::vector<std::int32_t>& data, const std::vector<std::int64_t>& shape,
              const std::vector<std::int64_t>& strides = {}) {
    const auto args = done(ClientBufferFromHostBufferArgs{.header = {},
                                                          .client = client(),
                                                          .data = data.data(),
                                                          .type = BufferType::s32,
                                                          .dims = shape.data(),
                                                          .num_dims = shape.size(),
                                                          .byte_strides = strides.data(),
                                                          .num_byte_strides = strides.size(),
                                                          .host_buffer_semantics = {},
                                                          .device = device(0)});
    done(EventDestroyArgs{.header = {}, .event = args.done_with_host_buffer});
    return args.buffer;
  }
  static std::vector<std::int32_t> get(Buffer* buffer, const MemoryLayout* layout = nullptr) {
    const std::size_t size =
        done(BufferToHostBufferArgs{.header = {}, .src = buffer, .host_layout = layout}).dst_size;
    std::vector<std::int32_t> data(size / sizeof(std::int32_t));
    const auto args = done(BufferToHostBufferArgs{
        .header = {}, .src = buffer, .host_layout = layout, .dst = data.data(), .dst_size = size});
    done(EventDestroyArgs{.header = {}, .event = args.event});
    return data;
  }
  static void destroy(Buffer* buffer) { done(BufferDestroyArgs{.header = {}, .buffer = buffer}); }
  [[nodiscard]] std::int64_t in_use() const {
    return done(DeviceMemoryStatsArgs{.header = {}, .device = device(0)}).bytes_in_use;
  }
};

TEST_F(Buffers, StridesOfTheHostAreFollowed) {
  const std::vector<std::int32_t> data{0, 1, 2, 3, 4, 5};
  Buffer* const transposed = put(data, {3, 2}, {4, 12});
  EXPECT_EQ(get(transposed), (std::vector<std::int32_t>{0, 3, 1, 4, 2, 5}));
  destroy(transposed);
  const std::vector<std::int32_t> one{7};
  Buffer* const repeated = put(one, {2, 2}, {0, 0});
  EXPECT_EQ(get(repeated), std::vector<std::int32_t>(4, 7));
  destroy(repeated);
}

TEST_F(Buffers, TheHostMayAskForAnotherOrder) {
  Buffer* const buffer = put({0, 1, 2, 3, 4, 5}, {2, 3});
  const std::array<std::int64_t, 2> order{0, 1};  // the first dimension is the fastest
  const MemoryLayout layout{.header = {},
                            .tiled = {.header = {},
                                      .minor_to_major = order.data(),
                                      .minor_to_major_size = 2,
                                      .tile_dims = nullptr,
                                      .tile_dim_sizes = nullptr,
                                      .num_tiles = 0},
                            .type = LayoutType::tiled};
  EXPECT_EQ(get(buffer, &layout), (std::vector<std::int32_t>{0, 3, 1, 4, 2, 5}));
  destroy(buffer);
}

TEST_F(Buffers, EmptyArraysAndNumbersGoThrough) {
  Buffer* const empty = put({}, {0, 3});
  EXPECT_TRUE(get(empty).empty());
  destroy(empty);
  Buffer* const number = put({42}, {});
  EXPECT_EQ(get(number), std::vector<std::int32_t>{42});
  destroy(number);
}

TEST_F(Buffers, MemoryIsCountedUntilTheBufferIsDeleted) {
  const std::int64_t before = in_use();
  Buffer* const buffer = put(std::vector<std::int32_t>(256), {256});
  EXPECT_EQ(in_use() - before, 4096);  // whole pages, as the runtime gives them
  done(BufferDeleteArgs{.header = {}, .buffer = buffer});
  EXPECT_EQ(in_use(), before);
  BufferToHostBufferArgs read{.header = {}, .src = buffer};
  const Answer answer = call(read);
  EXPECT_EQ(answer.code, ErrorCode::invalid_argument);
  EXPECT_NE(answer.message.find("deleted"), std::string::npos);
  destroy(buffer);
}

TEST_F(Buffers, OneLargerThanTheMemoryIsRefusedWithTheSizes) {
  const std::vector<std::int64_t> shape{1 << 20, 1 << 20};
  ClientCreateUninitializedBufferArgs args{.header = {},
                                           .client = client(),
                                           .shape_dims = shape.data(),
                                           .shape_num_dims = shape.size(),
                                           .shape_element_type = BufferType::f32,
                                           .shape_layout = nullptr,
                                           .device = device(0)};
  const Answer answer = call(args);
  EXPECT_EQ(answer.code, ErrorCode::resource_exhausted);
  EXPECT_NE(answer.message.find("4398046511104 bytes are asked for"), std::string::npos);
}

TEST_F(Buffers, CopiesStandOnTheirOwn) {
  Buffer* const buffer = put({1, 2, 3}, {3});
  Buffer* const copy =
      done(BufferCopyToDeviceArgs{.header = {}, .buffer = buffer, .dst_device = device(1)})
          .dst_buffer;
  destroy(buffer);
  EXPECT_EQ(get(copy), (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(done(BufferDeviceArgs{.header = {}, .buffer = copy}).device, device(1));
  destroy(copy);
}

TEST_F(Buffers, WhatIsNoArrayIsRefused) {
  const std::int64_t negative = -1;
  ClientBufferFromHostBufferArgs args{.header = {},
                                      .client = client(),
                                      .data = &negative,
                                      .type = BufferType::s32,
                                      .dims = &negative,
                                      .num_dims = 1,
                                      .byte_strides = nullptr,
                                      .num_byte_strides = 0,
                                      .host_buffer_semantics = {},
                                      .device = device(0)};
  EXPECT_EQ(call(args).code, ErrorCode::invalid_argument);
  args.type = BufferType::token;
  EXPECT_EQ(call(args).code, ErrorCode::unimplemented);
}

TEST_F(Buffers, PartsArriveInAnyOrder) {
  const std::int64_t extent = 4;
  const ShapeSpec spec{
      .header = {}, .dims = &extent, .num_dims = 1, .element_type = BufferType::s32};
  Memory* const memory =
      done(DeviceDefaultMemoryArgs{.header = {}, .device = device(0), .memory = nullptr}).memory;
  TransferManager* const manager =
      done(ClientCreateBuffersForAsyncHostToDeviceArgs{.header = {},
                                                       .client = client(),
                                                       .shape_specs = &spec,
                                                       .num_shape_specs = 1,
                                                       .device_layouts = nullptr,
                                                       .num_device_layouts = 0,
                                                       .memory = memory})
          .transfer_manager;
  const std::array<std::int32_t, 2> high{3, 4};
  const std::array<std::int32_t, 2> low{1, 2};
  const auto send = [&](const auto& part, std::int64_t offset, bool last) {
    const auto args = done(TransferManagerTransferDataArgs{.header = {},
                                                           .transfer_manager = manager,
                                                           .buffer_index = 0,
                                                           .data = part.data(),
                                                           .offset = offset,
                                                           .transfer_size = 8,
                                                           .is_last_transfer = last});
    done(EventDestroyArgs{.header = {}, .event = args.done_with_h2d_transfer});
  };
  TransferManagerRetrieveBufferArgs retrieve{
      .header = {}, .transfer_manager = manager, .buffer_index = 0};
  send(high, 8, false);
  EXPECT_EQ(call(retrieve).code, ErrorCode::failed_precondition);
  send(low, 0, true);
  ASSERT_EQ(call(retrieve).code, ErrorCode::ok);
  EXPECT_EQ(get(retrieve.buffer_out), (std::vector<std::int32_t>{1, 2, 3, 4}));
  destroy(retrieve.buffer_out);
  done(TransferManagerDestroyArgs{.header = {}, .transfer_manager = manager});
}

}  // namespace
}  // namespace trainyard::pjrt
