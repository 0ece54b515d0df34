// The document that the page shows (docs/formats/view.md): its types, and how it is read.
import { checkSheet, isSheet, type SheetDocument } from "./sheet/document.ts";

export type Ticks = number;
export type TicksByReason = Record<string, Ticks>;
export interface Estimate {
  value: number;
  low: number;
  high: number;
  kind: string;
}

export interface TrackUsage {
  name: string;
  kind: string;
  core: number;
  ticks: TicksByReason;
  waits_for?: { track: string; ticks: Ticks; share: number }[];
}
export interface Line {
  place: string;
  function?: string;
  library?: string;
  mnemonics: string;
  executions: number;
  engine_ticks: TicksByReason;
  service_ticks?: TicksByReason;
  busy_on?: Record<string, Ticks>;
  source?: string;
  slack_ticks?: Ticks;
}
export interface NextStep {
  change: string;
  time_ns: number;
  simulated: string;
}
export interface Limit {
  unit: string;
  ticks_min: Ticks;
  share: number;
}
export interface Report {
  run?: {
    program: string;
    program_hash: string;
    machine: string;
    machine_title: string;
    machine_hash: string;
    trainyard: string;
    more?: Record<string, string>;
  };
  duration_ns: number;
  duration_ticks: Ticks;
  ticks_per_ns: number;
  as_written_ns?: number;
  bound: { name: string; busiest?: string; busy?: number; why: string };
  speed_of_light?: { share: number; ticks_min: Ticks; limits: Limit[] };
  units?: Limit[];
  next_steps?: NextStep[];
  try_next?: string;
  tracks: TrackUsage[];
  throughput?: {
    format: string;
    macs: number;
    teraflops: number;
    teraflops_peak: number;
    share: number;
  }[];
  roofline?: {
    flop_per_hbm_byte: number;
    ridge: number;
    teraflops: number;
    teraflops_peak: number;
    teraflops_attainable: number;
  };
  traffic?: {
    memory: string;
    bytes: { read: number; written: number };
    gigabytes_per_second: number;
    gigabytes_per_second_peak?: number;
  }[];
  collectives?: {
    place: string;
    mnemonic: string;
    algorithm: string;
    steps: number;
    ranks: number;
    bytes: number;
    executions: number;
  }[];
  energy?: {
    joules: Estimate;
    watts: number;
    parts: { key: string; count: number; joules: Estimate }[];
  };
  dollars?: { rent: { basis: string; dollars: Estimate }[]; electricity?: Estimate };
  lines: Line[];
  operations?: Line[];
  mnemonics?: (Line & { mnemonic: string })[];
  assumptions?: {
    key: string;
    value: string;
    unit: string;
    kind: string;
    source: string;
    effect: string;
    low?: string;
    high?: string;
  }[];
  interval?: {
    low_ns: number;
    high_ns: number;
    figures: { key: string; ticks_at_low: Ticks; ticks_at_high: Ticks }[];
    tried: number;
  };
  what_ifs?: { name: string; set: string[]; duration_ns: number; gain: number }[];
  no_answer?: string;
  critical_path?: {
    segments: number;
    parts: { track: string; reason: string; ticks: Ticks }[];
    lines: { place: string; ticks: Ticks }[];
  };
}

export interface TrackColumns {
  name: string;
  kind: string;
  core: number;
  count: number;
  gap?: number[];
  length?: number[];
  reason?: number[];
  instruction?: number[];
  iteration?: number[];
  cause?: number[];
}
export interface TimelineColumns {
  end: Ticks;
  ticks_per_ns: number;
  reasons: string[];
  tracks: TrackColumns[];
  strings: string[];
  instructions: { mnemonic: number[]; operands: number[]; frame: number[]; nest: number[] };
  frames: { parent: number[]; file: number[]; line: number[]; function: number[] };
  nests: number[][][];
}
export interface Tensor {
  name: string;
  shape: number[];
  dtype: string;
  place: string;
  bytes: number;
  begin: Ticks;
  end: Ticks;
  read: number;
  written: number;
  role?: string;
  partitions?: [number, number];
  address?: number;
}
export interface Space {
  partitions?: number;
  bytes?: number;
  banks?: number;
  tensors: Tensor[];
}
export interface Details {
  memory?: { sbuf: Space; psum: Space; hbm: Space };
  path?: { end: Ticks[]; track: number[]; reason: number[]; instruction: number[] };
  sources?: Record<string, string>;
  ranks_ns?: number[];
  topology?: {
    name: string;
    title: string;
    chips: number;
    levels: { name: string; join: string; size: number; chips: number; gbps: number }[];
  };
}
export interface Links {
  chips: number;
  chips_run: number;
  transfers: number;
  left_out: number;
  is_cut?: boolean;
  faults: string[];
  links: { name: string; alike: number; bytes: number; share: number; use: number[] }[];
  collectives: {
    operation: string;
    bytes: number;
    ranks: number;
    algorithm: string;
    steps: number;
    times: number;
    groups: number;
    candidates: { algorithm: string; time_us: number; was_run: boolean }[];
  }[];
}
// Recorded ranks that are alike; of the first kind the timeline is that of the run. Another one
// without a timeline lies in a file that is not there.
export interface RankDocument {
  name: string;
  alike: string[];
  timeline?: TimelineColumns;
  details?: Details;
}
export interface RunDocument {
  name: string;
  report: Report;
  timeline?: TimelineColumns;
  details?: Details;
  links?: Links;
  ranks?: RankDocument[];
}
export interface Change {
  before: number | null;
  after: number | null;
  difference: number;
}
export interface LineChange {
  place_before: string | null;
  place_after: string | null;
  source: string;
  mnemonics: string;
  executions: Change;
  busy_ns: Change;
  waiting_ns: Change;
  critical_path_ns?: Change;
}
export interface Comparison {
  kernels: {
    kernel: string;
    time_ns: Change & { share: number | null };
    bound: { before: string; after: string };
    notes: string[];
    lines: LineChange[];
    waits: { track: string; reason: string; ns: Change }[];
    bytes: { memory: string; direction: string; bytes: Change }[];
  }[];
}
export interface ViewDocument {
  schema: string;
  version: number;
  trainyard: string;
  runs: RunDocument[];
  comparison?: Comparison;
  notice?: string;
}

export class DocumentError extends Error {}

// The writer has checked the whole of it (trainyard/view/schema.py); this is for files that
// somebody changed by hand, or that another version wrote.
export function readDocument(text: string): ViewDocument | SheetDocument {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new DocumentError(
      "The document in this page is not JSON. Write the page again with trainyard view.",
    );
  }
  if (isSheet(found)) return checkSheet(found);
  const document = found as Partial<ViewDocument> | null;
  if (document?.schema !== "trainyard.view")
    throw new DocumentError("This page holds no trainyard.view document.");
  if (document.version !== 1)
    throw new DocumentError(
      `The document has version ${String(document.version)}; this page shows version 1.`,
    );
  if (!Array.isArray(document.runs) || document.runs.length === 0)
    throw new DocumentError("The document has no run.");
  document.runs.forEach((run, i) => {
    const report = run?.report as Report | undefined;
    if (
      typeof run?.name !== "string" ||
      !report ||
      !(report.duration_ns > 0) ||
      !Array.isArray(report.tracks) ||
      !Array.isArray(report.lines) ||
      !report.bound
    )
      throw new DocumentError(`runs[${i}] of the document has no whole report.`);
  });
  return document as ViewDocument;
}

async function unpack(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// From the element that holds it, or from the server that served the page.
export async function loadDocument(page: Document): Promise<ViewDocument | SheetDocument> {
  const meta = page.querySelector<HTMLMetaElement>('meta[name="document"]');
  if (meta) {
    const answer = await fetch(meta.content);
    if (!answer.ok)
      throw new DocumentError(`The server answered ${answer.status} for ${meta.content}.`);
    return readDocument(await answer.text());
  }
  const element = page.getElementById("document");
  if (!element?.textContent)
    throw new DocumentError("This page has no document. Make it with: trainyard view RUN");
  let text: string;
  try {
    text = await unpack(element.textContent.trim());
  } catch {
    throw new DocumentError(
      "The document in this page is damaged. Write the page again with trainyard view.",
    );
  }
  return readDocument(text);
}
