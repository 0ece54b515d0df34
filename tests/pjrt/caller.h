// Calls slots of the table as a framework does: by position, with a record of the caller's size.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "pjrt/api.h"

namespace trainyard::pjrt {

template <class Wanted, class... Arguments>
constexpr std::size_t place_in(const SlotTable<Arguments...>&) {
  std::size_t place = 0;
  static_cast<void>(((std::is_same_v<Wanted, Arguments> || (++place, false)) || ...));
  return place;
}
template <class Arguments>
constexpr std::size_t slot_of() {
  constexpr std::size_t place = place_in<Arguments>(slots);
  static_assert(place < slots.names.size());
  return place;
}

// What a call answered: ok, or a code and a message.
struct Answer {
  ErrorCode code = ErrorCode::ok;
  std::string message{};
};

template <class Arguments>
Answer call(Arguments& args) {
  args.header = {sizeof args, nullptr};
  Error* const error = api().functions[slot_of<Arguments>()](&args);
  if (error == nullptr) return {};
  ErrorGetCodeArgs code{.header = {sizeof code, nullptr}, .error = error, .code = ErrorCode::ok};
  api().functions[slot_of<ErrorGetCodeArgs>()](&code);
  ErrorMessageArgs message{
      .header = {sizeof message, nullptr}, .error = error, .message = nullptr, .message_size = 0};
  api().functions[slot_of<ErrorMessageArgs>()](&message);
  Answer answer{code.code, {message.message, message.message_size}};
  ErrorDestroyArgs destroy{.header = {sizeof destroy, nullptr}, .error = error};
  api().functions[slot_of<ErrorDestroyArgs>()](&destroy);
  return answer;
}

// The record after a call that must succeed.
template <class Arguments>
Arguments done(Arguments args) {
  const Answer answer = call(args);
  EXPECT_EQ(answer.code, ErrorCode::ok) << answer.message;
  return args;
}

// A client of the default machine, destroyed at the end of the test.
class ClientTest : public ::testing::Test {
 protected:
  ClientTest() : client_(done(ClientCreateArgs{}).client) {}
  ~ClientTest() override { done(ClientDestroyArgs{.header = {}, .client = client_}); }
  ClientTest(const ClientTest&) = delete;
  ClientTest& operator=(const ClientTest&) = delete;

  [[nodiscard]] Client* client() const { return client_; }
  [[nodiscard]] Device* device(std::size_t index) const {
    return done(ClientDevicesArgs{.header = {}, .client = client_, .devices = nullptr})
        .devices[index];
  }

 private:
  Client* client_;
};

}  // namespace trainyard::pjrt
