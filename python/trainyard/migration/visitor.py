"""Walks through a script and finds what changes."""

from __future__ import annotations

import ast
import re

from trainyard.migration import names
from trainyard.migration.calls import Calls
from trainyard.migration.script import CHANGE, NOTE, REFUSED, Script

_DEVICE = re.compile(r"cuda(:\d+)?")


class Visitor(ast.NodeVisitor):
    """Names are followed through imports: `from torch.cuda import amp` makes amp.autocast known."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.needs_import = False
        self._imported: dict[str, str] = {}
        self._calls = Calls(self)
        self._import_is_there = False
        self._attention_imports: list[ast.Import | ast.ImportFrom] = []

    # What the parts say of the whole.

    def change(self, node: ast.AST, new: str) -> None:
        if new == self.script.text(node):
            return
        self.needs_import = not self._import_is_there
        self.script.change(node, new)

    def refuse(self, node: ast.AST, reason: str) -> None:
        self.script.add(node, REFUSED, reason)

    def note(self, node: ast.AST, text: str) -> None:
        self.script.add(node, NOTE, text)

    def path(self, node: ast.AST) -> str:
        """The full name of a chain of attributes: "torch.cuda.amp.autocast"; "" of others."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self._imported:
            return ""
        return ".".join([self._imported[node.id], *reversed(parts)])

    def rewritten(self, node: ast.AST) -> str:
        """The text of an argument with the changes within it; what else is found there counts."""
        inner = self._within(self.script.text(node))
        for found in inner.findings:
            if found.kind != CHANGE:
                self.script.add_within(node, found)
        return inner.result()[1:-1]

    def _within(self, text: str) -> Script:
        """What is found in an expression by itself, in brackets."""
        inner = Script(text.join("()"))
        visitor = Visitor(inner)
        visitor._imported = self._imported
        visitor._import_is_there = self._import_is_there
        visitor.visit(inner.tree)
        return inner

    # Imports.

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._refuse_module(node, alias.name)
            if alias.name == "torch_neuronx":
                self._import_is_there, self.needs_import = True, False
            if alias.asname:
                self._imported[alias.asname] = alias.name
            else:
                self._imported[alias.name.split(".")[0]] = alias.name.split(".")[0]
        kept = [a for a in node.names if not a.name.startswith("torch.cuda")]
        if len(kept) < len(node.names):
            clauses = [a.name + (f" as {a.asname}" if a.asname else "") for a in kept]
            if kept:
                self.change(node, f"import {', '.join(clauses)}")
            else:
                self._leave_out(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level:
            return
        self._refuse_module(node, module)
        for alias in node.names:
            self._imported[alias.asname or alias.name] = f"{module}.{alias.name}"
        is_cuda = module == "torch.cuda" or module.startswith("torch.cuda.")
        gone = [a for a in node.names if is_cuda or (module == "torch" and a.name == "cuda")]
        if gone:
            kept = [a for a in node.names if a not in gone]
            clauses = ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in kept)
            if kept:
                self.change(node, f"from {module} import {clauses}")
            else:
                self._leave_out(node)

    def finish(self) -> None:
        """Leaves out imports of attention kernels none of whose names is left."""
        if not any(each.text == names.ATTENTION for each in self.script.findings):
            for node in self._attention_imports:
                self._leave_out(node)

    def _leave_out(self, node: ast.Import | ast.ImportFrom) -> None:
        """An import of names that are gone; `torch` is what stands for them."""
        is_there = any(
            isinstance(each, ast.Import)
            and any(a.name == "torch" and not a.asname for a in each.names)
            for each in self.script.tree.body
        )
        if is_there and node in self.script.tree.body:
            self.change(node, "")
            self.script.drop_line(node)
        else:
            self.change(node, "import torch")

    def _refuse_module(self, node: ast.Import | ast.ImportFrom, module: str) -> None:
        if module.split(".")[0] in names.ATTENTION_MODULES:
            self._attention_imports.append(node)
        for name, reason in names.MODULES.items():
            if module == name or module.startswith(name + "."):
                self.refuse(node, reason)
        if module.startswith("torch.utils.cpp_extension"):
            self.refuse(node, names.REFUSED["torch.utils.cpp_extension"])

    # Names and strings.

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._name(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._name(node)

    def _name(self, node: ast.Attribute | ast.Name) -> None:
        path = self.path(node)
        if not path:
            if isinstance(node, ast.Attribute):
                if node.attr == "is_cuda":
                    value = self.rewritten(node.value)
                    self.change(node, f'({value}.device.type == "neuron")')
                    return
                self.generic_visit(node)
            return
        if path.split(".")[0] in names.ATTENTION_MODULES:
            self.refuse(node, names.ATTENTION)
        elif path.startswith("torch."):
            self._torch_name(node, path)

    def _torch_name(self, node: ast.Attribute | ast.Name, path: str) -> None:
        last = path.rsplit(".", 1)[-1]
        if path in names.RENAMED:
            self.change(node, names.RENAMED[path])
        elif path in names.AMP_DECORATORS:
            self.change(node, f'{names.AMP_DECORATORS[path]}(device_type="neuron")')
        elif path in names.AMP:
            self.refuse(node, f'call it here, as {names.AMP[path]}("neuron")')
        elif path in names.REFUSED:
            self.refuse(node, names.REFUSED[path])
        elif reason := next(
            (r for below, r in names.REFUSED_BELOW.items() if path.startswith(below + ".")), ""
        ):
            self.refuse(node, reason)
        elif path == f"torch.cuda.{last}" and last in names.SAME:
            self.change(node, f"torch.neuron.{last}")
        elif path == f"torch.cuda.{last}" and last in names.CUDA_TENSORS:
            self.refuse(
                node, f'torch.tensor(..., dtype=torch.{names.CUDA_TENSORS[last]}, device="neuron")'
            )
        elif path.startswith("torch.cuda."):
            self.refuse(node, "the device has nothing of this name: remove it")
        elif path == "torch.cuda":
            self.change(node, "torch.neuron")
        elif path.startswith("torch.accelerator."):  # which finds the device once it is registered
            self.needs_import = not self._import_is_there

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str):
            return
        if _DEVICE.fullmatch(node.value):
            self._device_text(node, node.value)
        elif node.value in names.ATTENTION_NAMES:
            self.change(node, f'"{names.ATTENTION_NAMES[node.value]}"')
        elif node.value == "CUDA_VISIBLE_DEVICES":
            self.note(node, "has no effect on the device")

    def _device_text(self, node: ast.AST, value: str) -> None:
        _, _, number = value.partition(":")
        if number not in ("", "0"):
            self.refuse(node, f"there is one device, neuron:0, not {value}")
            return
        quote = self.script.text(node)[-1]
        self.change(node, f"{quote}neuron{':0' if number else ''}{quote}")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """f"cuda:{rank}": there is one device."""
        first = node.values[0] if node.values else None
        if isinstance(first, ast.Constant) and first.value == "cuda:":
            self.note(node, "there is one device: another number than 0 is an error")
            self.change(node, self.script.text(node).replace("cuda:", "neuron:", 1))
            return
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                self._inside_text(node, each.value)

    def _inside_text(self, whole: ast.JoinedStr, node: ast.expr) -> None:
        """An expression in an f-string, of which Python 3.11 may not know the place, and which
        cannot hold the string's own quotes before 3.12."""
        if not self._within(ast.unparse(node)).findings:
            return
        if not self.script.has_place(node):
            self.refuse(whole, f"compute {ast.unparse(node)} before the text")
            return
        old, new, end = self.script.text(node), self.rewritten(node), self.script.text(whole)
        if '"' not in old and end.endswith('"') and not end.endswith('"""'):
            new = new.replace('"', "'")
        self.change(node, new)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring is no code
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if not self._calls.visit(node):
            self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for each in node.decorator_list:
            if self.path(each) == "torch.compile":
                self.change(each, 'torch.compile(backend="neuron")')
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        path = self.path(node.targets[0])
        if path.startswith(("torch.backends.cuda", "torch.backends.cudnn")):
            self.note(node, "has no effect on the device")
            return
        self.generic_visit(node)
