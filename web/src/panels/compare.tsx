// Two runs, line by line: what changed, largest change first.
import type { Change, LineChange } from "../document.ts";
import { digits, percent, placeText, short, timeText } from "../format.ts";
import { openRun, place, run, runNumber, view } from "../state.ts";
import { Table } from "../table.tsx";

function Delta({ change }: { change: Change }) {
  const value = change.difference;
  return <span class={value < 0 ? "good" : value > 0 ? "bad" : "faint"}>{value === 0 ? "same" : `${value > 0 ? "+" : "−"}${timeText(Math.abs(value))}`}</span>;
}

export function Compare() {
  const { comparison, runs } = view.value!, found = comparison?.kernels[0];
  if (!found) return <p class="empty">One run. `trainyard view BEFORE AFTER` shows two, aligned by source.</p>;
  const weight = (line: LineChange) => Math.abs(line.critical_path_ns ? line.critical_path_ns.difference : line.busy_ns.difference) + Math.abs(line.waiting_ns.difference) * 1e-6;
  const lines = found.lines.filter((line) => weight(line) > 0 || line.executions.difference !== 0);
  const same = found.lines.length - lines.length;
  const longest = Math.max(...runs.map((one) => one.report.duration_ns));
  return (
    <>
      <div class="figures column">
        {runs.slice(0, 2).map((one, i) => (
          <button key={i} class={`run ${runNumber.value === i ? "on" : ""}`} onClick={() => openRun(i)}>
            <span class="words">{i === 0 ? "before" : "after"} <b>{short(one.name, 30)}</b></span>
            <span class="bar"><span style={{ width: `${(100 * one.report.duration_ns) / longest}%`, background: i === 0 ? "var(--faint)" : "var(--accent)" }} /></span>
            <span class="number">{timeText(one.report.duration_ns)}</span>
          </button>
        ))}
        <div><Delta change={found.time_ns} /> {found.time_ns.share !== null && <>({found.time_ns.share > 0 ? "+" : ""}{digits(100 * (found.time_ns.share ?? 0), 3)} %)</>} · bound by {found.bound.before} → {found.bound.after}</div>
        {found.notes.map((note) => <div class="faint" key={note}>{note}</div>)}
      </div>
      <Table columns={[
        { head: "line before", value: (line: LineChange) => placeText(line.place_before ?? ""), show: (line) => <b>{placeText(line.place_before ?? "–")}</b> }, { head: "line after", value: (line) => placeText(line.place_after ?? ""), show: (line) => <b>{placeText(line.place_after ?? "–")}</b> },
        { head: "critical path", value: (line) => line.critical_path_ns?.difference ?? 0, show: (line) => (line.critical_path_ns ? <Delta change={line.critical_path_ns} /> : "") },
        { head: "busy", value: (line) => line.busy_ns.difference, show: (line) => <Delta change={line.busy_ns} /> }, { head: "waiting", value: (line) => line.waiting_ns.difference, show: (line) => <Delta change={line.waiting_ns} /> },
        { head: "runs", value: (line) => line.executions.difference, show: (line) => `${line.executions.before ?? 0} → ${line.executions.after ?? 0}` }, { head: "change", value: weight, show: (line) => percent(weight(line) / found.time_ns.before!) },
        { head: "source", value: (line) => line.source, show: (line) => <code>{short(line.source, 90)}</code>, wide: true },
      ]} items={lines} sorted={6} onPick={(line) => (place.value = (runNumber.value === 0 ? line.place_before : line.place_after) ?? null)} isOn={(line) => place.value !== null && place.value === (runNumber.value === 0 ? line.place_before : line.place_after)} empty="No line changed." />
      {same > 0 && <p class="faint">{same} lines take the same time in both and are left out. The timeline shows {run.value.name}.</p>}
    </>
  );
}
