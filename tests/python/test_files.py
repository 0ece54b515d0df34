"""Is a file written whole, and is what is no regular file left in its place?"""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest
from trainyard.files import write_whole


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
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, b"new")
    assert Path(tmp_path).is_dir()
