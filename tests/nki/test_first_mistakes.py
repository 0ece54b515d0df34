"""Do the mistakes of a first kernel get messages that say what to do instead?"""

import warnings

import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np
import pytest
from trainyard import FindingWarning, InputError, settings

X = np.ones((128, 64), np.float32)


def tile(*shape):
    return nl.ndarray(shape or (128, 64), nl.float32)


@pytest.mark.parametrize(
    ("use", "instead"),
    [
        (lambda t: t * 2, "nl.multiply"),
        (lambda t: 2.0 - t, "nl.subtract"),
        (lambda t: t / t, "nl.divide"),
        (lambda t: t @ t, "nki.isa.nc_matmul"),
        (lambda t: -t, "nl.negative"),
        (lambda t: abs(t), "nl.abs"),
        (lambda t: t > 0, "nl.greater"),
        (lambda t: max(t, t), "nl.greater"),
        (lambda t: 0 <= t, "nl.greater_equal"),  # noqa: SIM300 (as a kernel may write it)
        (lambda t: X + t, "nl.add instead of np.add"),
        (lambda t: np.exp(t), "nl.exp instead of np.exp"),
        (lambda t: np.sum(t, axis=1), "nl.sum instead of np.sum"),
        (lambda t: np.cbrt(t), "functions of nki.language"),
        (lambda t: np.asarray(t), "use instructions"),
        (lambda t: float(t), "use instructions"),
        (lambda t: len(t), r"sizes are in \.shape"),
        (lambda t: list(t), "use instructions"),
    ],
)
def test_python_and_numpy_do_not_calculate_with_tensors(trace, use, instead):
    with pytest.raises(TypeError, match=rf"not known while the kernel is traced.*{instead}"):
        use(tile())


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda: nl.load([[1.0]]), r"\[\[1\.0\]\].*an HBM tensor.*as arguments"),
        (lambda: nl.load(X), r"an array of shape \(128, 64\) and dtype float32.*as arguments"),
        (lambda: nl.load(tile()), r"NkiTensor\(.*nl\.copy"),
        (
            lambda: nl.load(nl.ndarray((512,), nl.float32, buffer=nl.shared_hbm)),
            r"shape \(512,\).*load it as a row: nl\.load\(t\.reshape\(\(1, 512\)\)\)",
        ),
        (
            lambda: nisa.tensor_tensor(dst=tile(), data1=tile(), data2=X, op=nl.add),
            r"ndarray array\(\[\[1\., .* \.\.\..*'data2' is a tensor; arrays are .* arguments",
        ),
        (
            lambda: nisa.tensor_reduce(dst=tile(128, 1), op="add", data=tile(), axis=1),
            r"str 'add'; expected: argument 'op' is an operator of nki\.language, such as nl\.add",
        ),
        (
            lambda: nisa.activation(dst=tile(), op=nl.add, data=tile()),
            r"\.add; expected: argument 'op' is an activation function of nki\.language",
        ),
        (
            lambda: nisa.tensor_tensor(
                dst=tile(), data1=tile(), data2=tile(), op=nl.add, engine=nisa.engine.tensor
            ),
            r"on the tensor engine; it runs on vector, gpsimd",
        ),
        (
            lambda: nisa.dma_copy(dst=tile(128, 8), src=tile()),
            r": dst: sbuf float32 \[128, 8\]; src: sbuf float32 \[128, 64\]; expected: ",
        ),
        (
            lambda: nisa.tensor_scalar(
                dst=tile().view(nl.int32),
                data=tile().view(nl.int32),
                op0=nl.bitwise_and,
                operand0=1.5,
            ),
            r"tensor_scalar\.c16: .*1\.5.*constants of bitwise operators are integers of 32 bits",
        ),
        (
            lambda: nl.ndarray((64, 8), nl.float32, buffer=nl.shared_hbm)[
                nl.ndarray((64, 1), nl.int32)
            ],
            r"vector_select\(0, indices\)",
        ),
    ],
)
def test_messages_say_what_was_found_in_a_line_and_what_to_do(trace, use, words):
    with pytest.raises(InputError, match=f"(?s){words}") as caught:
        use()
    assert len(caught.value.violations) == 1
    assert "test_first_mistakes.py:" in caught.value.violations[0].place
    assert "\n" not in caught.value.violations[0].found


@pytest.mark.parametrize(
    "use",
    [
        lambda x: nisa.activation(dst=x, op=nl.exp, data=tile()),
        lambda x: nisa.tensor_tensor(dst=tile(), data1=x, data2=x, op=nl.add),
        lambda x: nisa.tensor_reduce(dst=tile(128, 1), data=x, op=nl.add, axis=1),
        lambda x: nisa.tensor_copy(dst=tile(), src=x),
        lambda x: nisa.nc_transpose(dst=x, data=tile()),
    ],
)
def test_one_operand_in_the_wrong_memory_is_one_mistake(trace, use):
    with pytest.raises(InputError) as caught:
        use(nl.ndarray((128, 64), nl.float32, buffer=nl.shared_hbm))
    assert [one.label.split(".")[1] for one in caught.value.violations] == ["c1"]


def test_wrong_calls_name_the_parameter():
    @nki.jit
    def kernel(x, y):
        return x

    with pytest.raises(TypeError, match=r"takes \(x, y\): missing a required argument: 'y'"):
        kernel(X)
    with pytest.raises(TypeError, match="argument y: the machine has no float64"):
        kernel(X, X.astype(np.float64))


def test_a_what_if_may_be_one_string():
    @nki.jit
    def kernel(x):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
        nl.store(out, nl.load(x))
        return out

    assert len(kernel.bench(X, what_if="hbm.bandwidth=x2").what_ifs) == 1


class TestAForgottenStore:
    @staticmethod
    @nki.jit
    def tiled(x, rows):
        out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm, name="out")
        for i in range(x.shape[0] // rows):
            nl.store(out[i * rows : (i + 1) * rows], nl.load(x[i * rows : (i + 1) * rows]))
        return out

    def test_is_told_to_who_calls_the_kernel(self):
        with pytest.warns(
            FindingWarning, match=r"(?s)memory\.output: .*nothing wrote 'out' at \[100, 0\]"
        ):
            self.tiled(X, 50)

    def test_is_told_once_where_findings_are_heard(self):
        heard = []
        with warnings.catch_warnings(), settings.using(listeners=[heard.append]):
            warnings.simplefilter("error")
            self.tiled(X, 50)
        assert "memory.output" in [one["label"] for one in heard[0].findings]


class TestAForgottenReturn:
    def test_is_told(self):
        @nki.jit
        def kernel(x):
            out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm, name="out")
            nl.store(out, nl.load(x))

        with pytest.warns(UserWarning, match=r"\(out\).*is a return missing\?") as told:
            assert kernel(X) is None
        code = kernel.function.__code__
        assert (told[0].filename, told[0].lineno) == (code.co_filename, code.co_firstlineno)

    def test_is_none_where_an_input_is_written(self):
        @nki.jit
        def kernel(x):
            nl.store(x, nl.load(x))

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            kernel(X.copy())


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (lambda: nl.laod, r"no attribute 'laod'; did you mean load\?"),
        (lambda: nl.mgrid, r"'mgrid', which is of first-generation kernels.*nl\.ds"),
        (lambda: nl.nc_matmul, r"there is nki\.isa\.nc_matmul"),
        (lambda: nisa.ndarray, r"there is nki\.language\.ndarray"),
        (lambda: nisa.nc_matmull, r"did you mean nc_matmul\?"),
        (lambda: nl.qwertyuiop, r"no attribute 'qwertyuiop'$"),
    ],
)
def test_a_name_that_there_is_none_of_comes_with_one_that_is_near(use, words):
    with pytest.raises(AttributeError, match=words):
        use()


@pytest.mark.parametrize(
    ("call", "note"),
    [
        (
            lambda t: nisa.activation(dst=t, ops=nl.exp, data=t),
            "did you mean op? it is nki.isa.activation(dst, op, data, bias=..., ",
        ),
        (lambda t: nisa.tensor_copy(dst=t), "it is nki.isa.tensor_copy(dst, src, "),
        (
            lambda t: nl.load(t, dtpe=nl.float32),
            "did you mean dtype? it is nki.language.load(src, ",
        ),
        (lambda t: nisa.memset(t, 1.0, 2, 3, 4, 5), "it is nki.isa.memset(dst, value, "),
    ],
)
def test_a_call_that_cannot_be_says_what_the_function_takes(call, note):
    @nki.jit
    def kernel(x):
        call(nl.load(x))

    with pytest.raises(TypeError) as error:
        kernel(X)
    assert error.value.__notes__[0].startswith(note)


def test_other_errors_of_types_stay_as_they_are():
    @nki.jit
    def kernel(x):
        return len(3)

    with pytest.raises(TypeError) as error:
        kernel(X)
    assert not hasattr(error.value, "__notes__")
