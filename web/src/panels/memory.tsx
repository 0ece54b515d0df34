// SBUF and PSUM over time: who holds which addresses, how full they are, and the moment of the peak.
import { computed, signal } from "@preact/signals";
import { Canvas, fitText, gutter, type Surface } from "../canvas.tsx";
import type { Space, Tensor } from "../document.ts";
import { bytesText, digits, percent, placeText, short, timeText } from "../format.ts";
import { occupancy, peakOf, type Peak, type Point } from "../occupancy.ts";
import { inkOn, palette, seriesColor } from "../palette.ts";
import { isLarge, run, selected, selectedTensor, shown, theme, ticksPerNs } from "../state.ts";
import {
  cursor,
  drawAxis,
  drawCursor,
  endDrag,
  moveDrag,
  onWheel,
  startDrag,
  timeAt,
} from "./timeline.tsx";

type SpaceName = "sbuf" | "psum";
// `top`: the highest address that the picture shows: a memory that is little used is not drawn empty.
interface Facts {
  space: Space;
  points: Point[];
  peak: Peak | null;
  colors: Map<string, number>;
  top: number;
}

function factsOf(space: Space | undefined): Facts | null {
  if (!space || space.tensors.length === 0) return null;
  const colors = new Map<string, number>();
  for (const tensor of space.tensors)
    if (!colors.has(keyOf(tensor))) colors.set(keyOf(tensor), colors.size);
  const used = space.tensors.reduce(
      (top, tensor) => Math.max(top, (tensor.address ?? 0) + tensor.bytes),
      1,
    ),
    all = space.bytes ?? used;
  return {
    space,
    points: occupancy(space),
    peak: peakOf(space),
    colors,
    top: used < 0.7 * all && !space.banks ? used * 1.04 : all,
  };
}

// Tensors that one source line makes have one colour.
function keyOf(tensor: Tensor): string {
  return tensor.place || tensor.name;
}

export const facts = {
  sbuf: computed(() => factsOf(run.value.details?.memory?.sbuf)),
  psum: computed(() => factsOf(run.value.details?.memory?.psum)),
};
const hover = signal<{ x: number; y: number; space: SpaceName; index: number } | null>(null);

function drawTensors(surface: Surface, found: Facts, name: SpaceName): void {
  const { context, width, height } = surface,
    { from, to } = shown.value,
    colors = palette();
  const scale = (width - gutter) / (to - from),
    tall = height / found.top;
  const chosen = selectedTensor.value;
  context.textAlign = "left";
  context.textBaseline = "middle";
  found.space.tensors.forEach((tensor, i) => {
    if (tensor.end <= from || tensor.begin >= to) return;
    const left = Math.max(gutter, gutter + (tensor.begin - from) * scale),
      right = Math.min(width, gutter + (tensor.end - from) * scale);
    const size = Math.max(tensor.bytes * tall, 1),
      y = height - (tensor.address ?? 0) * tall - size;
    const isChosen = chosen?.space === name && chosen.index === i;
    context.globalAlpha = chosen && !isChosen ? 0.35 : 0.85;
    context.fillStyle = seriesColor(found.colors.get(keyOf(tensor))!);
    context.fillRect(
      left,
      y,
      Math.max(right - left - (right - left > 3 ? 0.5 : 0), 0.7),
      Math.max(size - (size > 3 ? 0.5 : 0), 0.7),
    );
    if (size >= 11 && right - left > 46) {
      context.globalAlpha = 1;
      context.fillStyle = inkOn();
      context.fillText(fitText(tensor.name, right - left - 8), left + 4, y + size / 2 + 0.5);
    }
    if (isChosen) {
      context.globalAlpha = 1;
      context.strokeStyle = colors.selection;
      context.strokeRect(left - 0.5, y - 0.5, Math.max(right - left, 2), size + 1);
    }
  });
  context.globalAlpha = 1;
}

function drawUse(surface: Surface, found: Facts): void {
  const { context, width, height } = surface,
    { from, to } = shown.value,
    capacity = found.top * (found.space.partitions ?? 1);
  const scale = (width - gutter) / (to - from),
    colors = palette();
  context.strokeStyle = colors.text;
  context.lineWidth = 1;
  context.beginPath();
  let y = height - 0.5,
    started = false;
  for (const point of found.points) {
    const x = Math.min(width, Math.max(gutter, gutter + (point.time - from) * scale));
    if (!started) context.moveTo(gutter, y);
    started = true;
    context.lineTo(x, y);
    y = height - 0.5 - (point.bytes / capacity) * (height - 1);
    context.lineTo(x, y);
    if (point.time > to) break;
  }
  context.stroke();
}

function drawSpace(name: SpaceName): (surface: Surface) => void {
  return (surface) => {
    const found = facts[name].value,
      { from, to } = shown.value,
      at = cursor.value;
    void [theme.value, selectedTensor.value];
    const { context, width, height } = surface;
    if (!context || !found) return;
    const colors = palette();
    context.fillStyle = colors.back;
    context.fillRect(0, 0, width, height);
    context.fillStyle = colors.band;
    context.fillRect(gutter, 0, width - gutter, height);
    context.font = "11px ui-sans-serif, system-ui, sans-serif";
    drawAxis(surface, 0, height);
    const banks = found.space.banks ?? 1;
    context.strokeStyle = colors.grid;
    for (let bank = 1; bank < banks; ++bank) {
      const y = Math.round((height * bank) / banks) + 0.5;
      context.beginPath();
      context.moveTo(gutter, y);
      context.lineTo(width, y);
      context.stroke();
    }
    drawTensors(surface, found, name);
    drawUse(surface, found);
    const peak = found.peak;
    context.fillStyle = colors.text;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText(name.toUpperCase(), 18, 10);
    context.fillStyle = colors.faint;
    context.fillText(
      found.top < (found.space.bytes ?? 0)
        ? `to ${bytesText(found.top)}`
        : bytesText(found.space.bytes ?? 0),
      58,
      10,
    );
    if (peak) {
      context.fillText(`peak ${percent(peak.share)}`, 18, 25);
      if (height > 44) context.fillText(`at ${timeText(peak.time / ticksPerNs.value)}`, 18, 40);
      if (height > 60) context.fillText(`gap ${bytesText(peak.largestFree)}`, 18, 55);
      if (peak.time >= from && peak.time <= to) {
        const x = gutter + ((peak.time - from) / (to - from)) * (width - gutter);
        context.fillStyle = colors.path;
        context.beginPath();
        context.moveTo(x - 4, 0);
        context.lineTo(x + 4, 0);
        context.lineTo(x, 6);
        context.fill();
      }
    }
    drawCursor(surface, at);
  };
}

function hit(event: PointerEvent, name: SpaceName): number {
  const found = facts[name].value;
  if (!found || event.offsetX < gutter) return -1;
  const canvas = event.currentTarget as HTMLCanvasElement,
    time = timeAt(event);
  const address = (1 - event.offsetY / canvas.clientHeight) * found.top;
  return found.space.tensors.findIndex(
    (tensor) =>
      tensor.begin <= time &&
      time < tensor.end &&
      (tensor.address ?? 0) <= address &&
      address < (tensor.address ?? 0) + tensor.bytes,
  );
}

function Lane({ name, height }: { name: SpaceName; height: number }) {
  const found = facts[name].value;
  if (!found) return null;
  const at = hover.value,
    tensor = at?.space === name ? found.space.tensors[at.index] : null;
  return (
    <div class="lane">
      <Canvas
        draw={drawSpace(name)}
        height={height}
        label={`${name.toUpperCase()} over time: addresses up, time right`}
        onWheel={onWheel}
        onPointerDown={startDrag}
        onPointerMove={(event) => {
          if (moveDrag(event)) return;
          cursor.value = event.offsetX >= gutter ? timeAt(event) : null;
          const index = hit(event, name);
          hover.value =
            index < 0 ? null : { x: event.offsetX, y: event.offsetY, space: name, index };
        }}
        onPointerUp={(event) => {
          if (!endDrag()) return;
          const index = hit(event, name);
          selected.value = null;
          selectedTensor.value = index < 0 ? null : { space: name, index };
        }}
        onPointerLeave={() => {
          hover.value = null;
          cursor.value = null;
        }}
      />
      {tensor && (
        <div
          class="tip up"
          style={{
            left: `min(${at!.x + 14}px, calc(100% - 300px))`,
            bottom: `${height - at!.y + 10}px`,
          }}
        >
          <b>{short(tensor.name, 40)}</b>{" "}
          <span class="faint">
            {tensor.dtype}[{tensor.shape.join(", ")}]
          </span>
          <div>
            {bytesText(tensor.bytes)} in each of {tensor.partitions?.[1]} partitions, from{" "}
            {digits(tensor.address ?? 0, 9)}
          </div>
          <div class="faint">{placeText(tensor.place)}</div>
        </div>
      )}
    </div>
  );
}

export function Memory() {
  return (
    <div class="memory">
      <Lane name="sbuf" height={isLarge.value ? 170 : 76} />
      <Lane name="psum" height={isLarge.value ? 120 : 52} />
    </div>
  );
}
