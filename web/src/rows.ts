// What a track did, decoded from the document's columns, and how much of any stretch of time it
// spent on each class of reason: exact at every zoom, from sums up to each row.
import type { TimelineColumns, TrackColumns } from "./document.ts";

// Classes of reasons, as they are drawn.
export const WORK = 0,
  WAIT = 1,
  OVERHEAD = 2,
  THROTTLE = 3;
export const classCount = 4;

export function classOf(reason: string): number {
  if (reason === "working") return WORK;
  if (reason === "overhead") return OVERHEAD;
  return reason === "throttle" ? THROTTLE : WAIT;
}

export class Rows {
  readonly begin: Float64Array;
  readonly end: Float64Array;
  readonly reason: Uint8Array;
  readonly instruction: Int32Array;
  readonly iteration: Uint32Array;
  readonly cause: Int32Array;
  private readonly sums: Float64Array[]; // by class: ticks of all rows before this one
  private readonly classes: Uint8Array; // by row

  constructor(track: TrackColumns, classes: number[]) {
    const n = track.count;
    this.begin = new Float64Array(n);
    this.end = new Float64Array(n);
    this.reason = Uint8Array.from(track.reason ?? []);
    this.iteration = Uint32Array.from(track.iteration ?? []);
    this.cause = Int32Array.from(track.cause ?? []);
    this.instruction = new Int32Array(n);
    this.sums = Array.from({ length: classCount }, () => new Float64Array(n + 1));
    this.classes = new Uint8Array(n);
    let now = 0,
      instruction = 0;
    for (let i = 0; i < n; ++i) {
      this.begin[i] = now += track.gap![i];
      this.end[i] = now += track.length![i];
      this.instruction[i] = instruction += track.instruction![i];
      this.classes[i] = classes[this.reason[i]];
      for (let c = 0; c < classCount; ++c)
        this.sums[c][i + 1] =
          this.sums[c][i] + (c === this.classes[i] ? this.end[i] - this.begin[i] : 0);
    }
  }

  get count(): number {
    return this.begin.length;
  }

  // The first row that ends after `time`.
  firstAfter(time: number, low = 0): number {
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.end[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // Ticks of each class before `time`; `row` is firstAfter(time).
  private before(time: number, row: number, c: number): number {
    const partial =
      row < this.count && this.classes[row] === c && this.begin[row] < time
        ? time - this.begin[row]
        : 0;
    return this.sums[c][row] + partial;
  }

  // Of each of `columns` equal parts of [from, to), the share that each class took:
  // shares[column * classCount + class].
  shares(
    from: number,
    to: number,
    columns: number,
    shares = new Float32Array(columns * classCount),
  ): Float32Array {
    const width = (to - from) / columns;
    let row = this.firstAfter(from);
    const last = new Float64Array(classCount);
    for (let c = 0; c < classCount; ++c) last[c] = this.before(from, row, c);
    for (let k = 0; k < columns; ++k) {
      const time = from + (k + 1) * width;
      row = this.advance(row, time);
      for (let c = 0; c < classCount; ++c) {
        const now = this.before(time, row, c);
        shares[k * classCount + c] = (now - last[c]) / width;
        last[c] = now;
      }
    }
    return shares;
  }

  // firstAfter(time) for a time not before that of `row`: steps that double, then a search.
  private advance(row: number, time: number): number {
    let step = 1,
      low = row;
    while (low < this.count && this.end[low] <= time) {
      row = low + 1;
      low += step;
      step *= 2;
    }
    if (row >= this.count) return this.count;
    let high = Math.min(low, this.count);
    low = row;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.end[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // The row that holds `time`, or -1.
  at(time: number): number {
    const row = this.firstAfter(time);
    return row < this.count && this.begin[row] <= time ? row : -1;
  }

  // The last row of work that ends not after `time`, or -1: what let a waiting track go on.
  lastWorkBefore(time: number): number {
    let row = this.firstAfter(time) - 1;
    while (row >= 0 && this.classes[row] !== WORK) --row;
    return row;
  }

  classAt(row: number): number {
    return this.classes[row];
  }

  ticks(c: number): number {
    return this.sums[c][this.count];
  }
}

export function decode(timeline: TimelineColumns): Rows[] {
  const classes = timeline.reasons.map(classOf);
  return timeline.tracks.map(
    (track) => new Rows(track.gap ? track : { ...track, count: 0 }, classes),
  );
}
