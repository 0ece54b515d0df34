#include "base/build_id.h"

#include <fmt/format.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace trainyard::base {

namespace {

constexpr std::size_t note_alignment = 4;

// The identifier in a segment of notes: each has a header, a name and a content.
std::string id_in(std::span<const std::byte> notes) {
  ElfW(Nhdr) note{};
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    const auto padded = [](std::size_t size) {
      return (size + note_alignment - 1) / note_alignment * note_alignment;
    };
    const std::size_t content = sizeof note + padded(note.n_namesz);
    const std::size_t end = content + padded(note.n_descsz);
    if (end > notes.size()) break;
    const std::string_view name(reinterpret_cast<const char*>(notes.data()) + sizeof note,
                                note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4)) {
      std::string id;
      for (const std::byte byte : notes.subspan(content, note.n_descsz))
        id += fmt::format("{:02x}", static_cast<unsigned>(byte));
      return id;
    }
    notes = notes.subspan(end);
  }
  return {};
}

struct Search {
  std::uintptr_t address;
  std::string id{};
};

int look(dl_phdr_info* object, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  const std::span headers(object->dlpi_phdr, object->dlpi_phnum);
  const auto is_here = [&](const ElfW(Phdr) & header) {
    const std::uintptr_t begin = object->dlpi_addr + header.p_vaddr;
    return header.p_type == PT_LOAD && search.address >= begin &&
           search.address - begin < header.p_memsz;
  };
  bool is_ours = false;
  for (const ElfW(Phdr) & header : headers) is_ours = is_ours || is_here(header);
  if (!is_ours) return 0;
  for (const ElfW(Phdr) & header : headers) {
    if (header.p_type != PT_NOTE || !search.id.empty()) continue;
    search.id = id_in(
        {reinterpret_cast<const std::byte*>(object->dlpi_addr + header.p_vaddr), header.p_memsz});
  }
  return 1;
}

}  // namespace

std::string build_id() {
  Search search{reinterpret_cast<std::uintptr_t>(&look)};
  dl_iterate_phdr(look, &search);
  return search.id;
}

}  // namespace trainyard::base
