"""Is an execution trace timed by its operators, its collectives and their order?"""

import pytest
from chakra import node, write


def timed(trainyard, path, *arguments):
    done = trainyard("time", "--json", *arguments, path)
    assert done.err == ""
    assert done.code == 0
    return done.data


def product(number, size, **more):
    """An operator of the host and the kernel that it launched."""
    shape = f"bf16[{size},{size}]"
    return (
        node(number, "aten::mm(0)", "compute", us=9, is_cpu_op=True, **more),
        node(
            number + 1,
            "gemm",
            "compute",
            before=(number,),
            us=500,
            tensors=f"{shape} {shape}",
            result=shape,
            is_cpu_op=False,
        ),
    )


def test_a_product_takes_its_operations_at_the_peak(trainyard, tmp_path):
    path = write(tmp_path / "one.et", *product(1, 8192))
    found = timed(trainyard, path, "--machine", "trn3")
    # 2 n^3 operations at eight cores of 79 TFLOPS.
    assert found["total_us"] == pytest.approx(2 * 8192**3 / (8 * 79e12) * 1e6)
    assert found["recorded_us"] == 500
    (row,) = found["rows"]
    assert row["name"] == "aten::mm"
    assert found["unknown"][-1]["nodes"] == 1  # the host's operator


def test_an_operator_without_products_takes_its_bytes(trainyard, tmp_path):
    path = write(
        tmp_path / "add.et",
        node(1, "aten::add_(0)", "compute", is_cpu_op=True),
        node(2, "k", "compute", before=(1,), tensors="f32[1024,4096]", result="f32[1024,4096]"),
        node(3, "k2", "compute", before=(1,), tensors="f32[1024,4096]", result="f32[1024,4096]"),
    )
    found = timed(trainyard, path)
    assert found["total_us"] == pytest.approx(2 * 2 * 1024 * 4096 * 4 / 4.7e12 * 1e6, rel=0.01)


def test_kernels_of_one_call_share_its_work(trainyard, tmp_path):
    shape = "bf16[4096,4096]"
    both = [
        node(
            number,
            name,
            "compute",
            before=(1,),
            us=10,
            tensors=f"{shape} {shape}",
            result=shape,
            call=1,
        )
        for number, name in ((2, "split"), (3, "gemm"))
    ]
    host = node(1, "aten::mm(0)", "compute", is_cpu_op=True)
    one = timed(trainyard, write(tmp_path / "one.et", host, both[0]))
    again = timed(trainyard, write(tmp_path / "two.et", host, *both))
    assert again["rows"][0]["us"] == pytest.approx(one["rows"][0]["us"])
    assert again["rows"][0]["nodes"] == 2


def test_a_collective_is_simulated_and_hides_behind_what_does_not_wait(trainyard, tmp_path):
    reduce = node(
        3, "nccl", "all", before=(2,), us=90, is_cpu_op=False, comm_type=0, comm_size=1 << 20
    )
    free = product(4, 8192)
    path = write(tmp_path / "hidden.et", *product(1, 1024), reduce, *free)
    found = timed(trainyard, path, "--machine", "trn3-gen2", "--ranks", "16")
    priced = trainyard(
        "cc-test", "allr", "--lnc", "8", "-r", "16", "-b", "1MiB", "-e", "1MiB", "--json"
    )
    assert found["collective_us"] == pytest.approx(priced.data["rows"][0]["time_us"])
    assert found["exposed_us"] == 0
    waiting = write(tmp_path / "exposed.et", *product(1, 1024), reduce)
    exposed = timed(trainyard, waiting, "--machine", "trn3-gen2", "--ranks", "16")
    assert exposed["exposed_us"] == pytest.approx(exposed["collective_us"])
    assert exposed["total_us"] == pytest.approx(exposed["compute_us"] + exposed["collective_us"])


def test_what_a_trace_does_not_say_is_listed(trainyard, tmp_path):
    path = write(
        tmp_path / "dark.et",
        node(1, "cudaKernel", "compute", us=40, is_cpu_op=False),
        node(2, "nccl", "all", before=(1,), comm_type=0, comm_size=4096, pg_name="3"),
        node(3, "send", "send", before=(1,), us=5, comm_size=4096),
    )
    found = timed(trainyard, path, "--machine", "trn3-gen2")
    words = " ".join(row["name"] for row in found["unknown"])
    assert "cudaKernel: no operands; as long as it was recorded" in words
    assert "who is in a process group" in words
    assert "messages whose ends are not in the system" in words
    assert "how many ranks take part; taken as all 144 chips" in words
    assert found["compute_us"] == 40


def test_formats_may_be_cast(trainyard, tmp_path):
    shape = "f32[8192,8192]"
    path = write(
        tmp_path / "wide.et",
        node(1, "aten::mm", "compute", is_cpu_op=True),
        node(2, "sgemm", "compute", before=(1,), tensors=f"{shape} {shape}", result=shape),
    )
    wide = trainyard("time", "--json", path).data
    narrow = trainyard("time", "--json", path, "cast=bf16").data
    assert wide["total_us"] > 3 * narrow["total_us"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--ranks", "145"), "trn3-gen2 has 1 to 144 chips"),
        (("cast=int4",), "write one of bf16, fp8"),
        (("x=float32[1]",), "takes cast=bf16"),
        (("--what-if", "all"), "timed alone"),
    ],
)
def test_what_a_trace_is_not_asked(trainyard, tmp_path, arguments, text):
    path = write(tmp_path / "one.et", *product(1, 64))
    flags = [one for one in arguments if one.startswith("--") or one in ("145", "all")]
    rest = [one for one in arguments if one not in flags]
    done = trainyard("time", *flags, path, *rest)
    assert done.code == 2
    assert text in done.err


def test_damage_and_cycles_are_input_errors(trainyard, tmp_path):
    cut = write(tmp_path / "cut.et", *product(1, 64))
    cut.write_bytes(cut.read_bytes()[:-7])
    done = trainyard("time", cut)
    assert done.code == 3
    assert "trace.chakra" in done.err
    loop = write(
        tmp_path / "loop.et",
        node(1, "a", "compute", before=(2,), us=1),
        node(2, "b", "compute", before=(1,), us=1),
    )
    done = trainyard("time", loop)
    assert done.code == 2
    assert "2 of 2 nodes wait for each other" in done.err
