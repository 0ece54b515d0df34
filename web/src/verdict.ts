// What made the run as long as it is, in the order of the answer: what the page says first.
import type { Report, RunDocument } from "./document.ts";
import type { Rows } from "./rows.ts";
import type { PathShares } from "./state.ts";

export interface Share {
  name: string;
  detail: string;
  ns: number;
  share: number;
  kind: string;
}

const words: Record<string, string> = {
  working: "works",
  overhead: "issues",
  throttle: "throttled by the power limit",
  idle: "idle",
  waiting_semaphore: "waits for a signal",
  waiting_operand: "waits for its last result",
  waiting_bank: "waits for a bank",
  waiting_queue: "waits for a full queue",
  waiting_dma: "waits for data",
  waiting_link: "waits for a link",
  waiting_peer: "waits for a rank",
};

export function wordsOf(reason: string): string {
  return words[reason] ?? reason;
}

// Of the critical path, by track and reason; without one, of the engines' time.
export function causes(report: Report, path: PathShares | null, most = 6): Share[] {
  const parts = path?.parts;
  const list: Share[] = parts
    ? parts.map((part) => ({
        name: part.track,
        detail: wordsOf(part.reason),
        ns: part.ticks / report.ticks_per_ns,
        share: part.ticks / report.duration_ticks,
        kind: part.reason,
      }))
    : report.tracks
        .filter((track) => track.kind === "engine")
        .flatMap((track) =>
          Object.entries(track.ticks)
            .filter(([reason]) => reason !== "idle")
            .map(([reason, ticks]) => ({
              name: track.name,
              detail: wordsOf(reason),
              ns: ticks / report.ticks_per_ns,
              share: ticks / report.duration_ticks,
              kind: reason,
            })),
        );
  list.sort((a, b) => b.ns - a.ns);
  return list.slice(0, most);
}

export interface PlaceShare {
  place: string;
  source: string;
  mnemonics: string;
  ns: number;
  share: number;
}

// The lines of the critical path; without one, those of most engine time.
export function heaviestLines(report: Report, critical: PathShares | null, most = 5): PlaceShare[] {
  const known = new Map(report.lines.map((line) => [line.place, line]));
  const path =
    critical?.lines ??
    report.lines.map((line) => ({
      place: line.place,
      ticks: Object.values(line.engine_ticks).reduce((a, b) => a + b, 0),
    }));
  return path
    .filter((line) => line.ticks > 0)
    .map((line) => ({
      place: line.place,
      source: known.get(line.place)?.source ?? "",
      mnemonics: known.get(line.place)?.mnemonics ?? "",
      ns: line.ticks / report.ticks_per_ns,
      share: line.ticks / report.duration_ticks,
    }))
    .sort((a, b) => b.ns - a.ns)
    .slice(0, most);
}

export interface Step {
  change: string;
  gain: number;
  timeNs: number;
  isLimit: boolean;
}

export function steps(report: Report): Step[] {
  return (report.next_steps ?? []).map((step) => ({
    change: step.change,
    gain: 1 - step.time_ns / report.duration_ns,
    timeNs: step.time_ns,
    isLimit: step.simulated === "without the cost",
  }));
}

// How a run over several chips was held up by its links: how long this rank was in collectives and
// how long they take alone on links that are whole; the link that was in use longest, and how much
// of its rate it reached while it was.
export interface Together {
  ns: number;
  aloneNs: number;
  link: string;
  active: number;
  highest: number;
  fault: string;
}

export function togetherOf(run: RunDocument, rows: Rows[]): Together | null {
  const { links, report, timeline } = run;
  if (!links) return null;
  let ticks = 0;
  timeline?.tracks.forEach((track, t) => {
    const slices = rows[t];
    if (!track.name.startsWith("collectives")) return;
    for (let row = 0; row < slices.count; ++row) ticks += slices.end[row] - slices.begin[row];
  });
  const aloneNs = links.collectives.reduce(
    (sum, one) =>
      sum + one.times * 1e3 * (one.candidates.find((each) => each.was_run)?.time_us ?? 0),
    0,
  );
  const active = (use: number[]) =>
    use.filter((share) => share > 0).length / Math.max(use.length, 1);
  const longest = [...links.links].sort((a, b) => active(b.use) - active(a.use))[0];
  return {
    ns: ticks / report.ticks_per_ns,
    aloneNs,
    link: longest?.name ?? "",
    active: longest ? active(longest.use) : 0,
    highest: longest ? longest.use.reduce((most, share) => Math.max(most, share), 0) : 0,
    fault: report.run?.more?.fault ?? links.faults.join("; "),
  };
}
