"""Do the empty libraries of `trainyard setup torch` load, and does it refuse what cannot work?"""

import ctypes
import shutil
import subprocess

import pytest
from trainyard import torch_setup
from trainyard.usage import UsageError

needs_compiler = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("cc", "nm", "readelf")), reason="no C compiler"
)


def build(folder, name, text, *options):
    source = folder / "source.c"
    source.write_text(text)
    command = ["cc", "-shared", "-fPIC", f"-Wl,-soname,{name}", "-o", folder / name, source]
    subprocess.run([*command, *options], check=True)
    source.unlink()


@needs_compiler
def test_libraries_that_are_missing_are_made(tmp_path):
    version = tmp_path / "version"
    version.write_text("libcudart.so.13 { global: *; };")
    build(tmp_path, "libnccl.so.2", "int ncclSend(void) { return 0; }")
    text = "int cudaMalloc(void) { return 0; } int cudaGetDeviceCount(int* n) { return *n = 7; }"
    build(tmp_path, "libcudart.so.13", text, f"-Wl,--version-script={version}")
    given = "int ncclSend(void); int cudaMalloc(void); int cudaGetDeviceCount(int*);"
    calls = "int send(void) { return ncclSend(); } int both(int* n) "
    calls += "{ return cudaMalloc() + cudaGetDeviceCount(n); }"
    kept = ("-Wl,--no-as-needed", "-Wl,-rpath,$ORIGIN", f"-L{tmp_path}")
    linked = ("-l:libnccl.so.2", "-l:libcudart.so.13", "-lm")
    build(tmp_path, "libuser.so", given + calls, *kept, *linked)
    (tmp_path / "libnccl.so.2").unlink()
    (tmp_path / "libcudart.so.13").unlink()
    assert torch_setup.make_stubs(tmp_path) == ["libcudart.so.13", "libnccl.so.2"]  # no libm.so.6
    user, count = ctypes.CDLL(str(tmp_path / "libuser.so")), ctypes.c_int(5)
    assert user.send() == 100  # CUDA's word for no device
    assert user.both(ctypes.byref(count)) == 200 and count.value == 0


@needs_compiler
def test_the_systems_libraries_are_known_without_sbin_in_the_path(monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert {"libc.so.6", "libm.so.6"} <= torch_setup._system_libraries()


@pytest.mark.parametrize("version", torch_setup.LISTS)
def test_the_list_is_found_and_holds_only_pinned_packages_with_hashes(monkeypatch, version):
    monkeypatch.setattr(torch_setup.sys, "version_info", (*version, 0))
    monkeypatch.setattr(torch_setup.platform, "machine", lambda: "x86_64")
    lines = torch_setup.requirements().read_text().splitlines()
    packages = [line for line in lines if not line.startswith("#")]
    assert any(line.startswith("torch==") for line in packages)
    assert all("==" in line and "--hash=sha256:" in line for line in packages)


def test_other_pythons_and_other_machines_are_refused(monkeypatch):
    monkeypatch.setattr(torch_setup.sys, "version_info", (3, 12, 0))
    with pytest.raises(UsageError, match=r"for Python 3\.11, 3\.13, not for 3\.12"):
        torch_setup.requirements()
    monkeypatch.setattr(torch_setup.sys, "version_info", (3, 11, 0))
    monkeypatch.setattr(torch_setup.platform, "machine", lambda: "aarch64")
    with pytest.raises(UsageError, match="not for linux on aarch64"):
        torch_setup.requirements()


def test_an_older_pytorch_is_refused(monkeypatch):
    for version in ("2.12.1", "1.13.0+cpu"):
        monkeypatch.setattr(torch_setup, "installed", lambda found=version: found)
        with pytest.raises(UsageError, match=r"needs 2\.13 or newer"):
            torch_setup.install(print)
    monkeypatch.setattr(torch_setup, "installed", lambda: "2.13.0+cu130")
    assert torch_setup.install(print) == "2.13.0+cu130"
