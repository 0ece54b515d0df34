"""The simulator nki-library asks for by this name, as an alias of Trainyard's nki."""

import sys
from types import ModuleType

import nki
import nki.isa.constants
from nki.language import _types

from nki_cpu_simulator import frontend


def _module(name: str, **content: object) -> ModuleType:
    made = ModuleType(name)
    vars(made).update(content)
    return made


if not hasattr(nki, "cpu_simulate"):
    nki.cpu_simulate = nki.simulate
_builtin = _module("nki.builtin")
_tensor = _module("nki.tensor")
_compiler = sys.modules.get("nki.compiler") or _module("nki.compiler", frontend=frontend)
_names = {
    "": nki,
    ".builtin": _builtin,
    ".compiler": _compiler,
    ".isa": nki.isa,
    ".isa.constants": nki.isa.constants,
    ".language": nki.language,
    ".language.dtypes": _types,
    ".tensor": _tensor,
    ".typing": nki.typing,
}
for _name, _made in _names.items():
    sys.modules["nki_cpu_simulator.nki" + _name] = _made
sys.modules.setdefault("nki.compiler.frontend", frontend)
for _owner, _attribute, _made in (
    (nki, "builtin", _builtin),
    (nki, "compiler", _compiler),
    (nki, "tensor", _tensor),
    (nki.language, "dtypes", _types),
):
    if not hasattr(_owner, _attribute):
        setattr(_owner, _attribute, _made)
