// What the page shows now: one signal for each thing that panels share, and what follows from them.
import { batch, computed, signal } from "@preact/signals";
import type { Line, RankDocument, RunDocument, ViewDocument } from "./document.ts";
import { decode, type Rows } from "./rows.ts";

export interface Row {
  track: number;
  row: number;
}
export interface Window {
  from: number;
  to: number;
}

export const view = signal<ViewDocument | null>(null);
export const runNumber = signal(0);
export const rankNumber = signal(0); // of the kinds of ranks of the run
export const shown = signal<Window>({ from: 0, to: 1 });
export const selected = signal<Row | null>(null);
export const selectedTensor = signal<{ space: "sbuf" | "psum" | "hbm"; index: number } | null>(
  null,
);
export const place = signal<string | null>(null); // the source line that panels are filtered by
export const engine = signal<string | null>(null); // likewise the engine
export const mnemonic = signal<string | null>(null); // likewise the kind of instruction
export const query = signal("");
export const showsPath = signal(true);
export const tab = signal("lines");
export const showsHelp = signal(false);
export const expandsDma = signal(false);
// A large screen gives the timeline taller rows.
export const isLarge = signal(window.innerHeight >= 1100);
window.addEventListener("resize", () => (isLarge.value = window.innerHeight >= 1100));
export const rowHeight = computed(() => (isLarge.value ? 26 : 19));
export const theme = signal<"dark" | "light">("light");

const decoded = new WeakMap<RunDocument, Rows[]>();
export function rowsOf(run: RunDocument): Rows[] {
  let rows = decoded.get(run);
  if (!rows) decoded.set(run, (rows = run.timeline ? decode(run.timeline) : []));
  return rows;
}

// The run as one of its ranks saw it: that rank's timeline, memory and critical path.
const seen = new WeakMap<RankDocument, RunDocument>();
function asSeenBy(whole: RunDocument, rank: RankDocument): RunDocument {
  let found = seen.get(rank);
  if (!found) {
    const details = { ...whole.details, memory: undefined, path: undefined, ...rank.details };
    const report = { ...whole.report, critical_path: undefined };
    seen.set(rank, (found = { ...whole, report, timeline: rank.timeline, details }));
  }
  return found;
}
export const run = computed<RunDocument>(() => {
  const whole = view.value!.runs[runNumber.value],
    rank = whole.ranks?.[rankNumber.value];
  return rank?.timeline ? asSeenBy(whole, rank) : whole;
});
// Of a served run, the rows of the stretch that was asked for last; of others, all.
export const near = signal<{ run: RunDocument; from: number; to: number; rows: Rows[] } | null>(
  null,
);
export const rows = computed<Rows[]>(() =>
  near.value?.run === run.value ? near.value.rows : rowsOf(run.value),
);
export const end = computed(() => run.value.timeline?.end ?? run.value.report.duration_ticks);
export const ticksPerNs = computed(() => run.value.report.ticks_per_ns);

// "FILE:LINE" of an instruction, "" where it is not known.
export const places = computed<string[]>(() => {
  const timeline = run.value.timeline;
  if (!timeline) return [];
  const { frames, instructions, strings } = timeline;
  return instructions.frame.map((frame) =>
    frame < 0 ? "" : `${strings[frames.file[frame]]}:${frames.line[frame]}`,
  );
});

export interface PathShares {
  parts: { track: string; reason: string; ticks: number }[];
  lines: { place: string; ticks: number }[];
}

// The critical path by track and reason, and by line. Where the report is of a rank that was not
// recorded, of the one that was.
export const path = computed<PathShares | null>(() => {
  const { report, details, timeline } = run.value,
    found = details?.path;
  if (report.critical_path) return report.critical_path;
  if (!found || !timeline) return null;
  const parts = new Map<string, { track: string; reason: string; ticks: number }>(),
    lines = new Map<string, number>();
  found.end.forEach((stop, i) => {
    const ticks = stop - (i === 0 ? 0 : found.end[i - 1]),
      track = timeline.tracks[found.track[i]]?.name ?? "",
      reason = timeline.reasons[found.reason[i]] ?? "";
    const key = `${found.track[i]} ${reason}`,
      line = found.instruction[i] < 0 ? "" : (places.value[found.instruction[i]] ?? "");
    parts.set(key, { track, reason, ticks: (parts.get(key)?.ticks ?? 0) + ticks });
    lines.set(line, (lines.get(line) ?? 0) + ticks);
  });
  return {
    parts: [...parts.values()],
    lines: [...lines].map(([place, ticks]) => ({ place, ticks })).sort((a, b) => b.ticks - a.ticks),
  };
});

// The call stack of an instruction, innermost first.
export function stackOf(instruction: number): { place: string; name: string }[] {
  const timeline = run.value.timeline!;
  const stack = [];
  for (
    let frame = timeline.instructions.frame[instruction] ?? -1;
    frame >= 0;
    frame = timeline.frames.parent[frame]
  )
    stack.push({
      place: `${timeline.strings[timeline.frames.file[frame]]}:${timeline.frames.line[frame]}`,
      name: timeline.strings[timeline.frames.function[frame]],
    });
  return stack;
}

// "i = 3, j = 0" of one run of an instruction: the innermost loop turns fastest.
export function indicesOf(instruction: number, iteration: number): string {
  const timeline = run.value.timeline!;
  const nest = timeline.nests[timeline.instructions.nest[instruction]] ?? [];
  let rest = iteration;
  const values: string[] = [];
  for (const [name, first, step, trips] of [...nest].reverse()) {
    const trip = trips === 0 ? rest : rest % trips;
    rest = trips === 0 ? 0 : Math.floor(rest / trips);
    values.unshift(`${timeline.strings[name]} = ${first + step * trip}`);
  }
  return values.join(", ");
}

export function mnemonicOf(instruction: number): string {
  const timeline = run.value.timeline;
  return timeline && instruction >= 0
    ? (timeline.strings[timeline.instructions.mnemonic[instruction]] ?? "")
    : "";
}

export function operandsOf(instruction: number): string {
  const timeline = run.value.timeline;
  return timeline && instruction >= 0
    ? (timeline.strings[timeline.instructions.operands[instruction]] ?? "")
    : "";
}

// Which instructions the filters and the search leave; null where they leave all.
export const matching = computed<Uint8Array | null>(() => {
  const timeline = run.value.timeline;
  const words = query.value.trim().toLowerCase();
  if (!timeline || (!words && !place.value && !mnemonic.value)) return null;
  const names = timeline.strings.map((text) => !words || text.toLowerCase().includes(words));
  const { mnemonic: mnemonics, operands, frame } = timeline.instructions;
  const wanted = mnemonic.value;
  return Uint8Array.from(mnemonics, (text, i) => {
    if (place.value && places.value[i] !== place.value) return 0;
    if (wanted && timeline.strings[text] !== wanted) return 0;
    if (!words || names[text] || names[operands[i]]) return 1;
    const at = frame[i];
    return at >= 0 &&
      (places.value[i].toLowerCase().includes(words) || names[timeline.frames.function[at]])
      ? 1
      : 0;
  });
});

export interface TrackRow {
  name: string;
  kind: string;
  tracks: number[];
  isFolded: boolean;
}
const kindOrder = ["engine", "dma_queue", "dma_engine", "memory", "link"];
const engines = ["tensor", "vector", "scalar", "gpsimd", "sync"];

// The rows of the timeline: tracks that worked; DMA engines, which work side by side, share one.
export const trackRows = computed<TrackRow[]>(() => {
  const timeline = run.value.timeline;
  if (!timeline) return [];
  const dma: number[] = [];
  const list: TrackRow[] = [];
  timeline.tracks.forEach((track, i) => {
    if (track.count === 0 || !(rows.value[i].count === 0 || rows.value[i].ticks(0) > 0)) return;
    if (track.kind === "dma_engine") dma.push(i);
    if (track.kind !== "dma_engine" || expandsDma.value)
      list.push({ name: track.name, kind: track.kind, tracks: [i], isFolded: false });
  });
  if (dma.length > 0)
    list.push({
      name: `DMA engines (${dma.length})`,
      kind: "dma_engine",
      tracks: dma,
      isFolded: true,
    });
  const rank = (row: TrackRow) =>
    kindOrder.indexOf(row.kind) * 100 +
    (row.isFolded ? 0 : row.kind === "engine" ? engines.indexOf(row.name) + 1 : 50);
  return list.sort((a, b) => rank(a) - rank(b) || a.tracks[0] - b.tracks[0]);
});

export const linesShown = computed<Line[]>(() => {
  const only = engine.value,
    kind = mnemonic.value;
  return run.value.report.lines.filter(
    (line) =>
      (!only || (line.busy_on?.[only] ?? 0) > 0) &&
      (!kind || line.mnemonics.split(/[ ,]+/).includes(kind)),
  );
});

export function zoom(at: number, factor: number): void {
  const { from, to } = shown.value;
  const length = Math.min(end.value, Math.max((to - from) * factor, 40));
  const left = at - ((at - from) / (to - from)) * length;
  show(left, left + length);
}

export function show(from: number, to: number): void {
  const length = Math.min(to - from, end.value);
  const left = Math.max(0, Math.min(from, end.value - length));
  shown.value = { from: left, to: left + length };
}

export function fit(): void {
  shown.value = { from: 0, to: end.value };
}

// Selects a row and moves the window to it where it is outside or too small to see.
export function select(track: number, row: number, reveals = false): void {
  const slices = rows.value[track];
  if (!slices || row < 0 || row >= slices.count) return;
  batch(() => {
    selected.value = { track, row };
    selectedTensor.value = null;
    if (!reveals) return;
    const begin = slices.begin[row],
      stop = slices.end[row],
      { from, to } = shown.value;
    if (begin < from || stop > to || (stop - begin) * 300 < to - from) {
      const length = Math.max(Math.min((stop - begin) * 30, to - from), 200);
      show((begin + stop - length) / 2, (begin + stop + length) / 2);
    }
  });
}

// The work that ended the last wait before a row of the same instruction, or null.
export function causeOf(track: number, row: number): Row | null {
  const slices = rows.value[track];
  if (!slices || row >= slices.count) return null;
  for (let at = row; at >= 0 && slices.instruction[at] === slices.instruction[row]; --at) {
    const cause = slices.cause[at];
    if (cause < 0 || !rows.value[cause]) continue;
    const found = rows.value[cause].lastWorkBefore(slices.end[at]);
    return found < 0 ? null : { track: cause, row: found };
  }
  return null;
}

// The next or the previous row that matches, in time order over all tracks.
export function findNext(direction: 1 | -1): void {
  const wanted = matching.value;
  if (!wanted) return;
  const now = selected.value;
  const from = now ? rows.value[now.track].begin[now.row] : direction > 0 ? -1 : Infinity;
  const key = (track: number, row: number) => rows.value[track].begin[row] * 512 + track;
  const start = now ? key(now.track, now.row) : from;
  let best: Row | null = null,
    bestKey = direction > 0 ? Infinity : -Infinity;
  rows.value.forEach((slices, track) => {
    if (trackRows.value.every((row) => row.isFolded || !row.tracks.includes(track))) return;
    for (let row = 0; row < slices.count; ++row) {
      if (slices.classAt(row) !== 0 || !wanted[slices.instruction[row]]) continue;
      const at = key(track, row);
      if (direction > 0 ? at > start && at < bestKey : at < start && at > bestKey)
        [best, bestKey] = [{ track, row }, at];
    }
  });
  if (best) select((best as Row).track, (best as Row).row, true);
}

export function clearFilters(): void {
  batch(() => {
    place.value = engine.value = mnemonic.value = null;
    query.value = "";
    selected.value = selectedTensor.value = null;
  });
}

export function openRun(number: number): void {
  batch(() => {
    clearFilters();
    runNumber.value = number;
    rankNumber.value = 0;
    fit();
  });
}

// Shows another kind of rank, at the same stretch of time.
export function openRank(number: number): void {
  batch(() => {
    selected.value = selectedTensor.value = null;
    rankNumber.value = number;
    show(shown.value.from, shown.value.to);
  });
}

// The next kind of rank that has a timeline.
export function nextRank(): void {
  const ranks = view.value!.runs[runNumber.value].ranks ?? [];
  for (let step = 1; step < ranks.length; ++step) {
    const next = (rankNumber.value + step) % ranks.length;
    if (next === 0 || ranks[next].timeline) return openRank(next);
  }
}
