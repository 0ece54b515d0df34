// Do shardings say which device has which part, also along parts of an axis?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "graph/sharding.h"

namespace trainyard::graph {
namespace {

using ::testing::ElementsAre;

Attribute axis(std::string name, std::int64_t size) {
  return {AttributeList{{Attribute{std::move(name)}, Attribute{size}}}};
}

// One mesh of 2 x 12 devices.
Meshes two_axes() {
  Module module;
  const Attribute axes{AttributeList{{axis("a", 2), axis("b", 12)}}};
  module.attributes.push_back({"sdy.mesh.mesh", {Dictionary{{"axes", axes}}}});
  return meshes_of(module);
}

Sharding read(const std::string& dims) {
  return read_sharding("#sdy.sharding<@mesh, [" + dims + "]>", two_axes(), "here");
}

TEST(Sharding, AnAxisIsItsPrimeFactors) {
  const Sharding whole = read(R"({"b"}, {"a"})");
  EXPECT_EQ(whole.ways(0), 12);
  EXPECT_THAT(whole.axes(0), ElementsAre(1, 2, 3));
  EXPECT_THAT(whole.axes(1), ElementsAre(0));
  EXPECT_EQ(whole.mesh->devices(), 24);
}

TEST(Sharding, PartsOfAnAxisAreFactors) {
  const Sharding parts = read(R"({"b":(1)4}, {"b":(4)3})");
  EXPECT_THAT(parts.axes(0), ElementsAre(1, 2));
  EXPECT_THAT(parts.axes(1), ElementsAre(3));
  // Device 5 of the first row is (1, 2) of 4 x 3.
  EXPECT_EQ(places_along(*parts.mesh, parts.axes(0)).at(5), 1);
  EXPECT_EQ(places_along(*parts.mesh, parts.axes(1)).at(5), 2);
}

TEST(Sharding, WhatIsNoProductOfFactorsIsRefused) {
  for (const char* dims : {R"({"b":(3)4})", R"({"b":(1)5})", R"({"b":(1)24})", R"({"b":(0)2})",
                           R"({"b":(12)2})", R"({"b":(1)x})", R"({"c"})"})
    EXPECT_THROW(static_cast<void>(read(dims)), base::InputError) << dims;
}

TEST(Sharding, ResultsLieAlongWholeAxes) {
  EXPECT_THAT(along_whole_axes(read(R"({"a", "b":(1)4}, {})")).axes(0), ElementsAre(0));
  EXPECT_THAT(along_whole_axes(read(R"({"b":(4)3}, {"a"})")).axes(0), ElementsAre());
  EXPECT_THAT(along_whole_axes(read(R"({"b"}, {"a"})")).axes(0), ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace trainyard::graph
