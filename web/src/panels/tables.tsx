// Tables of lines, engines, instructions, operations, HBM tensors, energy and assumptions. Picking a
// row filters the others and the timeline.
import type { Line, Tensor } from "../document.ts";
import {
  bytesText,
  digits,
  group,
  percent,
  placeText,
  reasonText,
  scaled,
  short,
  timeText,
} from "../format.ts";
import { colorOf } from "../palette.ts";
import {
  engine,
  linesShown,
  mnemonic,
  path,
  place,
  rows,
  run,
  selectedTensor,
  ticksPerNs,
} from "../state.ts";
import { Table, type Column } from "../table.tsx";
import { WAIT, WORK } from "../rows.ts";

const sum = (ticks: Record<string, number>, keep: (reason: string) => boolean) =>
  Object.entries(ticks).reduce((all, [reason, value]) => (keep(reason) ? all + value : all), 0);
const busy = (line: { engine_ticks: Record<string, number> }) =>
  sum(line.engine_ticks, (reason) => reason === "working" || reason === "overhead");
const waiting = (line: { engine_ticks: Record<string, number> }) =>
  sum(line.engine_ticks, (reason) => reason.startsWith("waiting") || reason === "throttle");
const time = (ticks: number) => timeText(ticks / ticksPerNs.value);

function Engines({ line }: { line: Line }) {
  const list = Object.entries(line.busy_on ?? {}).sort((a, b) => b[1] - a[1]);
  return (
    <>
      {list.map(([name]) => (
        <span class="chip" key={name}>
          <i style={{ background: colorOf(name, "engine") }} />
          {name}
        </span>
      ))}
    </>
  );
}

function waitsText(line: Line): string {
  const all = waiting(line);
  return Object.entries(line.engine_ticks)
    .filter(
      ([reason, ticks]) =>
        (reason.startsWith("waiting") || reason === "throttle") && ticks > 0.01 * all,
    )
    .sort((a, b) => b[1] - a[1])
    .slice(0, 2)
    .map(
      ([reason, ticks]) => `${reasonText(reason).replace("waits: ", "")} ${percent(ticks / all)}`,
    )
    .join(", ");
}

export function Lines({ operations = false }: { operations?: boolean }) {
  const { report } = run.value;
  const onPath = new Map((path.value?.lines ?? []).map((one) => [one.place, one.ticks]));
  const hasPath = onPath.size > 0 && !operations;
  const columns: Column<Line>[] = [
    operations
      ? {
          head: "operation",
          value: (line) => line.function || line.place,
          show: (line) => <b>{short(line.function || placeText(line.place), 70)}</b>,
          title: (line) => `${line.function}\n${line.place}`,
        }
      : {
          head: "line",
          value: (line) => line.place,
          show: (line) => <b>{line.place ? placeText(line.place) : "no source line"}</b>,
          title: (line) => line.place,
        },
    ...(hasPath
      ? [
          {
            head: "critical path",
            value: (line: Line) => onPath.get(line.place) ?? 0,
            show: (line: Line) => percent((onPath.get(line.place) ?? 0) / report.duration_ticks),
          },
        ]
      : []),
    { head: "busy", value: busy, show: (line) => time(busy(line)) },
    { head: "waiting", value: waiting, show: (line) => time(waiting(line)) },
    { head: "waits for", value: waitsText },
    {
      head: "on",
      value: (line) => Object.keys(line.busy_on ?? {}).join(" "),
      show: (line) => <Engines line={line} />,
    },
    {
      head: "instructions",
      value: (line) => line.mnemonics,
      show: (line) => short(line.mnemonics, 36),
      title: (line) => line.mnemonics,
    },
    { head: "runs", value: (line) => line.executions, show: (line) => group(line.executions) },
    {
      head: "source",
      value: (line) => line.source ?? line.library ?? "",
      show: (line) => <code>{short(line.source ?? line.library ?? "", 90)}</code>,
      title: (line) => line.source ?? "",
      wide: true,
    },
  ];
  const items = operations ? (report.operations ?? []) : linesShown.value;
  return (
    <Table
      columns={columns}
      items={items}
      sorted={1}
      onPick={(line) =>
        line.place && (place.value = place.value === line.place ? null : line.place)
      }
      isOn={(line) => place.value === line.place}
      empty={
        operations ? "This run has no operations of a model." : "No line is left by the filters."
      }
    />
  );
}

export function Engineering() {
  const { report } = run.value;
  const limits = new Map((report.units ?? []).map((unit) => [unit.unit, unit]));
  const items = report.tracks.filter((track) => (track.ticks.working ?? 0) > 0);
  const share = (ticks: number) => ticks / report.duration_ticks;
  const of = (reason: (name: string) => boolean) => (track: (typeof items)[number]) =>
    sum(track.ticks, reason);
  const working = of((name) => name === "working"),
    waits = of((name) => name.startsWith("waiting")),
    rest = of((name) => name === "overhead"),
    throttled = of((name) => name === "throttle"),
    idle = of((name) => name === "idle");
  const columns: Column<(typeof items)[number]>[] = [
    {
      head: "unit",
      value: (track) => track.name,
      show: (track) => (
        <span class="chip">
          <i style={{ background: colorOf(track.name, track.kind) }} />
          {short(track.name, 32)}
        </span>
      ),
    },
    { head: "kind", value: (track) => track.kind.replace("_", " ") },
    { head: "works", value: working, show: (track) => percent(share(working(track))) },
    { head: "waits", value: waits, show: (track) => percent(share(waits(track))) },
    { head: "throttled", value: throttled, show: (track) => percent(share(throttled(track))) },
    { head: "issues", value: rest, show: (track) => percent(share(rest(track))) },
    { head: "idle", value: idle, show: (track) => percent(share(idle(track))) },
    {
      head: "needs at least",
      value: (track) => limits.get(track.name)?.ticks_min ?? 0,
      show: (track) => (limits.has(track.name) ? time(limits.get(track.name)!.ticks_min) : ""),
    },
    {
      head: "waits for",
      value: (track) => (track.waits_for ?? []).map((wait) => wait.track).join(" "),
      show: (track) =>
        (track.waits_for ?? [])
          .slice(0, 3)
          .map((wait) => `${short(wait.track, 24)} ${percent(wait.share)}`)
          .join(", "),
      wide: true,
    },
  ];
  return (
    <Table
      columns={columns}
      items={items}
      sorted={2}
      onPick={(track) =>
        track.kind === "engine" && (engine.value = engine.value === track.name ? null : track.name)
      }
      isOn={(track) => engine.value === track.name}
    />
  );
}

interface Kind {
  name: string;
  executions: number;
  working: number;
  waiting: number;
  engines: string;
}

// From the trace, so that the filters hold; from the report where there is none.
function kinds(): Kind[] {
  const { report, timeline } = run.value;
  if (!timeline || place.value === null)
    return (report.mnemonics ?? [])
      .map((one) => ({
        name: one.mnemonic,
        executions: one.executions,
        working: busy(one),
        waiting: waiting(one),
        engines: Object.keys(one.busy_on ?? {}).join(" "),
      }))
      .filter((one) => !engine.value || one.engines.includes(engine.value));
  const found = new Map<string, Kind>();
  const { frames, instructions, strings } = timeline;
  const wanted = instructions.frame.map(
    (frame) => frame >= 0 && `${strings[frames.file[frame]]}:${frames.line[frame]}` === place.value,
  );
  timeline.tracks.forEach((track, t) => {
    if (track.kind !== "engine" || (engine.value && engine.value !== track.name)) return;
    const slices = rows.value[t];
    for (let row = 0; row < slices.count; ++row) {
      const i = slices.instruction[row];
      if (!wanted[i]) continue;
      const name = strings[instructions.mnemonic[i]];
      const kind = found.get(name) ?? {
        name,
        executions: 0,
        working: 0,
        waiting: 0,
        engines: track.name,
      };
      const ticks = slices.end[row] - slices.begin[row],
        c = slices.classAt(row);
      if (c === WORK) {
        kind.working += ticks;
        kind.executions += 1;
      }
      if (c === WAIT) kind.waiting += ticks;
      found.set(name, kind);
    }
  });
  return [...found.values()];
}

export function Instructions() {
  return (
    <Table
      columns={[
        {
          head: "instruction",
          value: (one: Kind) => one.name,
          show: (one) => <b>{short(one.name, 40)}</b>,
        },
        { head: "busy", value: (one) => one.working, show: (one) => time(one.working) },
        { head: "waiting", value: (one) => one.waiting, show: (one) => time(one.waiting) },
        { head: "runs", value: (one) => one.executions, show: (one) => group(one.executions) },
        {
          head: "each",
          value: (one) => one.working / Math.max(one.executions, 1),
          show: (one) => time(one.working / Math.max(one.executions, 1)),
        },
        { head: "on", value: (one) => one.engines, wide: true },
      ]}
      items={kinds()}
      sorted={1}
      onPick={(one) => (mnemonic.value = mnemonic.value === one.name ? null : one.name)}
      isOn={(one) => mnemonic.value === one.name}
      empty="No instruction is left by the filters."
    />
  );
}

export function Hbm() {
  const memory = run.value.details?.memory?.hbm;
  const items = (memory?.tensors ?? []).map((tensor, index) => ({ ...tensor, index }));
  const { report } = run.value;
  return (
    <>
      <div class="figures">
        {(report.traffic ?? []).map((one) => (
          <div key={one.memory}>
            <b>{one.memory.toUpperCase()}</b> {bytesText(one.bytes.read)} read,{" "}
            {bytesText(one.bytes.written)} written · {digits(one.gigabytes_per_second, 3)} GB/s
            {one.gigabytes_per_second_peak
              ? ` of ${digits(one.gigabytes_per_second_peak, 4)} (${percent(one.gigabytes_per_second / one.gigabytes_per_second_peak)})`
              : ""}
          </div>
        ))}
      </div>
      <Table
        columns={[
          {
            head: "tensor",
            value: (one: Tensor & { index: number }) => one.name,
            show: (one) => <b>{short(one.name, 40)}</b>,
            title: (one) => one.name,
          },
          { head: "role", value: (one) => one.role ?? "" },
          { head: "type", value: (one) => `${one.dtype}[${one.shape.join(", ")}]` },
          { head: "bytes", value: (one) => one.bytes, show: (one) => bytesText(one.bytes) },
          { head: "read", value: (one) => one.read, show: (one) => bytesText(one.read) },
          { head: "written", value: (one) => one.written, show: (one) => bytesText(one.written) },
          {
            head: "times over",
            value: (one) => (one.read + one.written) / Math.max(one.bytes, 1),
            show: (one) => digits((one.read + one.written) / Math.max(one.bytes, 1), 3),
          },
          { head: "first used", value: (one) => one.begin, show: (one) => time(one.begin) },
          { head: "last used", value: (one) => one.end, show: (one) => time(one.end) },
          { head: "created", value: (one) => placeText(one.place), wide: true },
        ]}
        items={items}
        sorted={4}
        onPick={(one) => (selectedTensor.value = { space: "hbm", index: one.index })}
        isOn={(one) =>
          selectedTensor.value?.space === "hbm" && selectedTensor.value.index === one.index
        }
        empty="No details of memory beside this run: trainyard profile writes them."
      />
    </>
  );
}

export function Energy() {
  const { energy, dollars } = run.value.report;
  if (!energy)
    return (
      <p class="empty">A trace has no energy; the report of trainyard profile beside it has.</p>
    );
  const all = energy.joules.value || 1,
    electricity = dollars?.electricity?.value ?? 0;
  return (
    <div class="columns">
      <div>
        <h3>
          {scaled(energy.joules.value, "J")}{" "}
          <span class="faint">
            {scaled(energy.joules.low, "J")} to {scaled(energy.joules.high, "J")},{" "}
            {energy.joules.kind} · {digits(energy.watts, 3)} W on average; dollars are for a million
            runs
          </span>
        </h3>
        <Table
          columns={[
            {
              head: "part",
              value: (one: (typeof energy.parts)[number]) =>
                one.key.replace("energy.", "").replaceAll("_", " "),
            },
            {
              head: "share",
              value: (one) => one.joules.value / all,
              show: (one) => percent(one.joules.value / all),
            },
            {
              head: "energy",
              value: (one) => one.joules.value,
              show: (one) => scaled(one.joules.value, "J"),
            },
            {
              head: "$ of electricity",
              value: (one) => (one.joules.value / all) * electricity,
              show: (one) => `$${digits((one.joules.value / all) * electricity * 1e6, 3)}`,
            },
            { head: "count", value: (one) => one.count, show: (one) => digits(one.count, 4) },
            { head: "known as", value: (one) => one.joules.kind, wide: true },
          ]}
          items={energy.parts}
          sorted={1}
        />
      </div>
      {dollars && (
        <div>
          <h3>
            Dollars <span class="faint">for a million runs</span>
          </h3>
          <Table
            columns={[
              {
                head: "basis",
                value: (one: {
                  basis: string;
                  dollars: { value: number; low: number; high: number; kind: string };
                }) => one.basis.replaceAll("_", " "),
              },
              {
                head: "dollars",
                value: (one) => one.dollars.value,
                show: (one) => `$${digits(one.dollars.value * 1e6, 3)}`,
              },
              {
                head: "from",
                value: (one) => one.dollars.low,
                show: (one) => `$${digits(one.dollars.low * 1e6, 3)}`,
              },
              {
                head: "to",
                value: (one) => one.dollars.high,
                show: (one) => `$${digits(one.dollars.high * 1e6, 3)}`,
              },
              { head: "known as", value: (one) => one.dollars.kind, wide: true },
            ]}
            items={[
              ...dollars.rent,
              ...(dollars.electricity
                ? [{ basis: "electricity alone", dollars: dollars.electricity }]
                : []),
            ]}
            sorted={1}
          />
        </div>
      )}
    </div>
  );
}

export function Assumptions() {
  const { assumptions = [], interval, duration_ticks, what_ifs } = run.value.report;
  const effect = new Map((interval?.figures ?? []).map((one) => [one.key, one]));
  const move = (key: string) => {
    const one = effect.get(key);
    return one
      ? Math.max(
          Math.abs(one.ticks_at_low - duration_ticks),
          Math.abs(one.ticks_at_high - duration_ticks),
        ) / duration_ticks
      : 0;
  };
  return (
    <>
      {interval && (
        <div class="figures">
          <div>
            Over the documented ranges of all of them: <b>{timeText(interval.low_ns)}</b> to{" "}
            <b>{timeText(interval.high_ns)}</b>; {interval.figures.length} of {interval.tried} move
            the time.
          </div>
        </div>
      )}
      {what_ifs && what_ifs.length > 0 && (
        <Table
          columns={[
            {
              head: "what if",
              value: (one: (typeof what_ifs)[number]) => one.name || one.set.join(", "),
            },
            { head: "saves", value: (one) => one.gain, show: (one) => percent(one.gain) },
            {
              head: "time",
              value: (one) => one.duration_ns,
              show: (one) => timeText(one.duration_ns),
              wide: true,
            },
          ]}
          items={what_ifs}
          sorted={1}
        />
      )}
      <Table
        columns={[
          {
            head: "figure",
            value: (one: (typeof assumptions)[number]) => one.key,
            show: (one) => <b>{one.key}</b>,
          },
          {
            head: "moves the time by",
            value: (one) => move(one.key),
            show: (one) => (effect.has(one.key) ? percent(move(one.key)) : ""),
          },
          { head: "value", value: (one) => `${one.value} ${one.unit}` },
          { head: "range", value: (one) => (one.low ? `${one.low} to ${one.high}` : "") },
          { head: "kind", value: (one) => one.kind },
          { head: "changes", value: (one) => one.effect },
          {
            head: "source",
            value: (one) => one.source,
            show: (one) => short(one.source, 110),
            title: (one) => one.source,
            wide: true,
          },
        ]}
        items={assumptions}
        sorted={1}
        empty="This run depends on no unpublished figure that its file knows of."
      />
    </>
  );
}
