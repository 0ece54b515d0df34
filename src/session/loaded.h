// What a step of a model became in the session.
#pragma once

#include <memory>
#include <vector>

#include "session/model.h"

namespace trainyard::session {

struct Model::Loaded {
  const compiler::ProgramStep* step = nullptr;
  std::vector<std::shared_ptr<Instance>> instances;  // of each core
  std::vector<Tensor> written;                       // what its inputs hold already
  bool is_again = false;                             // an equal layer's programs came before
};

}  // namespace trainyard::session
