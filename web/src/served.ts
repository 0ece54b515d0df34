// Rows of a large trace, from the server that the page came from: shares of the columns of pixels
// in the window, asked for once the window rests.
import { signal } from "@preact/signals";
import type { TrackColumns } from "./document.ts";
import { decode, classCount } from "./rows.ts";
import { near, run, runNumber, selected } from "./state.ts";

interface Answer {
  key: string;
  from: number;
  to: number;
  columns: number;
  tracks: Map<number, Float32Array>;
}
const answer = signal<Answer | null>(null);
let wanted = "";
let timer = 0;

export function isServed(): boolean {
  return run.value.timeline?.tracks.some((track) => track.count > 0 && !track.gap) ?? false;
}

async function ask(
  key: string,
  number: number,
  from: number,
  to: number,
  columns: number,
): Promise<void> {
  const reply = await fetch(
    `shares?run=${number}&from=${Math.floor(from)}&to=${Math.ceil(to)}&columns=${columns}`,
  );
  if (!reply.ok || key !== wanted) return;
  const values = new Float32Array(await reply.arrayBuffer());
  const tracks = new Map<number, Float32Array>();
  run.value.timeline!.tracks.forEach((_, i) =>
    tracks.set(i, values.subarray(i * columns * classCount, (i + 1) * columns * classCount)),
  );
  answer.value = { key, from, to, columns, tracks };
}

// The rows of the window one by one, where they are few enough, so that they have names.
async function askRows(key: string, number: number, from: number, to: number): Promise<void> {
  const before = Math.max(0, Math.floor(from - (to - from))),
    after = Math.ceil(to + (to - from));
  const reply = await fetch(`window?run=${number}&from=${before}&to=${after}`);
  if (!reply.ok || key !== wanted) return;
  const { tracks } = (await reply.json()) as { tracks?: TrackColumns[] };
  const served = run.value,
    last = near.value;
  if (!tracks) {
    if (last) near.value = null;
    return;
  }
  const decoded = decode({ ...served.timeline!, tracks });
  // The selected row has another number in the new stretch.
  const chosen = selected.value,
    begin = chosen && last ? last.rows[chosen.track]?.begin[chosen.row] : undefined;
  near.value = { run: served, from: before, to: after, rows: decoded };
  if (chosen)
    selected.value =
      begin === undefined || decoded[chosen.track].at(begin) < 0
        ? null
        : { track: chosen.track, row: decoded[chosen.track].at(begin) };
}

// Whether the rows of a stretch are in the page.
function isNear(from: number, to: number): boolean {
  const found = near.value;
  return found?.run === run.value && found.from <= from && to <= found.to;
}

// The mean over tracks of each column's shares, or null where the rows are in the page. What was
// asked for last is stretched until the answer comes.
export function served(
  tracks: number[],
  from: number,
  to: number,
  columns: number,
): Float32Array | null {
  const last = answer.value;
  if (!isServed() || tracks.length === 0 || isNear(from, to)) return null;
  const key = `${runNumber.value}:${from}:${to}:${columns}`;
  if (wanted !== key) {
    wanted = key;
    clearTimeout(timer);
    const number = runNumber.value;
    timer = window.setTimeout(
      () => void ask(key, number, from, to, columns).then(() => askRows(key, number, from, to)),
      60,
    );
  }
  const sum = new Float32Array(columns * classCount);
  if (!last || !last.key.startsWith(`${runNumber.value}:`)) return sum;
  const width = (to - from) / columns,
    other = (last.to - last.from) / last.columns;
  for (let k = 0; k < columns; ++k) {
    const at = Math.floor((from + (k + 0.5) * width - last.from) / other);
    if (at < 0 || at >= last.columns) continue;
    for (const track of tracks) {
      const part = last.tracks.get(track)!;
      for (let c = 0; c < classCount; ++c)
        sum[k * classCount + c] += part[at * classCount + c] / tracks.length;
    }
  }
  return sum;
}
