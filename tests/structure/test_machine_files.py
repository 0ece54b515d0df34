"""Does every number about the hardware say where it comes from?"""

import tomllib

from sources import ROOT

KINDS = {"published", "derived", "estimated", "assumed"}


def uncited(node: object, place: str = "", cited: bool = False) -> list[str]:
    """The places of numbers whose own table lacks a unit, a source or a known kind."""
    if isinstance(node, dict):
        cited = bool(node.get("unit")) and bool(node.get("source")) and node.get("kind") in KINDS
        return [
            found
            for key, value in node.items()
            for found in uncited(value, f"{place}.{key}", cited)
        ]
    if isinstance(node, list):
        return [
            found
            for index, value in enumerate(node)
            for found in uncited(value, f"{place}[{index}]", cited)
        ]
    is_number = isinstance(node, int | float) and not isinstance(node, bool)
    return [place] if is_number and not cited else []


def test_no_number_is_uncited():
    found = [
        f"{path.name}{place}"
        for path in sorted((ROOT / "machines").rglob("*.toml"))
        for place in uncited(tomllib.loads(path.read_text()))
    ]
    assert not found, "\n".join(found)


def test_an_uncited_number_is_found():
    file = """
        a = {value = 1, unit = "GHz", source = "s", kind = "published"}
        b = {value = 2, unit = "GHz", kind = "published"}
        c = 3
        d = {value = 4, unit = "GHz", source = "s", kind = "guess"}
        e = {value = 5, source = "s", kind = "published"}
        f = {unit = "GHz", source = "s", kind = "published", inner = {value = 6}}
        g = {value = [7, 8], unit = "GHz", source = "s", kind = "assumed"}
    """
    found = uncited(tomllib.loads(file))
    assert found == [".b.value", ".c", ".d.value", ".e.value", ".f.inner.value"]
