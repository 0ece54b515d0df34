"""Is a file written whole, and is what is no regular file left in its place?"""

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from trainyard.files import WriteError, alone_with, write_whole


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old and long")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("exists", [True, False])
def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path, exists):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder/target", tmp_path / "link"
    if exists:
        target.write_bytes(b"old")
    link.symlink_to("folder/target")
    write_whole(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"
    assert list(target.parent.iterdir()) == [target]


def test_a_circle_of_links_is_refused(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("link")
    with pytest.raises(OSError) as caught:
        write_whole(link, b"new")
    assert (caught.value.errno, caught.value.filename) == (errno.ELOOP, str(link))
    assert link.is_symlink()


@pytest.mark.parametrize("linked", [False, True])
def test_a_fifo_is_written_into(tmp_path, linked):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    (tmp_path / "link").symlink_to(fifo)
    read = []
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()), daemon=True)
    reader.start()
    write_whole(tmp_path / "link" if linked else fifo, b"new")
    reader.join(10)
    assert read == [b"new"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_what_another_name_of_an_open_file_holds_is_not_replaced(tmp_path):
    with (tmp_path / "a").open("wb") as file:
        before = os.fstat(file.fileno()).st_ino
        write_whole(f"/dev/fd/{file.fileno()}", b"new")
    assert (tmp_path / "a").stat().st_ino == before
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(WriteError, match="directory"):
        write_whole(tmp_path, b"new")
    assert Path(tmp_path).is_dir()


@pytest.mark.parametrize("exists", [False, True])
def test_a_link_at_a_predictable_name_is_not_followed(tmp_path, exists):
    victim = tmp_path / "victim"
    victim.write_bytes(b"kept")
    path = tmp_path / "a"
    if exists:
        path.write_bytes(b"old")
    for name in (f".a.{os.getpid()}.partial", f"a.{os.getpid()}.0.tmp", ".a.partial", "a.lock"):
        (tmp_path / name).symlink_to(victim)
    write_whole(path, b"new")
    assert (victim.read_bytes(), path.read_bytes()) == (b"kept", b"new")


def test_a_file_keeps_its_permissions_and_a_new_one_has_the_usual_ones(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(b"")
    old.chmod(0o640)
    usual = tmp_path / "usual"
    usual.write_bytes(b"")
    write_whole(old, b"a")
    write_whole(new, b"a")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


def test_a_file_and_its_folder_are_synced(tmp_path, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda fd: (synced.append(stat.S_ISDIR(os.fstat(fd).st_mode)), real(fd))
    )
    write_whole(tmp_path / "a", b"new")
    assert synced == [False, True]


@pytest.mark.parametrize("name", [os.fsdecode(b"\xff\xfe.json"), "n" * 255], ids=["bytes", "long"])
def test_any_name_that_the_system_takes(tmp_path, name):
    write_whole(tmp_path / name, b"new")
    assert (tmp_path / name).read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 1


ADD_ONE = """
import sys
from pathlib import Path
from trainyard.files import WriteError, alone_with, write_whole
path = Path(sys.argv[1])
for _ in range(20):
    with alone_with(path):
        write_whole(path, str(int(path.read_bytes()) + 1).encode())
"""


def test_processes_that_change_a_file_lose_nothing_and_leave_no_lock(tmp_path):
    path = tmp_path / "sum"
    path.write_bytes(b"0")
    started = [subprocess.Popen([sys.executable, "-c", ADD_ONE, str(path)]) for _ in range(5)]
    assert [one.wait(60) for one in started] == [0] * 5
    assert path.read_bytes() == b"100"
    assert list(tmp_path.iterdir()) == [path]


def test_a_lock_that_is_a_link_is_refused(tmp_path):
    (tmp_path / "a.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"), alone_with(tmp_path / "a"):
        pass
    assert not (tmp_path / "elsewhere").exists()
