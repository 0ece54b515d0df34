"""Can the values of a kernel be looked at while it is traced, without changing what it does?"""

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from trainyard import InputError

X = np.arange(16, dtype=np.float32).reshape(4, 4)


def kernel_that(look):
    """A kernel that squares its argument by the tensor engine, and looks at its tensors."""

    @nki.jit
    def kernel(x):
        tile = nl.load(x)
        product = nl.ndarray((4, 4), nl.float32, buffer=nl.psum)
        nisa.nc_matmul(product, tile, tile)
        look(x=x, tile=tile, product=product, after=False)
        nisa.tensor_scalar(tile, tile, nl.add, 1.0)
        look(x=x, tile=tile, product=product, after=True)
        out = nl.ndarray((4, 4), nl.float32, buffer=nl.shared_hbm)
        nl.store(out, tile)
        return out

    return kernel


@pytest.mark.found("memory.unused")
def test_tensors_of_every_memory_have_the_values_of_their_place():
    def look(x, tile, product, after):
        np.testing.assert_array_equal(trainyard.peek(x), X)
        np.testing.assert_array_equal(trainyard.peek(tile), X + 1 if after else X)
        np.testing.assert_array_equal(trainyard.peek(product), X.T @ X)
        np.testing.assert_array_equal(trainyard.peek(tile[1:3, 2:4]), (X + after)[1:3, 2:4])

    np.testing.assert_array_equal(kernel_that(look)(X), X + 1)


@pytest.mark.found("memory.unused")
def test_looking_changes_neither_values_nor_time():
    seen = []
    looking = kernel_that(lambda tile, **_: seen.append(trainyard.peek(tile)))
    blind = kernel_that(lambda **_: None)
    assert looking.bench(X).time_ns == blind.bench(X).time_ns
    np.testing.assert_array_equal(looking(X), blind(X))
    assert len(seen) == 4


def test_registers_have_values_too():
    @nki.jit
    def kernel(x):
        register = nisa.register_alloc(5)
        seen.append(trainyard.peek(register))
        nisa.register_load(register, nl.load(x))
        seen.append(trainyard.peek(register))
        return x

    seen = []
    kernel(np.array([[-7]], np.int32))
    assert seen == [5, -7]


@pytest.mark.found("memory.unused")
def test_what_was_written_behind_a_loop_is_there_but_nothing_inside_of_it():
    def inside(_):
        with pytest.raises(InputError, match=r"peek\.loop"):
            trainyard.peek(held[0])
        nisa.tensor_scalar(held[0], held[0], nl.add, 1.0)

    @nki.jit
    def kernel(x):
        held.append(nl.load(x))
        nl.fori_loop(0, 3, inside)
        np.testing.assert_array_equal(trainyard.peek(held[0]), X + 3)
        return x

    held = []
    kernel(X)


def test_nothing_is_known_behind_a_meeting_of_two_cores():
    @nki.jit
    def kernel(x):
        shared = nl.ndarray((4, 4), nl.float32, buffer=nl.shared_hbm)
        tile = nl.load(x)
        np.testing.assert_array_equal(trainyard.peek(tile), X)
        nisa.dma_copy(dst=shared, src=tile)
        nisa.core_barrier(shared, (0, 1))
        with pytest.raises(InputError, match=r"peek\.grid"):
            trainyard.peek(tile)
        return shared

    kernel[2](X)


@pytest.mark.parametrize("what", [3, X, "tile"])
@pytest.mark.found("memory.unused")
def test_other_things_have_no_values(what):
    def look(**_):
        with pytest.raises(TypeError, match="a tensor or a register"):
            trainyard.peek(what)

    kernel_that(look)(X)


class TestPrinting:
    """AWS's simulator runs kernels as plain Python, and print shows values; so does ours."""

    @staticmethod
    def look(tile, after, **_):
        if not after:
            print(tile[0:1, 0:2], nisa.register_alloc(9))
            nl.device_print("corner", tile[0:2, 0:2])

    @pytest.mark.found("memory.unused")
    def test_under_simulate_values_are_printed_at_once(self, capsys):
        printed = []

        def look(after, **rest):
            self.look(after=after, **rest)
            printed.append(capsys.readouterr().out)

        nki.simulate(kernel_that(look))(X)
        assert "[[0. 1.]]" in printed[0] and "= 9" in printed[0]
        assert "corner\n[[0. 1.]\n [4. 5.]]" in printed[0]
        assert capsys.readouterr().out == ""

    @pytest.mark.found("memory.unused")
    def test_by_the_environment_too(self, capsys, monkeypatch):
        monkeypatch.setenv("NKI_SIMULATOR", "1")
        kernel_that(self.look)(X)
        assert "[[0. 1.]]" in capsys.readouterr().out

    @pytest.mark.found("memory.unused")
    def test_otherwise_print_shows_what_is_known_while_tracing(self, capsys):
        kernel_that(self.look)(X)
        told = capsys.readouterr().out
        assert told.startswith(
            "NkiTensor(t1, shape=(1, 2), dtype=float32, sbuf) VirtualRegister(0)"
        )
        assert told.endswith("corner\n[[0. 1.]\n [4. 5.]]\n")

    @pytest.mark.found("memory.unused")
    def test_messages_made_while_tracing_hold_no_values(self):
        nki.simulate(kernel_that(lambda tile, **_: texts.append(f"{tile}")))(X)
        assert texts[0] == "NkiTensor(t1, shape=(4, 4), dtype=float32, sbuf)"


texts: list[str] = []
