// What went between chips: the collectives, and how busy each link was over time; and how long each
// rank took.
import { Canvas, fitText, type Surface } from "../canvas.tsx";
import type { Links } from "../document.ts";
import { bytesText, digits, group, percent, short, timeText } from "../format.ts";
import { palette } from "../palette.ts";
import { run, theme } from "../state.ts";
import { Table } from "../table.tsx";

const rowHeight = 17, left = 260, most = 40;

// From nothing over the accent to what is full.
function heat(share: number): string {
  const value = Math.max(0, Math.min(1, share)), dark = theme.value === "dark";
  const hue = 210 - 200 * value, light = dark ? 18 + 42 * value : 94 - 46 * value;
  return `hsl(${hue} ${20 + 65 * value}% ${light}%)`;
}

function drawLinks(links: Links): (surface: Surface) => void {
  return (surface) => {
    void theme.value;
    const { context, width, height } = surface;
    if (!context) return;
    const colors = palette();
    context.fillStyle = colors.back;
    context.fillRect(0, 0, width, height);
    context.font = "11px ui-sans-serif, system-ui, sans-serif";
    context.textBaseline = "middle";
    links.links.slice(0, most).forEach((link, i) => {
      const y = i * rowHeight, span = width - left - 56;
      context.fillStyle = colors.text;
      context.textAlign = "left";
      context.fillText(fitText(link.alike > 1 ? `${link.name} and ${link.alike - 1} alike` : link.name, left - 12), 8, y + rowHeight / 2);
      link.use.forEach((share, k) => {
        context.fillStyle = heat(share);
        const from = left + (k * span) / link.use.length;
        context.fillRect(Math.floor(from), y + 2, Math.ceil(span / link.use.length) + 0.5, rowHeight - 4);
      });
      context.fillStyle = colors.faint;
      context.textAlign = "right";
      context.fillText(percent(link.share), width - 6, y + rowHeight / 2);
    });
  };
}

interface Node { name: string; x: number; y: number }

// Chips that the names of links mention, in a ring; "3 > 5" or "3.twin" are such names.
function Topology({ links }: { links: Links }) {
  const ends = links.links.slice(0, 200).map((link) => ({ link, nodes: link.name.match(/\d+/g)?.slice(0, 2) ?? [] }));
  const names = [...new Set(ends.flatMap((one) => one.nodes))].sort((a, b) => Number(a) - Number(b)).slice(0, 160);
  if (names.length < 2) return null;
  const size = 280, radius = 112;
  const nodes = new Map<string, Node>(names.map((name, i) => {
    const angle = (2 * Math.PI * i) / names.length - Math.PI / 2;
    return [name, { name, x: size / 2 + radius * Math.cos(angle), y: size / 2 + radius * Math.sin(angle) }];
  }));
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width={size} height={size} role="img" aria-label="Chips and the links between them, coloured by use">
      {ends.map(({ link, nodes: [from, to] }, i) => {
        const a = nodes.get(from ?? ""), b = to === undefined ? null : nodes.get(to);
        if (!a) return null;
        const end = b ?? { x: size / 2 + (a.x - size / 2) * 0.35, y: size / 2 + (a.y - size / 2) * 0.35 };
        return <line key={i} x1={a.x} y1={a.y} x2={end.x} y2={end.y} stroke={heat(link.share)} stroke-width={1 + 3 * link.share}><title>{`${short(link.name)}: ${percent(link.share)}`}</title></line>;
      })}
      {[...nodes.values()].map((node) => <g key={node.name}><circle cx={node.x} cy={node.y} r={names.length > 40 ? 3 : 10} class="node" />{names.length <= 40 && <text x={node.x} y={node.y + 3.5} text-anchor="middle" class="strong small">{node.name}</text>}</g>)}
    </svg>
  );
}

function Ranks() {
  const times = run.value.details?.ranks_ns;
  if (!times || times.length < 2) return null;
  const groups = new Map<number, number[]>();
  times.forEach((time, rank) => groups.set(time, [...(groups.get(time) ?? []), rank]));
  const items = [...groups].map(([time, ranks]) => ({ time, ranks }));
  const first = Math.min(...times);
  return (
    <>
      <h3>Ranks <span class="faint">{times.length}, of which {items.length === 1 ? "all take the same time" : `${items.length} kinds differ`}</span></h3>
      <Table columns={[{ head: "ranks", value: (one: (typeof items)[number]) => one.ranks.slice(0, 8).join(", ") + (one.ranks.length > 8 ? ` and ${one.ranks.length - 8} more` : "") }, { head: "count", value: (one) => one.ranks.length }, { head: "time", value: (one) => one.time, show: (one) => timeText(one.time) }, { head: "behind the first", value: (one) => one.time - first, show: (one) => timeText(one.time - first), wide: true }]} items={items} sorted={2} />
    </>
  );
}

export function Fabric() {
  const links = run.value.links;
  if (!links) return <><p class="empty">The run was on one chip.</p><Ranks /></>;
  return (
    <>
      <div class="figures"><div><b>{links.chips}</b> chips{links.chips > links.chips_run ? `, ${links.chips - links.chips_run} of which do what another one does` : ""}; {group(links.transfers)} transfers.{links.faults.length > 0 ? ` Faults: ${links.faults.join("; ")}.` : ""}</div></div>
      <h3>Collectives</h3>
      <Table columns={[
        { head: "operation", value: (one: Links["collectives"][number]) => one.operation, show: (one) => <b>{one.operation.replaceAll("_", " ")}</b> }, { head: "bytes", value: (one) => one.bytes, show: (one) => bytesText(one.bytes) }, { head: "ranks", value: (one) => one.ranks }, { head: "groups", value: (one) => one.groups }, { head: "times", value: (one) => one.times }, { head: "steps", value: (one) => one.steps }, { head: "algorithm", value: (one) => one.algorithm },
        { head: "alone on the links", value: (one) => one.candidates.length, show: (one) => one.candidates.slice(0, 4).map((each) => `${each.algorithm} ${digits(each.time_us, 3)} µs${each.was_run ? "" : " or more"}`).join(" · "), wide: true },
      ]} items={links.collectives} sorted={1} empty="No collective crossed chips." />
      <h3>Links <span class="faint">busiest first; colour: use over the run{links.left_out > 0 ? `; ${group(links.left_out)} less busy ones are left out` : ""}{links.links.length > most ? `; ${most} of ${group(links.links.length)} are shown` : ""}</span></h3>
      <div class="columns fabric">
        <Topology links={links} />
        <Canvas draw={drawLinks(links)} height={Math.max(1, Math.min(links.links.length, most)) * rowHeight} label="Use of each link over time" />
      </div>
      <Ranks />
    </>
  );
}
