"""Does `trainyard cost` price the runs that other commands have printed?"""

import json

from command_line import KERNELS, X


def test_what_time_prints_is_priced(trainyard, tmp_path):
    timed = trainyard("time", "--json", f"{KERNELS}:double", X)
    (tmp_path / "run.json").write_text(timed.out)
    priced = trainyard("cost", "--json", "run.json").data["values"]
    report = timed.data["kernels"][0]["report"]
    assert priced["joules"]["value"] == report["energy"]["joules"]["value"]
    assert priced["usd_contract"]["value"] == report["dollars"]["rent"][0]["dollars"]["value"]


def test_each_run_of_a_file_is_priced(trainyard, tmp_path):
    timed = trainyard("time", "--json", f"{KERNELS}:double", X)
    (tmp_path / "report.json").write_text(timed.out.replace('"kernels": [', '"kernels": [{},', 1))
    assert "runs" not in trainyard("cost", "--json", "report.json").data
    two = timed.data
    two["kernels"] *= 2
    (tmp_path / "two.json").write_text(json.dumps(two))
    assert len(trainyard("cost", "--json", "two.json").data["runs"]) == 2


def test_a_file_without_a_timed_run_is_refused(trainyard, tmp_path):
    run = trainyard("run", "--json", f"{KERNELS}:double", X)
    (tmp_path / "run.json").write_text(run.out)
    refused = trainyard("cost", "run.json")
    assert refused.code == 2
    assert "holds no timed run" in refused.err
