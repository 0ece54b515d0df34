// Two runs, line by line: what changed, largest change first.
import { Canvas, fitText, gutter, type Surface } from "../canvas.tsx";
import type { Change, LineChange, RunDocument } from "../document.ts";
import { digits, percent, placeText, short, timeText } from "../format.ts";
import { colorOf, palette } from "../palette.ts";
import { classCount, WORK } from "../rows.ts";
import { openRun, place, rowsOf, run, runNumber, theme, view } from "../state.ts";
import { Table } from "../table.tsx";

function Delta({ change }: { change: Change }) {
  const value = change.difference;
  return (
    <span class={value < 0 ? "good" : value > 0 ? "bad" : "faint"}>
      {value === 0 ? "same" : `${value > 0 ? "+" : "−"}${timeText(Math.abs(value))}`}
    </span>
  );
}

const pairHeight = 22;

interface Pair {
  name: string;
  kind: string;
  tracks: [number[], number[]];
}

// Tracks that worked in either run, by name; DMA engines share one.
function pairsOf(both: RunDocument[]): Pair[] {
  const pairs = new Map<string, Pair>();
  both.forEach((one, side) =>
    one.timeline?.tracks.forEach((track, t) => {
      if (rowsOf(one)[t].ticks(WORK) === 0) return;
      const name = track.kind === "dma_engine" ? "DMA engines" : track.name;
      const pair: Pair = pairs.get(name) ?? { name, kind: track.kind, tracks: [[], []] };
      pair.tracks[side].push(t);
      pairs.set(name, pair);
    }),
  );
  const order = ["engine", "dma_queue", "dma_engine", "memory", "link"];
  return [...pairs.values()].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

// Both runs on one axis of time: of each track, the earlier run above the later one.
function drawBoth(both: RunDocument[], pairs: Pair[]): (surface: Surface) => void {
  return ({ context, width, height }) => {
    void theme.value;
    if (!context) return;
    const colors = palette(),
      span = width - gutter - 90,
      columns = Math.max(1, Math.floor(span));
    const longest = Math.max(...both.map((one) => one.report.duration_ns));
    context.fillStyle = colors.back;
    context.fillRect(0, 0, width, height);
    context.font = "11px ui-sans-serif, system-ui, sans-serif";
    context.textBaseline = "middle";
    pairs.forEach((pair, i) => {
      const y = i * pairHeight;
      context.fillStyle = i % 2 ? colors.back : colors.band;
      context.fillRect(0, y, width, pairHeight);
      context.fillStyle = colors.text;
      context.textAlign = "left";
      context.fillText(fitText(pair.name, gutter - 24), 16, y + pairHeight / 2);
      both.forEach((one, side) => {
        const top = y + (side === 0 ? 2 : 12),
          all = longest * one.report.ticks_per_ns;
        const sum = new Float32Array(columns);
        for (const track of pair.tracks[side]) {
          const shares = rowsOf(one)[track].shares(0, all, columns);
          for (let k = 0; k < columns; ++k)
            sum[k] += shares[k * classCount + WORK] / pair.tracks[side].length;
        }
        context.fillStyle = colors.grid;
        context.fillRect(gutter, top, (span * one.report.duration_ns) / longest, 8);
        context.fillStyle = colorOf(pair.name, pair.kind);
        const busy = (sum.reduce((total, share) => total + share, 0) / columns) * longest;
        for (let k = 0; k < columns; ++k) {
          const tall = sum[k] > 0 ? Math.max(1, Math.round(sum[k] * 8)) : 0;
          context.globalAlpha = side === 0 ? 0.55 : 1;
          if (tall > 0)
            context.fillRect(
              gutter + k * (span / columns),
              top + 8 - tall,
              span / columns + 0.4,
              tall,
            );
        }
        context.globalAlpha = 1;
        context.fillStyle = side === 0 ? colors.faint : colors.text;
        context.textAlign = "right";
        context.fillText(timeText(busy), width - 12, top + 4.5);
      });
    });
  };
}

function Both({ both }: { both: RunDocument[] }) {
  const pairs = pairsOf(both);
  if (pairs.length === 0 || both.length < 2) return null;
  return (
    <div class="both">
      <h3>
        What worked when{" "}
        <span class="faint">
          of each track the earlier run above the later one, and the time that each worked
        </span>
      </h3>
      <Canvas
        draw={drawBoth(both, pairs)}
        height={pairs.length * pairHeight}
        label="Both runs on one axis of time"
      />
    </div>
  );
}

export function Compare() {
  const { comparison, runs } = view.value!,
    found = comparison?.kernels[0];
  if (!found)
    return (
      <p class="empty">One run. `trainyard view BEFORE AFTER` shows two, aligned by source.</p>
    );
  const weight = (line: LineChange) =>
    Math.abs(line.critical_path_ns ? line.critical_path_ns.difference : line.busy_ns.difference) +
    Math.abs(line.waiting_ns.difference) * 1e-6;
  const lines = found.lines.filter((line) => weight(line) > 0 || line.executions.difference !== 0);
  const same = found.lines.length - lines.length;
  const longest = Math.max(...runs.map((one) => one.report.duration_ns));
  return (
    <>
      <div class="figures column">
        {runs.slice(0, 2).map((one, i) => (
          <button
            key={i}
            class={`run ${runNumber.value === i ? "on" : ""}`}
            onClick={() => openRun(i)}
          >
            <span class="words">
              {i === 0 ? "before" : "after"} <b>{short(one.name, 30)}</b>
            </span>
            <span class="bar">
              <span
                style={{
                  width: `${(100 * one.report.duration_ns) / longest}%`,
                  background: i === 0 ? "var(--faint)" : "var(--accent)",
                }}
              />
            </span>
            <span class="number">{timeText(one.report.duration_ns)}</span>
          </button>
        ))}
        <div>
          <Delta change={found.time_ns} />{" "}
          {found.time_ns.share !== null && (
            <>
              ({found.time_ns.share > 0 ? "+" : ""}
              {digits(100 * (found.time_ns.share ?? 0), 3)} %)
            </>
          )}{" "}
          · bound by {found.bound.before} → {found.bound.after}
        </div>
        {found.notes.map((note) => (
          <div class="faint" key={note}>
            {note}
          </div>
        ))}
      </div>
      <Both both={runs.slice(0, 2)} />
      <Table
        columns={[
          {
            head: "line before",
            value: (line: LineChange) => placeText(line.place_before ?? ""),
            show: (line) => <b>{placeText(line.place_before ?? "–")}</b>,
          },
          {
            head: "line after",
            value: (line) => placeText(line.place_after ?? ""),
            show: (line) => <b>{placeText(line.place_after ?? "–")}</b>,
          },
          {
            head: "critical path",
            value: (line) => line.critical_path_ns?.difference ?? 0,
            show: (line) => (line.critical_path_ns ? <Delta change={line.critical_path_ns} /> : ""),
          },
          {
            head: "busy",
            value: (line) => line.busy_ns.difference,
            show: (line) => <Delta change={line.busy_ns} />,
          },
          {
            head: "waiting",
            value: (line) => line.waiting_ns.difference,
            show: (line) => <Delta change={line.waiting_ns} />,
          },
          {
            head: "runs",
            value: (line) => line.executions.difference,
            show: (line) => `${line.executions.before ?? 0} → ${line.executions.after ?? 0}`,
          },
          {
            head: "change",
            value: weight,
            show: (line) => percent(weight(line) / found.time_ns.before!),
          },
          {
            head: "source",
            value: (line) => line.source,
            show: (line) => <code>{short(line.source, 90)}</code>,
            wide: true,
          },
        ]}
        items={lines}
        sorted={6}
        onPick={(line) =>
          (place.value = (runNumber.value === 0 ? line.place_before : line.place_after) ?? null)
        }
        isOn={(line) =>
          place.value !== null &&
          place.value === (runNumber.value === 0 ? line.place_before : line.place_after)
        }
        empty="No line changed."
      />
      {same > 0 && (
        <p class="faint">
          {same} lines take the same time in both and are left out. The timeline shows{" "}
          {run.value.name}.
        </p>
      )}
    </>
  );
}
