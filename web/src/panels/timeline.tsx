// The timeline: what each engine, queue, DMA engine and memory did, with the critical path; zoom
// and pan, hover, selection.
import { signal } from "@preact/signals";
import { Canvas, fitText, gutter, type Surface } from "../canvas.tsx";
import { placeText, short, timeText } from "../format.ts";
import { colorOf, inkOn, palette } from "../palette.ts";
import { classCount, OVERHEAD, THROTTLE, WAIT, WORK, type Rows } from "../rows.ts";
import {
  end,
  engine,
  expandsDma,
  matching,
  mnemonicOf,
  places,
  rowHeight,
  rows,
  run,
  select,
  selected,
  show,
  shown,
  showsPath,
  theme,
  ticksPerNs,
  trackRows,
  zoom,
  type TrackRow,
} from "../state.ts";
import { served } from "../served.ts";
import { wordsOf } from "../verdict.ts";
import { scaleLinear } from "d3-scale";

const axisHeight = 22;
interface Hover {
  x: number;
  y: number;
  track: number;
  row: number;
}
export const hover = signal<Hover | null>(null);
export const cursor = signal<number | null>(null); // time under the pointer, in all panels with a time axis

export function drawAxis({ context, width }: Surface, top: number, bottom: number): void {
  const colors = palette(),
    { from, to } = shown.value,
    perNs = ticksPerNs.value;
  const scale = scaleLinear([from / perNs, to / perNs], [gutter, width]);
  const step = scale.ticks(Math.max(2, Math.floor((width - gutter) / 110)));
  const unit = Math.max(Math.abs(step[step.length - 1] ?? 0), 1);
  const [factor, name] = unit >= 1e6 ? [1e6, "ms"] : unit >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const tick of step) {
    const x = Math.round(scale(tick)) + 0.5;
    context.strokeStyle = colors.grid;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, bottom);
    context.stroke();
    if (top > 0 && x > gutter + 24 && x < width - 30) {
      context.fillStyle = colors.faint;
      context.fillText(`${Number((tick / factor).toPrecision(8))} ${name}`, x, top / 2);
    }
  }
}

function colorOfClass(c: number, work: string): string {
  const colors = palette();
  return c === WORK
    ? work
    : c === WAIT
      ? colors.wait
      : c === OVERHEAD
        ? colors.overhead
        : colors.throttle;
}

interface Area {
  context: CanvasRenderingContext2D;
  x: number;
  y: number;
  width: number;
  height: number;
  from: number;
  to: number;
}

// Every slice by itself, with its name where there is room.
function drawSlices(
  area: Area,
  slices: Rows,
  first: number,
  last: number,
  work: string,
  wanted: Uint8Array | null,
): void {
  const { context, x, y, width, height, from, to } = area;
  const scale = width / (to - from),
    colors = palette();
  for (let row = first; row < last; ++row) {
    const left = Math.max(x, x + (slices.begin[row] - from) * scale);
    const right = Math.min(x + width, x + (slices.end[row] - from) * scale);
    const c = slices.classAt(row),
      isWanted = !wanted || wanted[slices.instruction[row]] === 1;
    context.globalAlpha = isWanted ? 1 : colors.dim;
    context.fillStyle = colorOfClass(c, work);
    const isThin = c === OVERHEAD || c === WAIT;
    const gap = right - left > 4 ? 0.5 : 0;
    context.fillRect(
      left,
      isThin ? y + height * 0.3 : y,
      Math.max(right - left - gap, 0.6),
      isThin ? height * 0.4 : height,
    );
    if (c === WORK && right - left > 42 && isWanted) {
      context.fillStyle = inkOn();
      context.textAlign = "left";
      context.fillText(
        fitText(mnemonicOf(slices.instruction[row]), right - left - 8),
        left + 4,
        y + height / 2 + 0.5,
      );
    }
  }
  context.globalAlpha = 1;
}

// The share of each column of pixels, as a bar: work from below, then waits.
function drawShares(area: Area, shares: Float32Array, columns: number, work: string): void {
  const { context, x, y, width, height } = area;
  const step = width / columns;
  for (const c of [WORK, OVERHEAD, WAIT, THROTTLE]) {
    context.fillStyle = colorOfClass(c, work);
    let start = 0,
      tall = -1,
      low = 0;
    for (let k = 0; k <= columns; ++k) {
      let base = 0,
        size = -1;
      if (k < columns) {
        const at = k * classCount;
        if (c !== WORK) base = shares[at + WORK];
        if (c === OVERHEAD || c === WAIT) base += shares[at + THROTTLE];
        if (c === WAIT) base += shares[at + OVERHEAD];
        const share = shares[at + c] * (c === WAIT ? 0.6 : 1);
        // Work and throttling stay visible, however small their part of a column.
        const least = c === WORK || c === THROTTLE ? 1 : 0;
        size = share > 0 ? Math.max(Math.round(share * height), least) : 0;
        base = Math.round(base * height);
      }
      if (size === tall && base === low) continue;
      if (tall > 0)
        context.fillRect(x + start * step, y + height - low - tall, (k - start) * step, tall);
      start = k;
      tall = size;
      low = base;
    }
  }
}

function drawTrack(area: Area, row: TrackRow, wanted: Uint8Array | null): void {
  const work = colorOf(row.name, row.kind);
  const columns = Math.max(1, Math.floor(area.width));
  const far = served(row.tracks, area.from, area.to, columns);
  if (far) return drawShares(area, far, columns, work);
  if (row.tracks.length === 1) {
    const slices = rows.value[row.tracks[0]];
    const first = slices.firstAfter(area.from),
      last = Math.min(slices.count, slices.firstAfter(area.to) + 1);
    if (last - first <= columns || (wanted && last - first < 40_000))
      return drawSlices(area, slices, first, last, work, wanted);
  }
  const sum = new Float32Array(columns * classCount),
    part = new Float32Array(columns * classCount);
  for (const track of row.tracks) {
    rows.value[track].shares(area.from, area.to, columns, part);
    for (let i = 0; i < sum.length; ++i) sum[i] += part[i] / row.tracks.length;
  }
  if (wanted) area.context.globalAlpha = palette().dim;
  drawShares(area, sum, columns, work);
  area.context.globalAlpha = 1;
}

function drawPath(surface: Surface, list: TrackRow[], from: number, to: number): void {
  const path = run.value.details?.path;
  if (!path || !showsPath.value) return;
  const { context, width } = surface,
    scale = (width - gutter) / (to - from);
  const lane = new Map<number, number>();
  list.forEach((row, i) => row.tracks.forEach((track) => lane.set(track, i)));
  let low = 0,
    high = path.end.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (path.end[middle] <= from) low = middle + 1;
    else high = middle;
  }
  context.fillStyle = palette().path;
  const bottom = (at: number) => axisHeight + at * rowHeight.value + rowHeight.value - 3;
  // Neighbours on one track are one stretch; of stretches narrower than a pixel, one in each pixel.
  let lead: { lane: number; left: number; right: number } | null = null,
    joint = -1;
  const flush = () =>
    lead &&
    context.fillRect(lead.left, bottom(lead.lane), Math.max(lead.right - lead.left, 0.8), 2.2);
  for (let i = low; i < path.end.length; ++i) {
    const begin = i === 0 ? 0 : path.end[i - 1];
    if (begin >= to) break;
    const at = lane.get(path.track[i]);
    if (at === undefined) continue;
    const left = Math.max(gutter, gutter + (begin - from) * scale),
      right = Math.min(width, gutter + (path.end[i] - from) * scale);
    if (lead && lead.lane === at && left <= lead.right + 0.5) {
      lead.right = right;
      continue;
    }
    flush();
    if (lead && left > gutter && left - joint >= 1) {
      const y = bottom(at),
        other = bottom(lead.lane);
      context.globalAlpha = 0.35;
      context.fillRect(left - 0.5, Math.min(y, other), 1, Math.abs(y - other));
      context.globalAlpha = 1;
      joint = left;
    }
    lead = { lane: at, left, right };
  }
  flush();
}

function draw(surface: Surface): void {
  const list = trackRows.value,
    { from, to } = shown.value,
    wanted = matching.value,
    chosen = selected.value;
  const at = cursor.value;
  void [theme.value, engine.value, showsPath.value, places.value, run.value, end.value];
  const { context, width, height } = surface;
  if (!context) {
    served([], from, to, 1);
    return;
  }
  const colors = palette();
  context.fillStyle = colors.back;
  context.fillRect(0, 0, width, height);
  context.font = "11px ui-sans-serif, system-ui, sans-serif";
  list.forEach((_, i) => {
    context.fillStyle = i % 2 ? colors.back : colors.band;
    context.fillRect(0, axisHeight + i * rowHeight.value, width, rowHeight.value);
  });
  drawAxis(surface, axisHeight, axisHeight + list.length * rowHeight.value);
  list.forEach((row, i) => {
    const y = axisHeight + i * rowHeight.value;
    context.globalAlpha = engine.value && engine.value !== row.name ? 0.45 : 1;
    context.fillStyle = colorOf(row.name, row.kind);
    context.fillRect(8, y + 5, 4, rowHeight.value - 10);
    context.fillStyle = engine.value === row.name ? colors.accent : colors.text;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText(fitText(row.name, gutter - 28), 18, y + rowHeight.value / 2 + 0.5);
    context.globalAlpha = 1;
    drawTrack(
      {
        context,
        x: gutter,
        y: y + 2,
        width: width - gutter,
        height: rowHeight.value - 5,
        from,
        to,
      },
      row,
      wanted,
    );
  });
  drawPath(surface, list, from, to);
  const scale = (width - gutter) / (to - from);
  if (chosen) {
    const lane = list.findIndex((row) => !row.isFolded && row.tracks.includes(chosen.track));
    if (lane >= 0) {
      const slices = rows.value[chosen.track];
      const left = gutter + (slices.begin[chosen.row] - from) * scale,
        right = gutter + (slices.end[chosen.row] - from) * scale;
      context.strokeStyle = colors.selection;
      context.lineWidth = 1.6;
      if (right >= gutter && left <= width)
        context.strokeRect(
          Math.max(left, gutter) - 0.5,
          axisHeight + lane * rowHeight.value + 1,
          Math.max(Math.min(right, width) - Math.max(left, gutter), 2) + 1,
          rowHeight.value - 3,
        );
      context.lineWidth = 1;
    }
  }
  drawCursor(surface, at);
}

export function drawCursor({ context, width, height }: Surface, at: number | null): void {
  const { from, to } = shown.value;
  if (at === null || at < from || at > to) return;
  const x = Math.round(gutter + ((at - from) / (to - from)) * (width - gutter)) + 0.5;
  context.strokeStyle = palette().line;
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
}

export function timeAt(event: {
  offsetX: number;
  currentTarget: EventTarget | null;
  target: EventTarget | null;
}): number {
  const canvas = (event.currentTarget ?? event.target) as HTMLCanvasElement;
  const { from, to } = shown.value;
  return from + ((event.offsetX - gutter) / Math.max(canvas.clientWidth - gutter, 1)) * (to - from);
}

export function onWheel(event: WheelEvent): void {
  event.preventDefault();
  const { from, to } = shown.value;
  const sideways = event.shiftKey ? event.deltaY : event.deltaX;
  if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY))
    show(from + (sideways * (to - from)) / 800, to + (sideways * (to - from)) / 800);
  else
    zoom(
      Math.max(from, Math.min(to, timeAt(event))),
      Math.exp(Math.max(-0.5, Math.min(0.5, event.deltaY * 0.0022))),
    );
}

let drag: { x: number; from: number; to: number; isMoved: boolean } | null = null;

export function startDrag(event: PointerEvent): void {
  if (event.button !== 0) return;
  (event.currentTarget as HTMLCanvasElement).setPointerCapture(event.pointerId);
  drag = { x: event.offsetX, ...shown.value, isMoved: false };
}

// Whether the pointer dragged the window along.
export function moveDrag(event: PointerEvent): boolean {
  if (!drag || event.buttons === 0) return false;
  const canvas = event.currentTarget as HTMLCanvasElement;
  const moved = ((event.offsetX - drag.x) / (canvas.clientWidth - gutter)) * (drag.to - drag.from);
  if (Math.abs(event.offsetX - drag.x) > 3) drag.isMoved = true;
  if (drag.isMoved) show(drag.from - moved, drag.to - moved);
  return drag.isMoved;
}

// Whether it was a click.
export function endDrag(): boolean {
  const wasClick = drag !== null && !drag.isMoved;
  drag = null;
  return wasClick;
}

function hit(event: PointerEvent): Hover | null {
  const row = trackRows.value[Math.floor((event.offsetY - axisHeight) / rowHeight.value)];
  if (!row || event.offsetX < gutter || event.offsetY < axisHeight) return null;
  const time = timeAt(event),
    { from, to } = shown.value;
  const near = ((to - from) / (event.currentTarget as HTMLCanvasElement).clientWidth) * 2;
  for (const track of row.tracks) {
    const slices = rows.value[track];
    let at = slices.at(time);
    if (at < 0) {
      // What is narrower than a pixel is hit nearby.
      const next = slices.firstAfter(time - near);
      if (next < slices.count && slices.begin[next] <= time + near) at = next;
    }
    if (at >= 0) return { x: event.offsetX, y: event.offsetY, track, row: at };
  }
  return null;
}

function onMove(event: PointerEvent): void {
  if (moveDrag(event)) {
    hover.value = null;
    return;
  }
  cursor.value = event.offsetX >= gutter ? timeAt(event) : null;
  hover.value = hit(event);
}

function onUp(event: PointerEvent): void {
  if (!endDrag()) return;
  const found = hit(event);
  const row = trackRows.value[Math.floor((event.offsetY - axisHeight) / rowHeight.value)];
  if (found) select(found.track, found.row);
  else if (event.offsetX < gutter && row?.kind === "dma_engine")
    expandsDma.value = !expandsDma.value;
  else if (event.offsetX < gutter && row?.kind === "engine")
    engine.value = engine.value === row.name ? null : row.name;
  else selected.value = null;
}

function Tip() {
  const at = hover.value;
  if (!at) return null;
  const slices = rows.value[at.track],
    instruction = slices.instruction[at.row];
  const reason = run.value.timeline!.reasons[slices.reason[at.row]];
  const place = instruction >= 0 ? places.value[instruction] : "";
  return (
    <div
      class="tip"
      style={{ left: `min(${at.x + 14}px, calc(100% - 300px))`, top: `${at.y + 16}px` }}
    >
      <b>{short(instruction >= 0 ? mnemonicOf(instruction) : reason)}</b>{" "}
      <span class="faint">{run.value.timeline!.tracks[at.track].name}</span>
      <div>
        {timeText((slices.end[at.row] - slices.begin[at.row]) / ticksPerNs.value)} {wordsOf(reason)}
      </div>
      {place && <div class="faint">{placeText(place)}</div>}
    </div>
  );
}

export function Timeline() {
  const list = trackRows.value;
  if (list.length === 0)
    return (
      <div class="empty">
        No trace: this page was made from a report alone. `trainyard profile` records one.
      </div>
    );
  return (
    <div class="timeline">
      <Canvas
        draw={draw}
        height={axisHeight + list.length * rowHeight.value + 2}
        label="Timeline of engines, queues and memories"
        onWheel={onWheel}
        onPointerDown={startDrag}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerLeave={() => {
          hover.value = null;
          cursor.value = null;
        }}
        onDblClick={() => {
          const chosen = selected.value;
          if (chosen) {
            const slices = rows.value[chosen.track],
              length = slices.end[chosen.row] - slices.begin[chosen.row];
            show(slices.begin[chosen.row] - length, slices.end[chosen.row] + length);
          }
        }}
      />
      <Tip />
    </div>
  );
}
