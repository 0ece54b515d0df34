// How full a memory is over time, when it is fullest, and how its free space lies there.
import type { Space } from "./document.ts";

export interface Point {
  time: number;
  bytes: number;
} // from `time` on
export interface Peak {
  time: number;
  end: number;
  share: number;
  bytes: number;
  capacity: number;
  largestFree: number;
  holders: number[];
}

// Bytes over all partitions; tensors that lie in some partitions count with those.
export function occupancy(space: Space): Point[] {
  const steps = new Map<number, number>();
  for (const tensor of space.tensors) {
    const bytes = tensor.bytes * (tensor.partitions?.[1] ?? 1);
    steps.set(tensor.begin, (steps.get(tensor.begin) ?? 0) + bytes);
    steps.set(tensor.end, (steps.get(tensor.end) ?? 0) - bytes);
  }
  let bytes = 0;
  return [...steps]
    .sort((a, b) => a[0] - b[0])
    .map(([time, step]) => ({ time, bytes: (bytes += step) }));
}

export function capacityOf(space: Space): number {
  return (space.bytes ?? 0) * (space.partitions ?? 1);
}

// The tensors that hold something at a time, largest first.
export function holdersAt(space: Space, time: number): number[] {
  const size = (i: number) => space.tensors[i].bytes * (space.tensors[i].partitions?.[1] ?? 1);
  return space.tensors
    .map((_, i) => i)
    .filter((i) => space.tensors[i].begin <= time && time < space.tensors[i].end)
    .sort((a, b) => size(b) - size(a));
}

// The largest stretch of addresses that no tensor in `holders` uses in any partition.
export function largestFree(space: Space, holders: number[]): number {
  const spans = holders
    .map((i) => [
      space.tensors[i].address ?? 0,
      (space.tensors[i].address ?? 0) + space.tensors[i].bytes,
    ])
    .sort((a, b) => a[0] - b[0]);
  let free = 0,
    at = 0;
  for (const [from, to] of spans) {
    free = Math.max(free, from - at);
    at = Math.max(at, to);
  }
  return Math.max(free, (space.bytes ?? 0) - at);
}

export function peakOf(space: Space): Peak | null {
  const points = occupancy(space);
  if (points.length === 0) return null;
  let best = 0;
  points.forEach((point, i) => {
    if (point.bytes > points[best].bytes) best = i;
  });
  const { time, bytes } = points[best],
    capacity = capacityOf(space);
  const holders = holdersAt(space, time);
  return {
    time,
    end: points[best + 1]?.time ?? time,
    bytes,
    capacity,
    share: capacity ? bytes / capacity : 0,
    largestFree: largestFree(space, holders),
    holders,
  };
}

// Which part of the free bytes at the peak does not lie in the largest gap that all partitions have
// in common: what no tensor over all partitions could use.
export function fragmentation(peak: Peak, partitions: number): number {
  const free = peak.capacity - peak.bytes;
  return free > 0 ? Math.max(0, 1 - (peak.largestFree * partitions) / free) : 0;
}
