"""What NKI 0.7 adds: scalars of the device, tile and block grids, options, and what it removed.

Source: the pages of nki.isa.NkiScalar, nki.language.tiles and nki.compiler, NKI 0.7.
"""

import warnings

import nki
import nki.compiler as nc
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from trainyard import Fault, InputError

RNG = np.random.default_rng(7)


def hbm(shape, dtype=nl.float32):
    return nl.ndarray(shape, dtype, buffer=nl.shared_hbm)


def one(value, dtype=np.int32):
    return np.array([[value]], dtype)


class TestExamples:
    """The examples of AWS's pages, completed to kernels."""

    def test_a_loop_with_a_scalar_bound(self):
        @nki.jit
        def kernel(x, count):
            out = hbm((128, 64))
            acc, t = nl.zeros((128, 64), nl.float32), nl.ndarray((128, 64), nl.float32)

            def body(i):
                assert isinstance(i, nisa.NkiScalar) and i.dtype == nl.int32
                source = x.ap([[64, 128], [1, 64]], scalar_offset=i * 4, indirect_dim=0)
                nisa.dma_copy(dst=t, src=source)
                nisa.tensor_tensor(dst=acc, data1=acc, data2=t, op=nl.add)

            nl.fori_loop(0, nisa.scalar_load(count) + 1, body)
            nisa.dma_copy(dst=out, src=acc)
            return out

        x = RNG.integers(-9, 9, (140, 64)).astype(np.float32)
        for n in (0, 3):
            wanted = sum(x[4 * i : 4 * i + 128] for i in range(n + 1))
            np.testing.assert_array_equal(kernel(x, one(n)), wanted)

    @pytest.mark.parametrize("space", ["hbm", "sbuf"])
    def test_a_row_by_a_calculated_index(self, space: str):
        @nki.jit
        def kernel(table, index):
            out, back = hbm((1, 64)), hbm((1, 1), nl.int32)
            if space == "sbuf":
                index = nl.load(index)
            t = nl.ndarray((1, 64), nl.float32)
            row = nisa.scalar_load(index) * 2 + 1
            source = table.ap([[64, 1], [1, 64]], scalar_offset=row, indirect_dim=0)
            nisa.dma_copy(dst=t, src=source)
            nisa.scalar_store(back, row)
            nisa.dma_copy(dst=out, src=t)
            return out, back

        table = RNG.standard_normal((32, 64)).astype(np.float32)
        row, number = kernel(table, one(7))
        np.testing.assert_array_equal(row, table[15:16])
        assert number.item() == 15

    @pytest.mark.parametrize("shape", [(256, 512), (200, 300)])
    def test_copying_tile_by_tile(self, shape: tuple[int, int]):
        @nki.jit
        def kernel(x):
            out = hbm(x.shape)
            src, dst = (nl.tiles(t, tile_shape=(128, 256)) for t in (x, out))
            buf = nl.alloc_tiles(
                tile_shape=(128, 256), element_shape=x.shape, buffer=nl.sbuf, dtype=x.dtype
            )
            assert buf.shape == src.shape == (2, 2)
            for i in range(src.shape[0]):
                for j in range(src.shape[1]):
                    nisa.dma_copy(dst=buf[i, j].data, src=src[i, j].data)
            for i in range(src.shape[0]):
                for j in range(src.shape[1]):
                    nisa.dma_copy(dst=dst[i, j].data, src=buf[i, j].data)
            return out

        x = RNG.standard_normal(shape).astype(np.float32)
        np.testing.assert_array_equal(kernel(x), x)


def calculated(expression, dtype=np.int32, *, level=None):
    """expression(scalar of each argument) as the device has it."""

    @nki.jit(compatibility=level)
    def kernel(*values):
        out = hbm((1, 1), values[0].dtype)
        nisa.scalar_store(out, expression(*(nisa.scalar_load(v) for v in values)))
        return out

    return lambda *values: int(kernel(*(one(v, dtype) for v in values)).item())


class TestScalars:
    @pytest.mark.parametrize("dtype", [np.int32, np.int64])
    def test_operators(self, dtype):
        expression = calculated(lambda a, b: -(a + b * 3) - (5 - +a) * 2, dtype)
        assert expression(11, -4) == -(11 - 12) - (5 - 11) * 2

    def test_int32_wraps(self):
        assert calculated(lambda a: a * a)(100000) == 1410065408
        assert calculated(lambda a: a + 1)(2**31 - 1) == -(2**31)

    def test_int64_does_not(self):
        assert calculated(lambda a: a * a, np.int64)(100000) == 10**10
        assert calculated(lambda a: a + 1, np.int64)(2**31 - 1) == 2**31

    def test_offsets_index_and_slice(self):
        @nki.jit
        def kernel(x, index):
            out = hbm((3, 8))
            at = nisa.scalar_load(index)
            nisa.dma_copy(dst=out[0:1], src=x[at].expand_dim(0))
            nisa.dma_copy(dst=out[1:3], src=x[nl.ds(at + 1, 2)])
            return out

        x = RNG.standard_normal((9, 8)).astype(np.float32)
        np.testing.assert_array_equal(kernel(x, one(5)), x[5:8])
        with pytest.raises(Fault, match="bounds"):
            kernel(x, one(8))

    @pytest.mark.found("memory.unused")
    def test_wide_offsets_are_for_hbm(self):
        @nki.jit
        def kernel(x, index, on_chip):
            out, tile = hbm((1, 8)), nl.load(x)
            source = tile if on_chip else x
            at = nisa.scalar_load(index)
            pattern = [[8, 1], [1, 8]]
            nisa.dma_copy(dst=out, src=source.ap(pattern, scalar_offset=at, indirect_dim=0))
            return out

        x = RNG.standard_normal((9, 8)).astype(np.float32)
        np.testing.assert_array_equal(kernel(x, one(5, np.int64), False), x[5:6])
        with pytest.raises(InputError, match=r"scalar\.offset"):
            kernel(x, one(5, np.int64), True)

    @pytest.mark.parametrize(
        ("expression", "dtype", "label"),
        [
            (lambda a: a // 2, np.int32, r"scalar\.operator"),
            (lambda a: 2 << a, np.int64, r"scalar\.operator"),
            (lambda a: a < 3, np.int64, r"scalar\.operator"),
            (lambda a: a < 3, np.int32, r"scalar\.comparison"),
            (lambda a: a + 2**31, np.int32, r"scalar\.value"),
        ],
    )
    def test_what_scalars_do_not_do(self, expression, dtype, label: str):
        with pytest.raises(InputError, match=label):
            calculated(expression, dtype)(1)

    @pytest.mark.parametrize(
        "expression", [bool, int, range, lambda a: a + 1.5, lambda a: a + True]
    )
    def test_python_gets_no_value(self, expression):
        with pytest.raises(TypeError):
            calculated(expression)(1)

    def test_tensors_of_scalars(self):
        def kernel(src, dst_dtype, value=None):
            at = nisa.scalar_load(src)
            nisa.scalar_store(hbm((1, 1), dst_dtype), at if value is None else value)

        run = nki.jit(kernel)
        for bad in (np.zeros((1, 1), np.uint32), np.zeros((1, 2), np.int32)):
            with pytest.raises(InputError, match=r"scalar\.tensor"):
                run(bad, nl.int32)
        with pytest.raises(InputError, match=r"scalar\.dtype"):
            run(one(1), nl.int64)
        with pytest.raises(TypeError, match="memset"):
            run(one(1), nl.int32, 3)

    def test_loops_take_scalars_of_32_bits(self):
        @nki.jit
        def kernel(count):
            nl.fori_loop(0, nisa.scalar_load(count), lambda i: None)

        with pytest.raises(InputError, match=r"loop\.bound"):
            kernel(one(3, np.int64))

    @pytest.mark.parametrize(("level", "scalar"), [("0.6", False), ("0.7", True)])
    def test_the_loop_variable(self, level: str, scalar: bool):
        seen = []

        @nki.jit(compatibility=level)
        def kernel(count):
            register = nisa.register_alloc()
            nisa.register_load(register, count)
            nl.fori_loop(0, 2, lambda i: seen.append(type(i)))
            nl.fori_loop(0, register, lambda i: seen.append(type(i)))

        kernel(one(2))
        plain = nisa.VirtualRegister
        assert seen == [nisa.NkiScalar if scalar else plain, plain]


class TestRemoved:
    @pytest.mark.parametrize("form", ["range", "while"])
    def test_it_warns_unless_the_release_was_asked_for(self, form: str):
        def kernel(x):
            out = hbm(x.shape)
            nisa.dma_copy(dst=out, src=x)
            register = nisa.register_alloc(1)
            if form == "range":
                for _ in nl.dynamic_range(2):
                    nisa.dma_copy(dst=out, src=x)
            else:
                while register:
                    nisa.register_move(register, 0)
            return out

        x = np.ones((1, 8), np.float32)
        with pytest.warns(DeprecationWarning, match=r"removed in NKI 0\.7"):
            np.testing.assert_array_equal(nki.jit(kernel)(x), x)
        with pytest.raises(InputError, match=r"loop\.removed"):
            nki.jit(kernel, compatibility="0.7")(x)
        with pytest.warns(DeprecationWarning, match=r"since NKI 0\.6"):
            nki.jit(kernel, compatibility="0.6")(x)


class TestGrids:
    def test_slabs_clamped_tiles_and_slices(self):
        shapes = {}

        @nki.jit
        def kernel(x):
            grid = nl.tiles(x, tile_shape=(128, 256))
            shapes["grid"] = grid.shape, grid[2, 1, 1].data.shape, grid.element_shape
            part = grid[0, :, ::2]
            shapes["part"] = part.shape, part.element_shape, part.index_step_elements
            shapes["flags"] = (
                part.is_data_representable,
                grid[0, 0].is_data_representable,
                grid[0, 0, 0].is_remainder,
                grid[0, 1].is_remainder,
            )
            out = hbm((72, 344))
            tile = nl.ndarray((72, 344), x.dtype)
            nisa.dma_copy(dst=tile, src=grid[1, 1, 1:].data)
            nisa.dma_copy(dst=out, src=tile)
            closed = nl.empty_like(part, buffer=nl.private_hbm)
            shapes["closed"] = closed.shape, closed.element_shape
            return out

        x = RNG.standard_normal((3, 200, 600)).astype(np.float32)
        np.testing.assert_array_equal(kernel(x), x[1, 128:, 256:])
        assert shapes["grid"] == ((3, 2, 3), (72, 256), (3, 200, 600))
        assert shapes["part"] == ((1, 2, 2), (1, 200, 344), (1, 128, 512))
        assert shapes["flags"] == (False, True, False, True)
        assert shapes["closed"] == ((1, 2, 2), (1, 200, 344))

    def test_blocks_become_tiles(self):
        @nki.jit
        def kernel(x):
            out = hbm(x.shape)
            source = nl.blocks(x, tile_shape=(128, 64), block_shape=(1, 2))
            target = nl.tiles(out, tile_shape=(128, 64))
            kept = nl.alloc_blocks(
                tile_shape=(128, 64),
                block_shape=(1, 2),
                element_shape=x.shape,
                buffer=nl.sbuf,
                dtype=x.dtype,
            )
            assert kept.shape == source.shape == (2, 3) and kept.block_shape == (1, 2)
            for i in range(2):
                for b in range(3):
                    own = nl.tiles(kept[i, b])
                    for j, (to, tile) in enumerate(
                        zip(range(own.shape[1]), range(own.shape[1]), strict=True)
                    ):
                        nisa.dma_copy(dst=own[0, to].data, src=nl.tiles(source[i, b])[0, tile].data)
                        nisa.dma_copy(dst=target[i, 2 * b + j].data, src=own[0, j].data)
            return out

        x = RNG.standard_normal((256, 300)).astype(np.float32)
        np.testing.assert_array_equal(kernel(x), x)

    def test_tiles_of_three_dimensions_on_chip(self):
        @nki.jit
        def kernel(x):
            out = hbm(x.shape)
            kept = nl.alloc_tiles(
                tile_shape=(64, 2, 8), element_shape=x.shape, buffer=nl.sbuf, dtype=x.dtype
            )
            places = [(i, j, k) for i in range(2) for j in range(2) for k in range(2)]
            for at in places:
                nisa.dma_copy(dst=kept[at].data, src=nl.tiles(x, tile_shape=(64, 2, 8))[at].data)
            for at in places:
                nisa.dma_copy(dst=nl.tiles(out, tile_shape=(64, 2, 8))[at].data, src=kept[at].data)
            return out

        x = RNG.standard_normal((100, 3, 12)).astype(np.float32)
        np.testing.assert_array_equal(kernel(x), x)

    @pytest.mark.parametrize(
        ("error", "call"),
        [
            (TypeError, lambda x: nl.tiles(x, tile_shape=[128, 4])),
            (TypeError, lambda x: nl.tiles(3, tile_shape=(128, 4))),
            (TypeError, lambda x: nl.tiles(x)),
            (ValueError, lambda x: nl.tiles(x, tile_shape=(128, 0))),
            (ValueError, lambda x: nl.tiles(x, tile_shape=(4,))),
            (ValueError, lambda x: nl.tiles(x, tile_shape=(1, 1, 4))),
            (ValueError, lambda x: nl.tiles(x, tile_shape=(64, 4))[::2].data),
            (ValueError, lambda x: nl.tiles(x, tile_shape=(64, 4))[::-1]),
            (IndexError, lambda x: nl.tiles(x, tile_shape=(64, 4))[9]),
            (ValueError, lambda x: nl.blocks(x, tile_shape=(64, 4), block_shape=(2,))),
            (ValueError, lambda x: nl.empty_like(x, transpose_axes=(0, 1))),
        ],
    )
    def test_mistakes(self, error, call):
        with pytest.raises(error):
            nki.jit(lambda x: call(x) and None)(np.zeros((256, 8), np.float32))

    def test_the_target_of_a_transpose(self):
        @nki.jit
        def kernel(x):
            out = hbm((64, 128))
            turned = nl.empty_like(x, transpose_axes=(1, 0))
            nisa.dma_transpose(dst=turned, src=x, axes=(1, 0))
            nisa.dma_copy(dst=out, src=turned)
            return out

        x = RNG.standard_normal((128, 64)).astype(np.float32)
        np.testing.assert_array_equal(kernel(x), x.T)


def test_every_tensor_has_data_and_hbm_addresses_are_single():
    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm, address=(4096,))
        nisa.dma_copy(dst=out.data, src=x.data)
        return out

    x = np.ones((2, 4), np.float32)
    np.testing.assert_array_equal(kernel(x), x)
    with pytest.raises(InputError, match=r"memory\.address"):
        nki.jit(lambda: nl.ndarray((2, 4), nl.float32, nl.shared_hbm, address=(-1,)) and None)()


class TestOptions:
    def test_configurations_are_checked(self):
        config = nc.CompileConfig(address_rotation=nc.AddressRotation.ENABLE, prefetch_auto=False)
        kernel = nki.jit(compile_config=config)(lambda x: None)
        kernel(np.ones((1, 1), np.float32))
        with pytest.raises(TypeError, match="AddressRotation"):
            nc.CompileConfig(address_rotation=True)
        with pytest.raises(TypeError, match="CompileConfig"):
            nki.jit(compile_config={})(lambda x: None)

    def test_a_nested_kernel_has_the_options_of_the_outer_one(self):
        inner = nki.jit(compile_config=nc.CompileConfig(dead_code_elim=False))(lambda x: None)
        allowed = nc.SpecializationConfig(allow_nested_config_override=True)
        x = np.ones((1, 1), np.float32)
        with pytest.raises(ValueError, match="allow_nested_config_override"):
            nki.jit(lambda x: inner(x))(x)
        with pytest.warns(UserWarning, match="no effect"):
            nki.jit(lambda x: inner(x), specialization_config=allowed)(x)

    def test_without_the_fallback_a_lack_of_room_is_shown(self):
        def kernel(x):
            out = hbm((128, 80000))
            tile = nl.ndarray((128, 80000), x.dtype)
            nisa.dma_copy(dst=tile, src=x)
            nisa.dma_copy(dst=out, src=tile)
            return out

        x = np.zeros((128, 80000), np.float32)
        nki.jit(kernel).run(x, checks=False, timed=False)
        config = nc.CompileConfig(nki_alloc_fallback=False)
        with pytest.raises(InputError, match="sbuf"):
            nki.jit(kernel, compile_config=config).run(x, checks=False, timed=False)

    @pytest.mark.parametrize(("level", "cores"), [(None, 2), ("0.7", 2)])
    def test_the_environment_sets_the_degree(self, monkeypatch, level, cores):
        monkeypatch.setenv("NEURON_LOGICAL_NC_CONFIG", "2")

        @nki.jit(compatibility=level)
        def kernel(x):
            out = hbm(x.shape)
            if nl.program_id(0) == 0:
                nisa.dma_copy(dst=out, src=x)
            assert nl.num_programs() == cores
            return out

        x = np.ones((2, 4), np.float32)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            np.testing.assert_array_equal(kernel(x), x)

    def test_before_0_7_the_brackets_set_it(self, monkeypatch):
        monkeypatch.setenv("NEURON_LOGICAL_NC_CONFIG", "2")
        with pytest.raises(ValueError, match="NEURON_LOGICAL_NC_CONFIG"):
            nki.jit(lambda x: None, compatibility="0.6")(np.ones((1, 1), np.float32))
        monkeypatch.setenv("NEURON_LOGICAL_NC_CONFIG", "3")
        with pytest.raises(ValueError, match="1 or 2"):
            nki.jit(lambda x: None)(np.ones((1, 1), np.float32))
