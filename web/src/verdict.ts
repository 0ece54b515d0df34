// What made the run as long as it is, in the order of the answer: what the page says first.
import type { Report, RunDocument } from "./document.ts";

export interface Share { name: string; detail: string; ns: number; share: number; kind: string }

const words: Record<string, string> = {
  working: "working", overhead: "issuing", throttle: "held back by the power limit", idle: "idle",
  waiting_semaphore: "waiting for a signal", waiting_operand: "waiting for its own last result", waiting_bank: "waiting for a memory bank",
  waiting_queue: "waiting for room in a queue", waiting_dma: "waiting for data", waiting_link: "waiting for a link", waiting_peer: "waiting for another rank",
};

export function wordsOf(reason: string): string {
  return words[reason] ?? reason;
}

// Of the critical path, by track and reason; without one, of the engines' time.
export function causes(report: Report, most = 6): Share[] {
  const parts = report.critical_path?.parts;
  const list: Share[] = parts
    ? parts.map((part) => ({ name: part.track, detail: wordsOf(part.reason), ns: part.ticks / report.ticks_per_ns, share: part.ticks / report.duration_ticks, kind: part.reason }))
    : report.tracks
        .filter((track) => track.kind === "engine")
        .flatMap((track) => Object.entries(track.ticks).filter(([reason]) => reason !== "idle").map(([reason, ticks]) => ({ name: track.name, detail: wordsOf(reason), ns: ticks / report.ticks_per_ns, share: ticks / report.duration_ticks, kind: reason })));
  list.sort((a, b) => b.ns - a.ns);
  return list.slice(0, most);
}

export interface PlaceShare { place: string; source: string; mnemonics: string; ns: number; share: number }

// The lines of the critical path; without one, those of most engine time.
export function heaviestLines(report: Report, most = 5): PlaceShare[] {
  const known = new Map(report.lines.map((line) => [line.place, line]));
  const path = report.critical_path?.lines ?? report.lines.map((line) => ({ place: line.place, ticks: Object.values(line.engine_ticks).reduce((a, b) => a + b, 0) }));
  return path
    .filter((line) => line.ticks > 0)
    .map((line) => ({ place: line.place, source: known.get(line.place)?.source ?? "", mnemonics: known.get(line.place)?.mnemonics ?? "", ns: line.ticks / report.ticks_per_ns, share: line.ticks / report.duration_ticks }))
    .sort((a, b) => b.ns - a.ns)
    .slice(0, most);
}

export interface Step { change: string; gain: number; timeNs: number; isLimit: boolean }

export function steps(report: Report): Step[] {
  return (report.next_steps ?? []).map((step) => ({ change: step.change, gain: 1 - step.time_ns / report.duration_ns, timeNs: step.time_ns, isLimit: step.simulated === "without the cost" }));
}

// The busiest link of a run over several chips, where it says more than the core does.
export function busiestLink(run: RunDocument): { name: string; share: number } | null {
  const link = run.links?.links[0];
  return link && link.share >= 0.3 ? { name: link.name, share: link.share } : null;
}
