"""A drawing as SVG and PNG: rectangles, lines, circles, text. No library, no fonts but the viewer's
in SVG; PNG needs Pillow."""

from __future__ import annotations

import html
import importlib
import importlib.util
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trainyard.usage import UsageError

INK = "#1f2933"
MUTED = "#7b8794"
GRID = "#e4e7eb"
COLORS = ("#2f6f9f", "#c2571a", "#3d8b57", "#8a4f9e", "#b08900", "#5b6770", "#a23b53", "#2a8c8c")


@dataclass
class Drawing:
    """Shapes in the order they are drawn; coordinates in pixels from the upper left."""

    width: int
    height: int
    title: str
    shapes: list[tuple] = field(default_factory=list)

    def rectangle(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """A filled rectangle."""
        self.shapes.append(("rectangle", x, y, width, height, color))

    def line(self, points: Sequence[tuple[float, float]], color: str, width: float = 1) -> None:
        """A line through points."""
        self.shapes.append(("line", list(points), color, width))

    def dot(self, x: float, y: float, radius: float, color: str) -> None:
        """A filled circle."""
        self.shapes.append(("dot", x, y, radius, color))

    def text(self, x: float, y: float, words: str, anchor: str = "start", color: str = INK) -> None:
        """A line of text; y is its base line, anchor "start", "middle" or "end"."""
        self.shapes.append(("text", x, y, words, anchor, color))

    @property
    def svg(self) -> str:
        """The drawing as an SVG element."""
        body = "\n".join(_svg_of(shape) for shape in self.shapes)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img" '
            f'font-family="system-ui, sans-serif" font-size="12">\n'
            f"<title>{html.escape(self.title)}</title>\n{body}\n</svg>\n"
        )

    @property
    def png(self) -> bytes:
        """The drawing as PNG. Raises UsageError without Pillow."""
        return _png_of(self)

    def save(self, path: str | Path) -> Path:
        """Writes .svg or .png. Raises UsageError for another ending, OSError."""
        from trainyard.files import write_whole

        path = Path(path)
        if path.suffix not in (".svg", ".png"):
            raise UsageError(f"a figure is saved as .svg or .png, not {path.name}")
        write_whole(path, self.svg.encode() if path.suffix == ".svg" else self.png)
        return path

    def _repr_svg_(self) -> str:
        return self.svg


def _svg_of(shape: tuple) -> str:
    kind = shape[0]
    if kind == "rectangle":
        _, x, y, width, height, color = shape
        return (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="{color}"/>'
        )
    if kind == "line":
        _, points, color, width = shape
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        return f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>'
    if kind == "dot":
        _, x, y, radius, color = shape
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{color}"/>'
    _, x, y, words, anchor, color = shape
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">'
        f"{html.escape(words)}</text>"
    )


def _png_of(drawing: Drawing) -> bytes:
    if importlib.util.find_spec("PIL") is None:
        raise UsageError("PNG needs the Python package Pillow; SVG needs nothing")
    image_module = importlib.import_module("PIL.Image")
    scale = 2
    image = image_module.new("RGB", (drawing.width * scale, drawing.height * scale), "white")
    pen = importlib.import_module("PIL.ImageDraw").Draw(image)
    font = importlib.import_module("PIL.ImageFont").load_default(12 * scale)
    anchors = {"start": "ls", "middle": "ms", "end": "rs"}
    for shape in drawing.shapes:
        if shape[0] == "rectangle":
            _, x, y, width, height, color = shape
            corners = (x * scale, y * scale, (x + width) * scale, (y + height) * scale)
            pen.rectangle(corners, fill=color)
        elif shape[0] == "line":
            _, points, color, width = shape
            scaled = [(x * scale, y * scale) for x, y in points]
            pen.line(scaled, fill=color, width=round(width * scale))
        elif shape[0] == "dot":
            _, x, y, radius, color = shape
            left, top = (x - radius) * scale, (y - radius) * scale
            pen.ellipse(
                (left, top, left + 2 * radius * scale, top + 2 * radius * scale), fill=color
            )
        else:
            _, x, y, words, anchor, color = shape
            pen.text((x * scale, y * scale), words, fill=color, font=font, anchor=anchors[anchor])
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
