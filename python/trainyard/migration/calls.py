"""Calls that change as a whole: methods, amp, torch.compile, attention."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from trainyard.migration import names

if TYPE_CHECKING:
    from trainyard.migration.visitor import Visitor

_ATTENTION = {
    "flash_attn.flash_attn_func": ("q", "k", "v", "dropout_p", "softmax_scale", "causal"),
    "flash_attn.flash_attn_interface.flash_attn_func": (
        "q",
        "k",
        "v",
        "dropout_p",
        "softmax_scale",
        "causal",
    ),
    "xformers.ops.memory_efficient_attention": ("q", "k", "v", "attn_bias", "p", "scale"),
}
_DEVICE = '"neuron"'
_RENAMED = {
    "query": "q",
    "key": "k",
    "value": "v",
    "p": "dropout_p",
    "softmax_scale": "scale",
    "causal": "is_causal",
}
_NO_EFFECT = {"deterministic": "False", "return_attn_probs": "False", "alibi_slopes": "None"}


class Calls:
    """Each method gives True where the call is dealt with."""

    def __init__(self, visitor: Visitor) -> None:
        self._v = visitor

    def visit(self, node: ast.Call) -> bool:
        path = self._v.path(node.func)
        if path in names.AMP or path in ("torch.amp.GradScaler",):
            return self._amp(node, names.AMP.get(path, path))
        if path == "torch.autocast" or path == "torch.amp.autocast":
            return self._autocast(node)
        if path in names.AMP_DECORATORS:
            return self._amp_decorator(node, names.AMP_DECORATORS[path])
        if path == "torch.compile":
            return self._compile(node)
        if path in _ATTENTION:
            return self._attention(node, _ATTENTION[path])
        if path in ("torch.nn.DataParallel", "torch.nn.parallel.DataParallel"):
            return self._data_parallel(node)
        if path == "torch.nn.parallel.data_parallel" and len(node.args) > 1 and not node.keywords:
            return self._call_of_module(node)
        if path == "torch.set_default_tensor_type":
            return self._default_type(node)
        if path == "torch.load":
            return self._load(node)
        if path == "torch.Generator":
            return self._generator(node)
        if path.startswith("torch.optim."):
            self._optimizer(node)
            return False
        if isinstance(node.func, ast.Attribute) and not path:
            return self._method(node, node.func)
        return False

    def _arguments(self, node: ast.Call, without: tuple[str, ...] = ()) -> list[str]:
        made = [self._v.rewritten(each) for each in node.args]
        for each in node.keywords:
            if each.arg not in without:
                name = f"{each.arg}=" if each.arg else "**"
                made.append(name + self._v.rewritten(each.value))
        return made

    def _amp(self, node: ast.Call, name: str) -> bool:
        """GradScaler and autocast: the device comes first."""
        if name == "torch.autocast":
            arguments = self._cast_arguments(node, node.args)
            self._v.change(node, f"torch.autocast({_DEVICE}{''.join(arguments)})")
            return True
        has_device = self._v.path(node.func) == "torch.amp.GradScaler" and (
            any(k.arg == "device" for k in node.keywords)
            or bool(node.args and isinstance(node.args[0], ast.Constant))
        )
        if has_device:
            return False
        self._v.change(node, f"{name}({', '.join([_DEVICE, *self._arguments(node)])})")
        return True

    def _cast_arguments(self, node: ast.Call, given: list[ast.expr]) -> list[str]:
        """float16 becomes bfloat16, which needs no scale."""
        made = [f", enabled={self._v.rewritten(each)}" for each in given[:1]]
        for each in node.keywords:
            if each.arg == "device_type":
                continue
            text = self._v.rewritten(each.value)
            if each.arg == "dtype":
                text = text.replace("float16", "bfloat16").replace("bbfloat", "bfloat")
                text = text.replace("torch.half", "torch.bfloat16")
            made.append(f", {each.arg}={text}" if each.arg else f", **{text}")
        return made

    def _autocast(self, node: ast.Call) -> bool:
        device = node.args[0] if node.args else None
        device = next((k.value for k in node.keywords if k.arg == "device_type"), device)
        if not isinstance(device, ast.Constant):
            return False
        if device.value != "cuda":
            return False
        arguments = self._cast_arguments(node, [])
        if len(node.args) > 1:
            kind = self._v.rewritten(node.args[1])
            kind = kind if "bfloat16" in kind else kind.replace("float16", "bfloat16")
            arguments.insert(0, f", {kind}")
        self._v.change(node, f"{self._v.script.text(node.func)}({_DEVICE}{''.join(arguments)})")
        return True

    def _amp_decorator(self, node: ast.Call, name: str) -> bool:
        arguments = ['device_type="neuron"', *self._arguments(node)]
        self._v.change(node, f"{name}({', '.join(arguments)})")
        return True

    def _compile(self, node: ast.Call) -> bool:
        """backend, and no other mode, options or dynamic shapes."""
        dropped = ("backend", "mode", "options", "dynamic")
        arguments = self._arguments(node, dropped)
        self._v.change(
            node,
            f"{self._v.script.text(node.func)}({', '.join([*arguments, f'backend={_DEVICE}'])})",
        )
        return True

    def _attention(self, node: ast.Call, order: tuple[str, ...]) -> bool:
        """[batch, sequence, heads, size] becomes [batch, heads, sequence, size] and back."""
        given = dict(zip(order, node.args, strict=False))
        for each in node.keywords:
            given[_RENAMED.get(each.arg or "", each.arg or "**")] = each.value
        made = {_RENAMED.get(name, name): value for name, value in given.items()}
        for name, plain in _NO_EFFECT.items():
            if name in made and ast.unparse(made[name]) == plain:
                del made[name]
        bias = made.pop("attn_bias", None)
        extra = ""
        if bias is not None and ast.unparse(bias) != "None":
            if not ast.unparse(bias).endswith("LowerTriangularMask()"):
                self._v.refuse(node, "pass the mask to scaled_dot_product_attention(attn_mask=)")
                return True
            extra = ", is_causal=True"
        allowed = ("q", "k", "v", "dropout_p", "scale", "is_causal")
        if (
            set(made) - set(allowed)
            or not {"q", "k", "v"} <= set(made)
            or len(node.args) > len(order)
        ):
            unknown = ", ".join(sorted(set(made) - set(allowed))) or "its arguments"
            self._v.refuse(node, f"scaled_dot_product_attention has no {unknown}: use a mask")
            return True
        tensors = [f"{self._factor(made.pop(x))}.transpose(1, 2)" for x in ("q", "k", "v")]
        rest = "".join(f", {name}={self._v.rewritten(value)}" for name, value in made.items())
        self._v.change(
            node,
            f"torch.nn.functional.scaled_dot_product_attention({', '.join(tensors)}{rest}{extra}, "
            "enable_gqa=True).transpose(1, 2)",
        )
        return True

    def _factor(self, node: ast.expr) -> str:
        """What a method can be called of."""
        text = self._v.rewritten(node)
        simple = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        return text if simple else f"({text})"

    def _call_of_module(self, node: ast.Call) -> bool:
        """data_parallel(module, inputs, ...): the module of its inputs, as there is one device."""
        module, inputs = (self._v.rewritten(each) for each in node.args[:2])
        star = "*" if isinstance(node.args[1], (ast.Tuple, ast.List)) else ""
        self._v.change(node, f"{module}({star}{inputs})")
        return True

    def _data_parallel(self, node: ast.Call) -> bool:
        if not node.args:
            return False
        if any(
            isinstance(each, ast.Attribute) and each.attr == "module"
            for each in ast.walk(self._v.script.tree)
        ):
            self._v.refuse(node, "there is one device: use the model itself, without `.module`")
            return True
        self._v.change(node, self._v.rewritten(node.args[0]))
        return True

    def _default_type(self, node: ast.Call) -> bool:
        kind = ast.unparse(node.args[0]).strip("'\"") if node.args else ""
        if not kind.startswith("torch.cuda."):
            return False
        dtype = names.CUDA_TENSORS.get(kind.rsplit(".", 1)[-1])
        if dtype is None:
            return False
        text = 'torch.set_default_device("neuron")'
        if dtype != "float32":
            text = f"{text}, torch.set_default_dtype(torch.{dtype})"
        self._v.change(node, text)
        return True

    def _load(self, node: ast.Call) -> bool:
        """map_location=lambda storage, _: storage.cuda(): the device's name says it."""
        given = [*node.args[1:2], *[k.value for k in node.keywords if k.arg == "map_location"]]
        body = given[0].body if given and isinstance(given[0], ast.Lambda) else None
        method = body.func if isinstance(body, ast.Call) else None
        if not (isinstance(method, ast.Attribute) and method.attr == "cuda"):
            return False
        self._v.change(given[0], _DEVICE)
        for each in (*node.args, *[k.value for k in node.keywords]):
            if each is not given[0]:
                self._v.visit(each)
        return True

    def _generator(self, node: ast.Call) -> bool:
        if any("cuda" in ast.unparse(each) for each in (*node.args, *node.keywords)):
            self._v.refuse(node, "the device has one generator: torch.neuron.manual_seed()")
            return True
        return False

    def _optimizer(self, node: ast.Call) -> None:
        """No step is captured but by torch.compile."""
        for each in node.keywords:
            if each.arg == "capturable" and ast.unparse(each.value) == "True":
                self._v.change(each.value, "False")

    def _method(self, node: ast.Call, method: ast.Attribute) -> bool:
        """x.cuda() of tensors and modules."""
        if method.attr == "cuda":
            value = self._v.rewritten(method.value)
            number = node.args[0] if node.args else None
            if isinstance(number, ast.Constant) and number.value not in (0, None):
                self._v.refuse(node, "there is one device, neuron:0")
                return True
            rest = self._arguments(node, ("device",))[len(node.args) :]
            self._v.change(node, f"{value}.to({', '.join([_DEVICE, *rest])})")
            return True
        return False
