// Numbers by key, for look-ups that are many: a hash table in one array, from which nothing is
// removed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trainyard::base {

// `Hash`: a function object whose lowest bits tell keys apart.
template <typename Key, typename Hash>
class FlatIndex {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  // The number of a key; none where it has not been added.
  [[nodiscard]] std::uint32_t find(const Key& key) const {
    return slots_.empty() ? none : slots_[place_of(key)].number;
  }
  // A key that is new.
  void add(const Key& key, std::uint32_t number) {
    if (2 * ++size_ > slots_.size()) grow();
    slots_[place_of(key)] = {key, number};
  }

 private:
  struct Slot {
    Key key{};
    std::uint32_t number = none;
  };

  // Where the key is or would be.
  [[nodiscard]] std::size_t place_of(const Key& key) const {
    std::size_t at = Hash{}(key) & (slots_.size() - 1);
    while (slots_[at].number != none && !(slots_[at].key == key))
      at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number != none) slots_[place_of(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two, at most half of it in use
  std::size_t size_ = 0;
};

}  // namespace trainyard::base
