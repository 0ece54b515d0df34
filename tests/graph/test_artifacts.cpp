// Does each artifact of tests/fuzz/corpus/artifact give the module of the text beside its name in
// tests/graph/artifacts, which jaxlib printed of it, with all attributes, types and places?
// tests/graph/write_corpus.py writes both.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "graph/artifact.h"
#include "graph/print.h"
#include "graph/text.h"

namespace trainyard::graph {
namespace {

const std::filesystem::path tests = std::filesystem::path(TRAINYARD_SOURCE_DIR) / "tests";
const std::filesystem::path texts = tests / "graph/artifacts";

std::span<const std::byte> bytes_of(const std::string& content) {
  return std::as_bytes(std::span(content));
}

std::string read_artifact_file(const std::string& name) {
  return base::read_file(tests / "fuzz/corpus/artifact" / (name + ".bc"));
}

class Artifact : public testing::TestWithParam<std::string> {};

TEST_P(Artifact, IsTheProgramOfItsText) {
  const std::string content = read_artifact_file(GetParam());
  ASSERT_TRUE(is_artifact(bytes_of(content)));
  const Module module = read_program(bytes_of(content), "artifact");
  const Module wanted = read_text(base::read_file(texts / (GetParam() + ".mlir")));
  const PrintOptions options{.locations = true};
  EXPECT_EQ(print(module, options), print(wanted, options));
  EXPECT_EQ(print(read_text(print(module, options)), options), print(module, options));
}

TEST_P(Artifact, IsRefusedWhereverItEnds) {
  const std::string content = read_artifact_file(GetParam());
  for (std::size_t size = 0; size < content.size(); size += 1 + content.size() / 40)
    EXPECT_THROW(static_cast<void>(read_artifact(bytes_of(content).first(size))), base::InputError)
        << size << " bytes";
}

std::vector<std::string> artifact_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(texts))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Artifacts, Artifact, testing::ValuesIn(artifact_names()),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace trainyard::graph
