// Functions as one visitor of a variant: std::visit(Overloaded{[](A) {...}, [](B) {...}}, variant).
#pragma once

namespace trainyard::base {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace trainyard::base
