// What went between chips: the collectives, and how busy each link was over time; and how long each
// rank took.
import { useState } from "preact/hooks";
import { Canvas, fitText, type Surface } from "../canvas.tsx";
import type { Links } from "../document.ts";
import { bytesText, digits, group, percent, rangesText, short, timeText } from "../format.ts";
import { inkOn, palette } from "../palette.ts";
import { WORK } from "../rows.ts";
import { mnemonicOf, rows, run, theme } from "../state.ts";
import { Table } from "../table.tsx";

const rowHeight = 17,
  left = 260,
  most = 40;

// From nothing over the accent to what is full. By the root of the share, so that a tenth is seen.
function heat(share: number): string {
  const value = Math.sqrt(Math.max(0, Math.min(1, share))),
    dark = theme.value === "dark";
  const hue = 210 - 200 * value,
    light = dark ? 18 + 42 * value : 94 - 46 * value;
  return `hsl(${hue} ${20 + 65 * value}% ${light}%)`;
}

// When this rank's collectives worked, as shares of the run.
function collectiveBands(): { from: number; to: number; name: string }[] {
  const { timeline } = run.value;
  if (!timeline) return [];
  return timeline.tracks.flatMap((track, t) => {
    if (!track.name.startsWith("collectives")) return [];
    const slices = rows.value[t];
    return Array.from({ length: slices.count }, (_, row) => row)
      .filter((row) => slices.classAt(row) === WORK)
      .map((row) => ({
        from: slices.begin[row] / timeline.end,
        to: slices.end[row] / timeline.end,
        name: mnemonicOf(slices.instruction[row]),
      }));
  });
}

function drawLinks(links: Links): (surface: Surface) => void {
  return (surface) => {
    void theme.value;
    const { context, width, height } = surface;
    if (!context) return;
    const colors = palette(),
      span = width - left - 56;
    context.fillStyle = colors.back;
    context.fillRect(0, 0, width, height);
    context.font = "11px ui-sans-serif, system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = colors.text;
    context.fillText("collectives of this rank", 8, rowHeight / 2);
    for (const band of collectiveBands()) {
      const from = left + band.from * span,
        size = Math.max((band.to - band.from) * span, 1);
      context.fillStyle = colors.accent;
      context.globalAlpha = 0.22;
      context.fillRect(from, 0, size, height);
      context.globalAlpha = 1;
      context.fillRect(from, 2, size, rowHeight - 4);
      context.fillStyle = inkOn();
      context.fillText(fitText(band.name, size - 8), from + 4, rowHeight / 2 + 0.5);
    }
    links.links.slice(0, most).forEach((link, i) => {
      const y = (i + 1) * rowHeight;
      context.fillStyle = colors.text;
      context.textAlign = "left";
      context.fillText(
        fitText(link.alike > 1 ? `${link.name} and ${link.alike - 1} alike` : link.name, left - 12),
        8,
        y + rowHeight / 2,
      );
      context.fillStyle = heat(0);
      context.globalAlpha = 0.5;
      context.fillRect(left, y + 2, span, rowHeight - 4);
      context.globalAlpha = 1;
      link.use.forEach((share, k) => {
        if (share <= 0) return;
        context.fillStyle = heat(share);
        const from = left + (k * span) / link.use.length;
        context.fillRect(
          Math.floor(from),
          y + 2,
          Math.ceil(span / link.use.length) + 0.5,
          rowHeight - 4,
        );
      });
      context.fillStyle = colors.faint;
      context.textAlign = "right";
      context.fillText(percent(link.share), width - 6, y + rowHeight / 2);
    });
  };
}

// The busiest share of each chip's links, and of the links of each level. Links that all chips have
// alike are told of once, as those of chip 0.
function uses(links: Links): {
  chips: Map<number, number>;
  levels: Map<string, number>;
  all: number;
} {
  const chips = new Map<number, number>(),
    levels = new Map<string, number>();
  let all = 0;
  for (const link of links.links) {
    const [, chip, level] = /^chip (\d+), (.*?)[+-]? link/.exec(link.name) ?? [];
    if (level === undefined) continue;
    levels.set(level, Math.max(levels.get(level) ?? 0, link.share));
    if (link.alike >= links.chips) all = Math.max(all, link.share);
    else chips.set(Number(chip), Math.max(chips.get(Number(chip)) ?? 0, link.share));
  }
  return { chips, levels, all };
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
const chipSize = 15,
  chipsMost = 576;

// The chips of the run in the boxes of their levels, innermost first; colours are those of use.
function Topology({ links }: { links: Links }) {
  const topology = run.value.details?.topology;
  if (!topology) return null;
  const used = uses(links),
    levels = topology.levels.filter((level) => level.size > 1),
    count = Math.min(topology.chips, chipsMost);
  const boxes: (Box & { level: string })[] = [],
    chips: (Box & { chip: number })[] = [];
  // Places the members of a level from (x, y) on; returns the room that they take.
  const place = (
    depth: number,
    first: number,
    x: number,
    y: number,
  ): { width: number; height: number } => {
    if (depth < 0) {
      if (first < count) chips.push({ x, y, width: chipSize, height: chipSize, chip: first });
      return { width: chipSize, height: chipSize };
    }
    const level = levels[depth],
      each = level.chips / level.size,
      columns = Math.ceil(Math.sqrt(level.size * (depth === 0 ? 1 : 1.8)));
    let right = 0,
      bottom = 0,
      cell = { width: 0, height: 0 };
    for (let i = 0; i < level.size && first + i * each < count; ++i) {
      const left = x + 5 + (i % columns) * (cell.width + 4),
        top = y + 5 + Math.floor(i / columns) * (cell.height + 4);
      const room = place(depth - 1, first + i * each, left, top);
      if (i === 0) cell = room;
      right = Math.max(right, left + room.width);
      bottom = Math.max(bottom, top + room.height);
    }
    const box = { x, y, width: right - x + 5, height: bottom - y + 5 };
    boxes.unshift({ ...box, level: level.name });
    return box;
  };
  const whole = place(levels.length - 1, 0, 1, 1);
  const share = (chip: number) => (chip < links.chips ? (used.chips.get(chip) ?? used.all) : -1);
  return (
    <figure>
      <svg
        viewBox={`0 0 ${whole.width + 2} ${whole.height + 2}`}
        width={whole.width + 2}
        height={whole.height + 2}
        role="img"
        aria-label="Chips in the boxes of their levels, coloured by the use of their links"
      >
        {boxes.map((box, i) => (
          <rect
            key={i}
            {...{ x: box.x, y: box.y, width: box.width, height: box.height }}
            rx="3"
            class="level"
            stroke={
              used.levels.has(box.level)
                ? heat(Math.max(used.levels.get(box.level)!, 0.15))
                : "var(--line)"
            }
          >
            <title>{`${box.level}: busiest link ${percent(used.levels.get(box.level) ?? 0)}`}</title>
          </rect>
        ))}
        {chips.map((chip) => (
          <rect
            key={chip.chip}
            x={chip.x}
            y={chip.y}
            width={chip.width}
            height={chip.height}
            rx="2"
            class={share(chip.chip) < 0 ? "unused" : ""}
            fill={share(chip.chip) < 0 ? "none" : heat(share(chip.chip))}
          >
            <title>
              {share(chip.chip) < 0
                ? `chip ${chip.chip}: not used`
                : `chip ${chip.chip}: busiest link ${percent(share(chip.chip))}`}
            </title>
          </rect>
        ))}
      </svg>
      <figcaption>
        {short(topology.title, 90)}
        {topology.chips > count
          ? `; the first ${count} of ${group(topology.chips)} chips`
          : ""}.{" "}
        {levels
          .map(
            (level) =>
              `${level.name}: ${level.join}, ${level.size} at ${digits(level.gbps, 3)} GB/s`,
          )
          .join(" · ")}
      </figcaption>
    </figure>
  );
}

interface RankGroup {
  time: number;
  ranks: number[];
  isPart: boolean; // of a group that is unfolded
}

// Ranks that take the same time are one row, which unfolds into its ranks.
function Ranks() {
  const [open, setOpen] = useState<number | null>(null);
  const times = run.value.details?.ranks_ns;
  if (!times || times.length < 2) return null;
  const groups = new Map<number, number[]>();
  times.forEach((time, rank) => groups.set(time, [...(groups.get(time) ?? []), rank]));
  const items = [...groups].flatMap(([time, ranks]): RankGroup[] =>
    time === open
      ? ranks.map((rank) => ({ time, ranks: [rank], isPart: true }))
      : [{ time, ranks, isPart: false }],
  );
  const first = Math.min(...times);
  return (
    <>
      <h3>
        Ranks{" "}
        <span class="faint">
          {group(times.length)}:{" "}
          {groups.size === 1
            ? "all take the same time"
            : `${group(groups.size)} kinds that differ; those alike are one row`}
          ; click to unfold
        </span>
      </h3>
      <Table
        columns={[
          {
            head: "ranks",
            value: (one: RankGroup) => one.ranks[0],
            show: (one) => (
              <>
                {one.ranks.length > 1 ? "▸ " : one.isPart ? "▾ " : ""}
                <b>{rangesText(one.ranks)}</b>
                {one.ranks.length > 1 ? " alike" : ""}
              </>
            ),
          },
          { head: "count", value: (one) => one.ranks.length },
          { head: "time", value: (one) => one.time, show: (one) => timeText(one.time) },
          {
            head: "behind the first",
            value: (one) => one.time - first,
            show: (one) => timeText(one.time - first),
            wide: true,
          },
        ]}
        items={items}
        sorted={2}
        onPick={(one) => setOpen(one.ranks.length > 1 ? one.time : one.isPart ? null : open)}
      />
    </>
  );
}

export function Fabric() {
  const links = run.value.links;
  if (!links)
    return (
      <>
        <p class="empty">The run was on one chip.</p>
        <Ranks />
      </>
    );
  return (
    <>
      <div class="figures">
        <div>
          <b>{links.chips}</b> chips
          {links.chips > links.chips_run
            ? `, ${links.chips - links.chips_run} of which do what another one does`
            : ""}
          ; {group(links.transfers)} transfers.
          {links.faults.length > 0 ? ` Faults: ${links.faults.join("; ")}.` : ""}
        </div>
      </div>
      <h3>Collectives</h3>
      <Table
        columns={[
          {
            head: "operation",
            value: (one: Links["collectives"][number]) => one.operation,
            show: (one) => <b>{one.operation.replaceAll("_", " ")}</b>,
          },
          { head: "bytes", value: (one) => one.bytes, show: (one) => bytesText(one.bytes) },
          { head: "ranks", value: (one) => one.ranks },
          { head: "groups", value: (one) => one.groups },
          { head: "times", value: (one) => one.times },
          { head: "steps", value: (one) => one.steps },
          { head: "algorithm", value: (one) => one.algorithm },
          {
            head: "alone on the links",
            value: (one) => one.algorithm,
            show: (one) =>
              one.candidates
                .slice(0, 4)
                .map(
                  (each) =>
                    `${each.algorithm} ${digits(each.time_us, 3)} µs${each.was_run ? "" : " or more"}`,
                )
                .join(" · "),
            wide: true,
          },
        ]}
        items={links.collectives}
        sorted={1}
        empty="No collective crossed chips."
      />
      <h3>
        Links{" "}
        <span class="faint">
          busiest first; colour: use over the run,{" "}
          {[0, 0.1, 0.3, 0.6, 1].map((share) => (
            <span key={share} class="swatch">
              <i style={{ background: heat(share) }} />
              {100 * share}
            </span>
          ))}{" "}
          %{links.left_out > 0 ? `; ${group(links.left_out)} less busy ones are left out` : ""}
          {links.links.length > most ? `; ${most} of ${group(links.links.length)} are shown` : ""}
        </span>
      </h3>
      <div class="columns fabric">
        <Topology links={links} />
        <Canvas
          draw={drawLinks(links)}
          height={(1 + Math.min(links.links.length, most)) * rowHeight}
          label="Use of each link over time"
        />
      </div>
      <Ranks />
    </>
  );
}
