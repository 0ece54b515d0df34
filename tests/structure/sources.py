"""What the structure tests look at: the repository's files and what src/FLOORS says of them."""

import re
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT_ENDINGS = {
    ".cpp",
    ".h",
    ".py",
    ".md",
    ".toml",
    ".txt",
    ".cmake",
    ".json",
    ".sh",
    ".ts",
    ".css",
    ".html",
    ".yml",
    "",
}


@cache
def repository_files() -> tuple[Path, ...]:
    """Every file that is tracked or would be (new and not ignored), relative to ROOT."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    return tuple(Path(line) for line in listing if (ROOT / line).is_file())


def text_files() -> list[Path]:
    """The files for readers; a corpus for fuzzing is bytes, whatever its names are."""
    files = [path for path in repository_files() if "corpus" not in path.parts]
    return [path for path in files if path.suffix in TEXT_ENDINGS]


@cache
def text(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def cpp_sources() -> list[Path]:
    """The C++ files of src/, each in a folder of one floor."""
    return [
        path
        for path in repository_files()
        if path.parts[0] == "src" and path.suffix in {".cpp", ".h"}
    ]


@dataclass
class Floors:
    """src/FLOORS: floors of folders, lower folders that they must not include, and their rooms."""

    floor: dict[str, int] = field(default_factory=dict)
    banned: dict[str, set[str]] = field(default_factory=dict)
    rooms: dict[str, int] = field(default_factory=dict)  # the floor of each, by its path

    @classmethod
    def parse(cls, content: str) -> "Floors":
        floors = cls()
        for line in content.splitlines():
            if not re.match(r"\d", line):
                continue
            allowed, _, banned = line.partition("!")
            number, *folders = allowed.split()
            for folder in folders:
                if "/" in folder:
                    floors.rooms[folder] = int(number)
                    continue
                floors.floor[folder] = int(number)
                floors.banned[folder] = set(banned.split())
        return floors

    def may_include(self, folder: str, other: str) -> bool:
        if folder == other:
            return True
        return self.floor[other] < self.floor[folder] and other not in self.banned[folder]

    def violations(self, path: Path, content: str) -> list[str]:
        """What the #include lines of one file of src/ break, one sentence each."""
        folder = path.parts[1]
        if folder not in self.floor:
            return [f"{path}: the folder {folder} has no line in src/FLOORS"]
        found = []
        for number, line in enumerate(content.splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not match:
                continue
            other = match[1].split("/")[0]
            if other not in self.floor or "/" not in match[1]:
                found.append(f"{path}:{number}: {match[1]} is not a full path from src/")
            elif not self.may_include(folder, other):
                found.append(
                    f"{path}:{number}: {folder} (floor {self.floor[folder]}) must not include "
                    f"{other} (floor {self.floor[other]})"
                )
        return found

    def room_violations(self, path: Path, content: str) -> list[str]:
        """The same of the rooms that a folder is divided into."""
        room = path.relative_to("src").parent.as_posix()
        divided = {name.rsplit("/", 1)[0] for name in self.rooms} & self.rooms.keys()
        if not any(room == name or room.startswith(f"{name}/") for name in divided):
            return []
        if room not in self.rooms:
            return [f"{path}: the room {room} has no line in src/FLOORS"]
        found = []
        for number, line in enumerate(content.splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)/[^"/]+"', line)
            other = match[1] if match else room
            if other in (room, "") or other not in self.rooms:
                continue
            if self.rooms[other] >= self.rooms[room]:
                found.append(
                    f"{path}:{number}: {room} (floor {self.rooms[room]}) must not include "
                    f"{other} (floor {self.rooms[other]})"
                )
        return found
