// The page: header, verdict, timeline with memory, source beside them, tables below.
import { useEffect, useRef } from "preact/hooks";
import { short, timeText } from "./format.ts";
import { isServed } from "./served.ts";
import {
  causeOf,
  clearFilters,
  end,
  engine,
  findNext,
  fit,
  matching,
  mnemonic,
  nextRank,
  openRank,
  openRun,
  place,
  query,
  rankNumber,
  run,
  runNumber,
  select,
  selected,
  show,
  shown,
  showsHelp,
  showsPath,
  tab,
  theme,
  view,
  zoom,
} from "./state.ts";
import { ChipMemory } from "./panels/chip_memory.tsx";
import { Compare } from "./panels/compare.tsx";
import { Fabric } from "./panels/fabric.tsx";
import { Memory } from "./panels/memory.tsx";
import { Roofline } from "./panels/roofline.tsx";
import { Side } from "./panels/side.tsx";
import { Assumptions, Energy, Engineering, Hbm, Instructions, Lines } from "./panels/tables.tsx";
import { Timeline } from "./panels/timeline.tsx";
import { Verdict } from "./panels/verdict.tsx";
import { toggleTheme } from "./theme.ts";
import type { RankDocument } from "./document.ts";
import { placeText } from "./format.ts";

const tabs: [string, string, () => preact.JSX.Element | null][] = [
  ["lines", "Lines", () => <Lines />],
  ["engines", "Engines and queues", () => <Engineering />],
  ["instructions", "Instructions", () => <Instructions />],
  ["operations", "Operations", () => <Lines operations />],
  ["memory", "SBUF and PSUM", () => <ChipMemory />],
  ["hbm", "HBM", () => <Hbm />],
  ["roofline", "Roofline", () => <Roofline />],
  ["fabric", "Fabric", () => <Fabric />],
  ["energy", "Energy and cost", () => <Energy />],
  ["assumptions", "Assumptions", () => <Assumptions />],
  ["compare", "Compare", () => <Compare />],
];

function hasContent(name: string): boolean {
  const { report, links, details } = run.value;
  if (name === "operations") return (report.operations?.length ?? 0) > 0;
  if (name === "fabric") return links !== undefined || (details?.ranks_ns?.length ?? 0) > 1;
  if (name === "compare") return view.value!.comparison !== undefined;
  if (name === "roofline") return (report.roofline?.teraflops ?? 0) > 0;
  return true;
}

const keys: [string, string][] = [
  ["W S, + −, wheel", "zoom"],
  ["A D, ← →, shift + wheel, drag", "pan"],
  ["F, 0", "fit the whole run"],
  ["/", "search"],
  ["N, shift + N", "next and previous match"],
  [". ,", "next and previous slice of the track"],
  ["G", "go to what the slice waited for"],
  ["P", "critical path on or off"],
  ["R", "next kind of rank"],
  ["T", "dark or light"],
  ["1 … 9", "table"],
  ["Esc", "clear filters and selection"],
  ["?", "these keys"],
];

function Help() {
  if (!showsHelp.value) return null;
  return (
    <div class="help" role="dialog" aria-label="Keys" onClick={() => (showsHelp.value = false)}>
      <dl>
        {keys.map(([key, does]) => (
          <>
            <dt>{key}</dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
    </div>
  );
}

function step(direction: 1 | -1): void {
  const now = selected.value;
  if (now) select(now.track, now.row + direction, true);
}

function goToCause(): void {
  const now = selected.value,
    cause = now && causeOf(now.track, now.row);
  if (cause) select(cause.track, cause.row, true);
}

function onKey(event: KeyboardEvent, search: HTMLInputElement | null): void {
  if (event.target instanceof HTMLInputElement) {
    if (event.key === "Escape") {
      query.value = "";
      event.target.blur();
    }
    if (event.key === "Enter") findNext(event.shiftKey ? -1 : 1);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { from, to } = shown.value,
    middle = (from + to) / 2,
    part = (to - from) * 0.2;
  const actions: Record<string, () => void> = {
    w: () => zoom(middle, 0.7),
    "+": () => zoom(middle, 0.7),
    "=": () => zoom(middle, 0.7),
    s: () => zoom(middle, 1.4),
    "-": () => zoom(middle, 1.4),
    a: () => show(from - part, to - part),
    ArrowLeft: () => show(from - part, to - part),
    d: () => show(from + part, to + part),
    ArrowRight: () => show(from + part, to + part),
    f: fit,
    r: nextRank,
    "0": fit,
    Home: fit,
    "/": () => search?.focus(),
    n: () => findNext(1),
    N: () => findNext(-1),
    ".": () => step(1),
    ",": () => step(-1),
    g: goToCause,
    p: () => (showsPath.value = !showsPath.value),
    t: toggleTheme,
    "?": () => (showsHelp.value = !showsHelp.value),
    Escape: () => {
      if (showsHelp.value) showsHelp.value = false;
      else clearFilters();
    },
  };
  const number = Number(event.key);
  const action =
    actions[event.key] ??
    (number >= 1 && number <= 9
      ? () => {
          const name = tabs.filter(([one]) => hasContent(one))[number - 1]?.[0];
          if (name) tab.value = name;
        }
      : undefined);
  if (!action) return;
  event.preventDefault();
  action();
}

function Header({ search }: { search: preact.RefObject<HTMLInputElement | null> }) {
  const { report, name } = run.value,
    count = matching.value?.reduce((sum, one) => sum + one, 0);
  const filters: [string, () => void][] = [];
  if (place.value) filters.push([placeText(place.value), () => (place.value = null)]);
  if (engine.value) filters.push([engine.value, () => (engine.value = null)]);
  if (mnemonic.value) filters.push([mnemonic.value, () => (mnemonic.value = null)]);
  return (
    <header>
      <span class="mark">Trainyard</span>
      {view.value!.runs.length > 1 ? (
        <select
          aria-label="Run"
          value={runNumber.value}
          onChange={(event) => openRun(Number(event.currentTarget.value))}
        >
          {view.value!.runs.map((one, i) => (
            <option
              key={i}
              value={i}
            >{`${short(one.name, 48)} (${timeText(one.report.duration_ns)})`}</option>
          ))}
        </select>
      ) : (
        <h1 title={name.slice(0, 500)}>{short(name, 48)}</h1>
      )}
      <span class="faint" title={report.run?.machine_title}>
        {report.run?.machine}
      </span>
      <span class="filters">
        {filters.map(([text, clear]) => (
          <button class="chip on" key={text} onClick={clear} title="Remove this filter">
            {short(text, 30)} ×
          </button>
        ))}
      </span>
      {count !== undefined && <span class="faint">{count} instructions</span>}
      <input
        ref={search}
        type="search"
        placeholder="Search   /"
        aria-label="Search instructions, operands, files and functions"
        value={query.value}
        onInput={(event) => (query.value = event.currentTarget.value)}
      />
      <button
        class="icon"
        onClick={() => (showsPath.value = !showsPath.value)}
        aria-pressed={showsPath.value}
        title="Critical path (P)"
      >
        Path
      </button>
      <button class="icon" onClick={toggleTheme} title="Dark or light (T)">
        {theme.value === "dark" ? "Light" : "Dark"}
      </button>
      <button class="icon" onClick={() => (showsHelp.value = true)} title="Keys (?)">
        ?
      </button>
    </header>
  );
}

function Legend() {
  return (
    <div class="legend">
      <Ranks />
      <span>
        <i class="work" />
        works
      </span>
      <span>
        <i class="wait" />
        waits
      </span>
      <span>
        <i class="overhead" />
        issues
      </span>
      <span>
        <i class="throttle" />
        throttled
      </span>
      {run.value.details?.path && (
        <span>
          <i class="path" />
          critical path
        </span>
      )}
      {isServed() && (
        <span class="faint">
          large trace: intervals come from the server, as shares of each column
        </span>
      )}
      {run.value.timeline && run.value.timeline.end !== run.value.report.duration_ticks && (
        <span class="faint">
          of a rank that was recorded; the slowest one takes{" "}
          {timeText(run.value.report.duration_ns)}
        </span>
      )}
      {view.value!.notice && <span class="faint">{view.value!.notice}</span>}
      <span class="right faint">
        {timeText((shown.value.to - shown.value.from) / run.value.report.ticks_per_ns)} of{" "}
        {timeText(end.value / run.value.report.ticks_per_ns)}
      </span>
    </div>
  );
}

// Ranks that did the same at the same times are one choice.
function Ranks() {
  const ranks = view.value!.runs[runNumber.value].ranks ?? [];
  if (ranks.length === 0) return null;
  const nameOf = ({ name, alike }: RankDocument) =>
    alike.length === 0 ? name : `${name} and ${alike.length} alike`;
  if (ranks.length === 1) return <span title={ranks[0].alike.join(", ")}>{nameOf(ranks[0])}</span>;
  return (
    <select
      aria-label="rank"
      value={rankNumber.value}
      title={`${ranks[rankNumber.value].alike.join(", ") || "no other rank is alike"} (R: next)`}
      onChange={(event) => {
        openRank(Number(event.currentTarget.value));
        event.currentTarget.blur(); // keys are the page's again
      }}
    >
      {ranks.map((rank, i) => (
        <option key={i} value={i} disabled={i > 0 && !rank.timeline}>
          {nameOf(rank)}
          {i > 0 && !rank.timeline ? " (its trace is not here)" : ""}
        </option>
      ))}
    </select>
  );
}

export function App() {
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event, search.current);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  const open = tabs.filter(([name]) => hasContent(name));
  const [, , panel] = open.find(([name]) => name === tab.value) ?? open[0];
  const Panel = panel;
  return (
    <>
      <Header search={search} />
      <Verdict />
      <div class="middle">
        <div class="tracks">
          <Legend />
          <div class="scroll">
            <Timeline />
            <Memory />
          </div>
        </div>
        <Side />
      </div>
      <nav role="tablist">
        {open.map(([name, title], i) => (
          <button
            key={name}
            role="tab"
            aria-selected={name === (open.find(([one]) => one === tab.value) ?? open[0])[0]}
            onClick={() => (tab.value = name)}
            title={i < 9 ? `${title} (${i + 1})` : title}
          >
            {title}
          </button>
        ))}
      </nav>
      <section class="below" role="tabpanel">
        <Panel />
      </section>
      <Help />
    </>
  );
}
