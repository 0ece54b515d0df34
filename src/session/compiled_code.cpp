#include "session/compiled_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/build_id.h"
#include "base/bytes.h"
#include "base/error.h"
#include "isa/forms/binary.h"
#include "isa/rules/validate.h"

namespace trainyard::session {

namespace {

constexpr base::ByteFormat format{
    .label = "session.compiled_code",
    .rule = "compiled code holds programs of this build, by the kernels they were compiled from",
    .fix = "clear the compilation cache; the model is compiled again",
};
constexpr std::string_view place = "compiled code";

bool is_outside(const isa::Tensor& tensor) { return tensor.space == isa::Space::hbm; }

bool is_same(const isa::Tensor& a, const isa::Tensor& b) {
  return a.space == b.space && a.role == b.role && a.shared == b.shared && a.dtype == b.dtype &&
         a.shape == b.shape && a.constant == b.constant;
}

// Who runs the program knows its tensors in HBM by their numbers in the kernel.
void check_tensors(const isa::Program& program, const isa::Program& kernel) {
  std::size_t outside = 0;
  for (isa::TensorId t = 0; t < kernel.tensors.size(); ++t) {
    if (!is_outside(kernel.tensors[t])) continue;
    ++outside;
    if (t < program.tensors.size() && is_same(program.tensors[t], kernel.tensors[t])) continue;
    throw base::InputError({std::string(format.label), std::string(format.rule), kernel.name,
                            fmt::format("another tensor than '{}'", kernel.tensors[t].name),
                            std::string(format.fix)});
  }
  if (std::ranges::count_if(program.tensors, is_outside) != static_cast<std::ptrdiff_t>(outside))
    throw base::InputError({std::string(format.label), std::string(format.rule), kernel.name,
                            "other tensors in HBM", std::string(format.fix)});
}

}  // namespace

std::string CompiledCode::context_of(std::string_view rest) {
  const std::string build = base::build_id();
  return build.empty() ? "" : fmt::format("{};{}", build, rest);
}

CompiledCode CompiledCode::read(std::string_view bytes) {
  base::ByteReader in(bytes, place, format);
  CompiledCode code;
  code.context = in.string();
  code.cores = static_cast<int>(in.varint_at_most(2, "cores"));
  code.in_halves = in.varint_at_most(1, "a flag") == 1;
  code.resident_percent = static_cast<std::int64_t>(in.varint_at_most(100, "a share of SBUF"));
  for (std::size_t left = in.count(1, "programs"); left > 0; --left) {
    const std::uint64_t key = in.fixed64();
    Entry entry{.order = std::string(in.text())};
    if (in.varint_at_most(1, "a flag") == 1) {
      entry.as_written_time.emplace(static_cast<std::int64_t>(
          in.varint_at_most(std::numeric_limits<std::int64_t>::max(), "a time")));
    }
    entry.program = in.string();
    if (!code.entries_.emplace(key, std::move(entry)).second) in.malformed("a kernel twice");
  }
  in.expect_end();
  return code;
}

std::string CompiledCode::write() const {
  std::string out;
  base::put_string(out, context);
  base::put_varint(out, static_cast<std::uint64_t>(cores));
  base::put_varint(out, in_halves ? 1 : 0);
  base::put_varint(out, static_cast<std::uint64_t>(resident_percent));
  base::put_varint(out, entries_.size());
  for (const auto& [key, entry] : entries_) {
    base::put_fixed64(out, key);
    base::put_string(out, entry.order);
    base::put_varint(out, entry.as_written_time ? 1 : 0);
    if (entry.as_written_time)
      base::put_varint(out, static_cast<std::uint64_t>(entry.as_written_time->value));
    base::put_string(out, entry.program);
  }
  return out;
}

void CompiledCode::add(std::uint64_t key, const Ordered& ordered) {
  entries_[key] = {ordered.order, ordered.as_written_time, isa::to_binary(ordered.program)};
}

std::optional<Ordered> CompiledCode::find(std::uint64_t key, const isa::Program& kernel,
                                          const machine::Core& core) const {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return std::nullopt;
  const Entry& entry = found->second;
  Ordered ordered{.program = isa::from_binary(entry.program, place),
                  .order = entry.order,
                  .as_written_time = entry.as_written_time};
  if (!ordered.program.compiled) {
    throw base::InputError({std::string(format.label), std::string(format.rule), kernel.name,
                            "a program that is not compiled", std::string(format.fix)});
  }
  check_tensors(ordered.program, kernel);
  isa::validate(ordered.program, core);
  return ordered;
}

}  // namespace trainyard::session
