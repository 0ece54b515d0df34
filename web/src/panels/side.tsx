// Beside the timeline: the selected slice with what it waited for, or the selected tensor, and the
// source with the time of each line.
import { useEffect, useRef } from "preact/hooks";
import { bytesText, digits, percent, placeText, short, timeText } from "../format.ts";
import { peakOf } from "../occupancy.ts";
import { WAIT } from "../rows.ts";
import {
  indicesOf,
  mnemonicOf,
  operandsOf,
  path,
  place,
  places,
  rows,
  run,
  select,
  selected,
  selectedTensor,
  stackOf,
  ticksPerNs,
} from "../state.ts";
import { wordsOf } from "../verdict.ts";

interface WaitFor {
  ns: number;
  reason: string;
  track: number;
  row: number;
}

// The waits of this run of the instruction before it worked, and the work that ended each.
function waitsOf(track: number, row: number): WaitFor[] {
  const slices = rows.value[track],
    timeline = run.value.timeline!;
  const list: WaitFor[] = [];
  const first = slices.classAt(row) === WAIT ? row : row - 1;
  for (
    let at = first;
    at >= 0 &&
    slices.instruction[at] === slices.instruction[row] &&
    slices.iteration[at] === slices.iteration[row] &&
    list.length < 6;
    --at
  ) {
    if (slices.classAt(at) !== WAIT) continue;
    const cause = slices.cause[at];
    list.push({
      ns: (slices.end[at] - slices.begin[at]) / ticksPerNs.value,
      reason: timeline.reasons[slices.reason[at]],
      track: cause,
      row: cause >= 0 ? rows.value[cause].lastWorkBefore(slices.end[at]) : -1,
    });
  }
  return list.reverse();
}

function Slice({ track, row }: { track: number; row: number }) {
  const slices = rows.value[track],
    timeline = run.value.timeline!,
    perNs = ticksPerNs.value;
  const instruction = slices.instruction[row],
    reason = timeline.reasons[slices.reason[row]];
  const indices = instruction >= 0 ? indicesOf(instruction, slices.iteration[row]) : "";
  const stack = instruction >= 0 ? stackOf(instruction) : [];
  const waits = waitsOf(track, row);
  return (
    <div class="facts">
      <h3 title={mnemonicOf(instruction)}>
        {short(mnemonicOf(instruction) || reason)}{" "}
        <span class="faint">on {timeline.tracks[track].name}</span>
      </h3>
      <dl>
        <dt>{wordsOf(reason)}</dt>
        <dd>
          {timeText((slices.end[row] - slices.begin[row]) / perNs)}{" "}
          <span class="faint">from {timeText(slices.begin[row] / perNs)}</span>
        </dd>
        {indices && (
          <>
            <dt>loops</dt>
            <dd>{indices}</dd>
          </>
        )}
        {waits.map((wait) => (
          <>
            <dt>waited</dt>
            <dd>
              {timeText(wait.ns)}{" "}
              <span class="faint">{wordsOf(wait.reason).replace("waits ", "")}</span>
              {wait.row >= 0 && (
                <button class="link" onClick={() => select(wait.track, wait.row, true)}>
                  {short(mnemonicOf(rows.value[wait.track].instruction[wait.row]) || "work", 28)} on{" "}
                  {timeline.tracks[wait.track].name} →
                </button>
              )}
            </dd>
          </>
        ))}
        {stack.slice(0, 4).map((frame, i) => (
          <>
            <dt>{i === 0 ? "at" : "called from"}</dt>
            <dd>
              <button class="link" title={frame.place} onClick={() => (place.value = frame.place)}>
                {short(placeText(frame.place), 40)}
              </button>{" "}
              <span class="faint">{short(frame.name, 30)}</span>
            </dd>
          </>
        ))}
      </dl>
      {instruction >= 0 && operandsOf(instruction) && (
        <pre class="operands" title="operands">
          {short(operandsOf(instruction), 600)}
        </pre>
      )}
    </div>
  );
}

function TensorFacts({ space, index }: { space: "sbuf" | "psum" | "hbm"; index: number }) {
  const memory = run.value.details!.memory![space],
    tensor = memory.tensors[index],
    perNs = ticksPerNs.value;
  const peak = space === "hbm" ? null : peakOf(memory);
  return (
    <div class="facts">
      <h3 title={tensor.name}>
        {short(tensor.name)} <span class="faint">in {space.toUpperCase()}</span>
      </h3>
      <dl>
        <dt>type</dt>
        <dd>
          {tensor.dtype}[{tensor.shape.join(", ")}]
        </dd>
        <dt>bytes</dt>
        <dd>
          {bytesText(tensor.bytes)}
          {tensor.partitions &&
            ` in each of partitions ${tensor.partitions[0]} to ${tensor.partitions[0] + tensor.partitions[1] - 1}`}
        </dd>
        {tensor.address !== undefined && (
          <>
            <dt>address</dt>
            <dd>{digits(tensor.address, 9)}</dd>
          </>
        )}
        <dt>held</dt>
        <dd>
          {timeText((tensor.end - tensor.begin) / perNs)}{" "}
          <span class="faint">from {timeText(tensor.begin / perNs)}</span>
        </dd>
        <dt>read, written</dt>
        <dd>
          {bytesText(tensor.read)}, {bytesText(tensor.written)}
        </dd>
        {tensor.place && (
          <>
            <dt>created</dt>
            <dd>
              <button class="link" onClick={() => (place.value = tensor.place)}>
                {placeText(tensor.place)}
              </button>
            </dd>
          </>
        )}
        {peak && (
          <>
            <dt>at the peak</dt>
            <dd>
              {peak.holders.includes(index) ? "held" : "not held"}{" "}
              <span class="faint">
                {percent(peak.share)} full, largest gap {bytesText(peak.largestFree)}
              </span>
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

function splitPlace(text: string): { file: string; line: number } {
  const at = text.lastIndexOf(":");
  return { file: text.slice(0, at), line: Number(text.slice(at + 1)) };
}

function Source() {
  const { report, details } = run.value,
    sources = details?.sources ?? {};
  const list = useRef<HTMLDivElement>(null);
  const chosen = selected.value,
    instruction = chosen ? rows.value[chosen.track].instruction[chosen.row] : -1;
  const wanted = place.value ?? (instruction >= 0 ? places.value[instruction] : "") ?? "";
  const heaviest =
    path.value?.lines.find((line) => line.place)?.place ??
    report.lines.find((line) => line.place)?.place ??
    "";
  const stack = instruction >= 0 ? stackOf(instruction).map((frame) => frame.place) : [];
  const shownPlace =
    [wanted, ...stack, heaviest].find(
      (one) => one && sources[splitPlace(one).file] !== undefined,
    ) ?? "";
  const { file, line } = splitPlace(shownPlace);
  useEffect(() => {
    const row = list.current?.querySelector(`[data-line="${line}"]`) as HTMLElement | null;
    if (row && list.current) list.current.scrollTop = row.offsetTop - list.current.clientHeight / 2;
  }, [shownPlace]);
  const text = sources[file];
  if (text === undefined)
    return (
      <div class="source empty">
        {wanted
          ? `The source of ${placeText(wanted)} is not in this page.`
          : "The source is not in this page."}
      </div>
    );
  const time = new Map(
    report.lines
      .filter((one) => splitPlace(one.place).file === file)
      .map((one) => [splitPlace(one.place).line, one]),
  );
  const onPath = new Map(
    (path.value?.lines ?? [])
      .filter((one) => splitPlace(one.place).file === file)
      .map((one) => [splitPlace(one.place).line, one.ticks]),
  );
  const most = Math.max(
    ...[...time.values()].map((one) => (onPath.size > 0 ? 0 : (one.engine_ticks.working ?? 0))),
    ...onPath.values(),
    1,
  );
  return (
    <div class="source">
      <div class="title" title={file}>
        {placeText(file)}
      </div>
      <div class="lines" ref={list}>
        {text.split("\n").map((code, i) => {
          const number = i + 1,
            one = time.get(number),
            ticks = onPath.size > 0 ? (onPath.get(number) ?? 0) : (one?.engine_ticks.working ?? 0);
          const full = `${file}:${number}`;
          return (
            <div
              key={number}
              data-line={number}
              class={`code ${full === wanted ? "on" : ""} ${one ? "has" : ""}`}
              title={one ? `${one.mnemonics}, ${one.executions} times` : undefined}
              onClick={() => one && (place.value = place.value === full ? null : full)}
            >
              <span class="no">{number}</span>
              <span class="heat">
                {ticks > 0 && (
                  <>
                    <i style={{ width: `${(100 * ticks) / most}%` }} />
                    {percent(ticks / report.duration_ticks)}
                  </>
                )}
              </span>
              <code style={{ paddingLeft: `${(code.length - code.trimStart().length) * 3.5}px` }}>
                {short(code.trim(), 300)}
              </code>
            </div>
          );
        })}
      </div>
    </div>
  );
}

export function Side() {
  const slice = selected.value,
    tensor = selectedTensor.value;
  return (
    <aside>
      {slice ? (
        <Slice {...slice} />
      ) : tensor ? (
        <TensorFacts {...tensor} />
      ) : (
        <div class="facts hint">
          Click a slice, a tensor or a line. Wheel: zoom. Drag: pan. <kbd>?</kbd> for keys.
        </div>
      )}
      <Source />
    </aside>
  );
}
