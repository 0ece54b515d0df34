"""Does the environment choose the target, AWS's simulator and the release of NKI as documented?"""

import ml_dtypes
import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
import trainyard
from nki import _level
from trainyard import InputError, settings

RNG = np.random.default_rng(17)
BEFORE_0_6 = ["0.3", "0.4", "0.5"]


def out_like(x, dtype=None):
    return nl.ndarray(x.shape, dtype or x.dtype, buffer=nl.shared_hbm)


def unary(function, dtype=None):
    @nki.jit
    def kernel(*inputs):
        result = function(*(nl.load(i) for i in inputs))
        out = out_like(result, dtype)
        nl.store(out, result)
        return out

    return kernel


def at(level, kernel):
    return nki.jit(kernel, compatibility=level)


class TestTarget:
    @pytest.fixture(autouse=True)
    def _clean(self, monkeypatch):
        for name in ("NKI_NC_VERSION", "NEURON_PLATFORM_TARGET_OVERRIDE"):
            monkeypatch.delenv(name, raising=False)

    @pytest.mark.parametrize(
        ("name", "version"),
        [("trn1", 2), ("inf2", 2), ("gen2", 2), ("trn2", 3), ("gen3", 3), ("trn3", 4), ("gen4", 4)],
    )
    @pytest.mark.parametrize("variable", ["NEURON_PLATFORM_TARGET_OVERRIDE", "NKI_NC_VERSION"])
    def test_a_variable_chooses_it(self, monkeypatch, variable, name, version):
        monkeypatch.setenv(variable, name)
        assert nisa.get_nc_version().value == version

    def test_the_variable_of_test_harnesses_goes_first(self, monkeypatch):
        monkeypatch.setenv("NEURON_PLATFORM_TARGET_OVERRIDE", "trn3")
        monkeypatch.setenv("NKI_NC_VERSION", "gen3")
        assert nisa.get_nc_version() == nisa.nc_version.gen3

    def test_without_one_it_is_the_newest(self):
        assert nisa.get_nc_version() == nisa.nc_version.gen4

    @pytest.mark.parametrize("variable", ["NEURON_PLATFORM_TARGET_OVERRIDE", "NKI_NC_VERSION"])
    def test_other_names_are_refused(self, monkeypatch, variable):
        monkeypatch.setenv(variable, "trn9")
        with pytest.raises(ValueError, match=f"{variable} is 'trn9'"):
            nisa.get_nc_version()


class TestTileSize:
    @pytest.mark.parametrize(("target", "banks"), [("trn1", 8), ("trn2", 7), ("trn3", 7)])
    def test_transposes_on_the_array_take_a_bank(self, monkeypatch, target, banks):
        monkeypatch.delenv("NKI_NC_VERSION", raising=False)
        monkeypatch.setenv("NEURON_PLATFORM_TARGET_OVERRIDE", target)
        assert nl.tile_size.psum_num_banks == 8
        monkeypatch.setenv("NKI_DMA_TRANSPOSE_AS_PE_TRANSPOSE", "true")
        assert nl.tile_size.psum_num_banks == banks


class TestSimulator:
    @pytest.mark.parametrize("name", ["fmod", "mod"])
    @pytest.mark.parametrize("how", ["simulate", "environment"])
    def test_it_has_operators_that_no_silicon_has(self, monkeypatch, name, how):
        kernel = unary(getattr(nl, name))
        if how == "simulate":
            kernel = nki.simulate(kernel)
        else:
            monkeypatch.setenv("NKI_SIMULATOR", "1")
        x, y = (RNG.uniform(-9, 9, (16, 33)).astype(np.float32) for _ in range(2))
        np.testing.assert_array_equal(kernel(x, y), getattr(np, name)(x, y))

    @pytest.mark.parametrize("name", ["fmod", "mod"])
    def test_elsewhere_they_are_refused(self, name):
        x = np.ones((4, 4), np.float32)
        with pytest.raises(InputError) as caught:
            unary(getattr(nl, name))(x, x)
        assert caught.value.violations[0].label == "language.unsupported"

    def test_a_number_may_be_either_operand(self):
        x = RNG.uniform(1, 9, (8, 8)).astype(np.float32)
        found = nki.simulate(unary(lambda a: nl.mod(a, 2.5)))(x)
        np.testing.assert_array_equal(found, np.mod(x, np.float32(2.5)))
        found = nki.simulate(unary(lambda a: nl.fmod(7.5, a)))(x)
        np.testing.assert_array_equal(found, np.fmod(np.float32(7.5), x))


class TestPreciseFloatingPoint:
    """NKI_PRECISE_FP=0 keeps low-precision tensors as float32, in the simulator only."""

    x = RNG.standard_normal((16, 32)).astype(ml_dtypes.bfloat16)

    def products(self):
        @nki.jit
        def kernel(x):
            tile = nl.ndarray(x.shape, nl.bfloat16)
            nisa.tensor_tensor(tile, nl.load(x), nl.load(x), op=nl.multiply)
            out = nl.ndarray(x.shape, nl.float32, buffer=nl.shared_hbm)
            nl.store(out, tile)
            return out

        return kernel

    def exact(self):
        wide = self.x.astype(np.float32)
        return wide * wide

    def rounded(self):
        return self.exact().astype(ml_dtypes.bfloat16)

    def test_without_it_results_are_rounded(self):
        found = nki.simulate(self.products())(self.x)
        np.testing.assert_array_equal(found, self.rounded())

    def test_with_it_they_are_not(self, monkeypatch):
        monkeypatch.setenv("NKI_PRECISE_FP", "0")
        found = nki.simulate(self.products())(self.x)
        np.testing.assert_array_equal(found, self.exact())
        np.testing.assert_array_equal(self.products()(self.x), self.rounded())

    @pytest.mark.found("memory.unused")
    def test_a_kernel_sees_the_dtypes_it_asked_for(self, monkeypatch):
        monkeypatch.setenv("NKI_PRECISE_FP", "0")
        seen = []

        @nki.simulate
        def kernel(x):
            tile = nl.ndarray(x.shape, nl.float8_e5m2)
            nisa.tensor_copy(tile, nl.load(x))
            seen.extend([x.dtype, x[0:4].dtype, tile.dtype, nl.zeros_like(tile).dtype])
            seen.append(nl.ndarray(x.shape, nl.float32).dtype)
            trainyard.peek(tile)
            out = nl.ndarray(x.shape, tile.dtype, buffer=nl.shared_hbm)
            nl.store(out, tile)
            return out

        found = kernel(self.x)
        assert seen == ["bfloat16", "bfloat16", "float8_e5m2", "float8_e5m2", "float32"]
        np.testing.assert_array_equal(found, self.x.astype(ml_dtypes.float8_e5m2))

    def test_it_was_the_default_before_nki_0_4(self):
        found = nki.simulate(at("0.3", self.products()))(self.x)
        np.testing.assert_array_equal(found, self.exact())

    def test_inputs_that_a_kernel_writes_keep_their_dtype(self, monkeypatch):
        monkeypatch.setenv("NKI_PRECISE_FP", "0")
        x = self.x.copy()

        @nki.simulate
        def kernel(x):
            nl.store(x, nl.add(nl.load(x), 1.0))
            return x

        kernel(x)
        wanted = (self.x.astype(np.float32) + 1).astype(ml_dtypes.bfloat16)
        np.testing.assert_array_equal(x, wanted)


class TestChoice:
    """Which level a kernel gets: the 0.6 one casts by rounding, the older ones truncate."""

    x = np.float32([[1.75, -1.75]])

    def casts(self, dtype=nl.int32):
        return unary(lambda x: nl.add(x, 0.0, dtype=dtype), dtype)

    def test_the_newest_is_the_default(self):
        assert self.casts()(self.x).tolist() == [[2, -2]]

    def test_by_the_decorator(self):
        assert at("0.5", self.casts())(self.x).tolist() == [[1, -1]]

    def test_by_the_settings(self):
        with settings.using(nki="0.4"):
            assert self.casts()(self.x).tolist() == [[1, -1]]
            assert at("0.6", self.casts())(self.x).tolist() == [[2, -2]]

    def test_by_the_environment(self, monkeypatch):
        monkeypatch.setenv("TRAINYARD_NKI_LEVEL", "0.3")
        assert self.casts()(self.x).tolist() == [[1, -1]]
        with settings.using(nki="0.6"):
            assert self.casts()(self.x).tolist() == [[2, -2]]

    def test_a_grid_and_a_schedule_keep_it(self):
        kernel = at("0.5", self.casts()).with_schedule([])[1]
        assert kernel(self.x).tolist() == [[1, -1]]

    @pytest.mark.parametrize("level", ["0.2", "1", "newest"])
    def test_other_levels_are_refused(self, level):
        with pytest.raises(ValueError, match="no NKI level"):
            nki.jit(compatibility=level)(lambda x: x)

    def test_every_change_names_a_level(self):
        assert {first for first, _ in _level.CHANGES.values()} <= set(_level.LEVELS[1:])


class TestChanges:
    @pytest.mark.parametrize("dtype", [nl.int8, nl.uint8, nl.int16, nl.int32])
    def test_casts_to_integers(self, dtype):
        x = RNG.uniform(0, 100, (8, 64)).astype(np.float32)
        kernel = TestChoice().casts(dtype)
        np.testing.assert_array_equal(kernel(x), np.rint(x).astype(dtype))
        np.testing.assert_array_equal(at("0.5", kernel)(x), x.astype(dtype))

    def test_casts_by_dma(self):
        @nki.jit
        def kernel(x):
            out = out_like(x, nl.int32)
            nisa.dma_copy(dst=out, src=x)
            return out

        assert kernel(np.float32([[2.75]])).item() == 3
        assert at("0.5", kernel)(np.float32([[2.75]])).item() == 2

    def test_block_scales(self):
        x = np.full((32, 4), 1.9, ml_dtypes.bfloat16)

        @nki.jit
        def kernel(x):
            data = nl.ndarray((32, 1), nl.float8_e4m3fn_x4)
            scale = nl.ndarray((32, 1), nl.uint8)
            nisa.quantize_mx(dst=data, src=nl.load(x), dst_scale=scale)
            out = nl.ndarray((4, 1), nl.uint8, buffer=nl.shared_hbm)
            nisa.dma_copy(dst=out, src=scale[0:4])
            return out

        newer, older = kernel(x), at("0.4", kernel)(x)
        assert (newer == older + 1).all(), "the scale is twice as large since 0.5"
        np.testing.assert_array_equal(at("0.5", kernel)(x), newer)

    def searches(self):
        @nki.jit
        def kernel(data, values):
            index = nl.ndarray((1, 8), nl.uint32)
            nisa.nc_find_index8(dst=index, data=nl.load(data), vals=nl.load(values))
            out = nl.ndarray((1, 8), nl.uint32, buffer=nl.shared_hbm)
            nl.store(out, index)
            return out

        return kernel

    def test_searches_that_find_nothing(self):
        data = np.float32([[5, 1, 8, 8, 3, 8, 2, 9]])
        values = np.float32([[8, 8, 7, 9, 8, 1, 0, 5]])
        absent = 2**32 - 1
        newer = [[2, 3, absent, 7, 5, 1, absent, 0]]
        assert self.searches()(data, values).tolist() == newer
        for level in BEFORE_0_6:
            older = [[2, 2, 0, 7, 2, 1, 0, 0]]
            assert at(level, self.searches())(data, values).tolist() == older

    def test_copies_of_large_integers(self):
        x = np.int32([[2**24 + 1]])
        assert unary(nl.copy)(x).item() == 2**24 + 1
        assert at("0.5", unary(nl.copy))(x).item() == 2**24

    @pytest.mark.parametrize(
        ("level", "instruction"), [("0.4", "activation"), ("0.5", "tensor_scalar")]
    )
    def test_rsqrt_moved_to_gpsimd(self, level, instruction):
        x = RNG.uniform(0.5, 2, (16, 64)).astype(np.float32)
        kernel = at(level, unary(nl.rsqrt))
        found, result = kernel.run(x, timed=True)
        np.testing.assert_allclose(found, x**-0.5, rtol=1e-6)
        assert instruction in str(result.report["mnemonics"])

    def test_rsqrt_takes_no_psum(self):
        x = np.ones((16, 16), np.float32)
        kernel = unary(lambda a: nl.rsqrt(nl.transpose(a)))
        with pytest.raises(InputError) as caught:
            kernel(x)
        assert caught.value.violations[0].label == "language.rsqrt"
        np.testing.assert_array_equal(at("0.4", kernel)(x), x)

    def test_the_engine_of_nc_transpose_was_ignored(self):
        def body(x):
            result = nl.ndarray((64, 64), x.dtype, buffer=nl.psum)
            nisa.nc_transpose(dst=result, data=x, engine=nisa.engine.vector)
            return nl.copy(result)

        x = RNG.standard_normal((64, 64)).astype(np.float32)
        with pytest.raises(InputError) as caught:
            unary(body)(x)
        assert caught.value.violations[0].label == "nc_transpose.c6"
        np.testing.assert_array_equal(at("0.3", unary(body))(x), x.T)
