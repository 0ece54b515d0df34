// Where components of the same floor meet: one sends requests into a port, another one answers
// them. Neither knows the other's type; whoever builds the system joins them.
#pragma once

namespace trainyard::events {

template <typename Request>
class Port {
 public:
  Port() = default;
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;
  virtual void send(const Request& request) = 0;

 protected:
  ~Port() = default;
};

}  // namespace trainyard::events
