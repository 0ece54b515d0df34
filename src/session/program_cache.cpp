#include "session/program_cache.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "isa/forms/binary.h"
#include "isa/rules/validate.h"

namespace trainyard::session {

namespace {

std::uint64_t key_of(const isa::Program& kernel, const machine::Machine& machine,
                     const compiler::Options& options) {
  // A damaged program has no binary form.
  if (std::vector<base::Violation> broken = isa::program_violations(kernel, machine.core);
      !broken.empty())
    throw base::InputError(std::move(broken));
  std::uint64_t key = base::hash_combine(isa::binary_hash(kernel), machine.hash());
  for (const auto part :
       {static_cast<std::uint64_t>(options.order), static_cast<std::uint64_t>(options.rewrite),
        static_cast<std::uint64_t>(options.allow_overlap)})
    key = base::hash_combine(key, part);
  return key;
}

}  // namespace

ProgramCache::Body& ProgramCache::find(std::uint64_t key, const isa::Program& kernel,
                                       const machine::Machine& machine) {
  Body& body = bodies_[key];
  if (body == nullptr && kept_ != nullptr) {
    if (auto found = kept_->find(key, kernel, machine.core))
      body = std::make_shared<const Ordered>(*std::move(found));
  }
  return body;
}

void ProgramCache::keep(CompiledCode& code) const {
  for (const auto& [key, body] : bodies_) {
    if (body != nullptr) code.add(key, *body);
  }
}

ProgramCache::Body ProgramCache::compile(isa::Program kernel, const machine::Machine& machine,
                                         const compiler::Options& options) {
  Body& body = find(key_of(kernel, machine, options), kernel, machine);
  if (body == nullptr)
    body = std::make_shared<const Ordered>(ordered(std::move(kernel), machine, options));
  return body;
}

std::vector<ProgramCache::Body> ProgramCache::compile_grid(std::vector<isa::Program> kernels,
                                                           const machine::Machine& machine,
                                                           const compiler::Options& options) {
  std::vector<Body> grid;
  if (kernels.size() == 1 || std::ranges::none_of(kernels, meets_others)) {
    for (isa::Program& kernel : kernels)
      grid.push_back(compile(std::move(kernel), machine, options));
    return grid;
  }
  // How a kernel is ordered depends on whom it meets, and in which place.
  std::uint64_t of_all = base::hash_seed;
  for (const isa::Program& kernel : kernels)
    of_all = base::hash_combine(of_all, key_of(kernel, machine, options));
  std::vector<std::uint64_t> keys;
  for (std::size_t k = 0; k < kernels.size(); ++k)
    keys.push_back(base::hash_combine(of_all, k + 1));
  bool is_known = true;
  for (std::size_t k = 0; k < keys.size(); ++k)
    is_known = find(keys[k], kernels[k], machine) != nullptr && is_known;
  if (!is_known) {
    std::vector<Ordered> made = ordered_grid(std::move(kernels), machine, options);
    for (std::size_t k = 0; k < keys.size(); ++k)
      bodies_[keys[k]] = std::make_shared<const Ordered>(std::move(made[k]));
  }
  for (const std::uint64_t key : keys) grid.push_back(bodies_.at(key));
  return grid;
}

}  // namespace trainyard::session
