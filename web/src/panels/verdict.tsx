// The first thing to read: how long, what bounds it, where the time went, what to try next.
import { digits, percent, placeText, scaled, short, timeText } from "../format.ts";
import { colorOf } from "../palette.ts";
import { path, place, rows, run, tab } from "../state.ts";
import { causes, heaviestLines, steps, togetherOf } from "../verdict.ts";

function Bar({ share, color }: { share: number; color: string }) {
  return (
    <span class="bar">
      <span style={{ width: `${Math.max(0.5, Math.min(1, share) * 100)}%`, background: color }} />
    </span>
  );
}

function Time() {
  const { report } = run.value,
    light = report.speed_of_light,
    rent = report.dollars?.rent?.[0];
  return (
    <section class="card time">
      <h2>Time</h2>
      <div class="figure">{timeText(report.duration_ns)}</div>
      {report.interval && (
        <div class="faint">
          {timeText(report.interval.low_ns)} to {timeText(report.interval.high_ns)} over all
          unpublished figures
        </div>
      )}
      <p class="why">
        <b>Bound by {report.bound.name}.</b> {report.bound.why}
      </p>
      {light && light.limits.length > 0 && (
        <div class="light" title="What follows from the work: no kernel that does it is shorter">
          <Bar share={light.share} color="var(--accent)" />
          <span>
            {percent(light.share)} of the speed of light (
            {timeText(light.ticks_min / report.ticks_per_ns)}: {light.limits[0].unit})
          </span>
        </div>
      )}
      <div class="faint small">
        {report.energy && <>{scaled(report.energy.joules.value, "J")} </>}
        {rent && (
          <>
            · ${digits(rent.dollars.value * 1e6, 3)} a million runs (
            {rent.basis.replaceAll("_", " ")})
          </>
        )}
      </div>
    </section>
  );
}

function Causes() {
  const { report } = run.value,
    list = causes(report, path.value),
    isPath = path.value !== null;
  return (
    <section class="card">
      <h2>
        {isPath ? "Where the time went" : "What the engines did"}{" "}
        <span class="faint">
          {isPath ? "critical path" : run.value.timeline ? "no details of its path" : "no trace"}
        </span>
      </h2>
      {list.map((part) => (
        <div class="share" key={`${part.name} ${part.kind}`}>
          <span class="number">{percent(part.share)}</span>
          <Bar
            share={part.share}
            color={
              part.kind === "working"
                ? colorOf(part.name, kindOf(part.name))
                : part.kind === "throttle"
                  ? "var(--bad)"
                  : part.kind === "overhead"
                    ? "var(--overhead)"
                    : "var(--wait)"
            }
          />
          <span class="words" title={`${part.name}: ${part.detail}`}>
            {part.name} <span class="faint">{part.detail}</span>
          </span>
        </div>
      ))}
      <Together />
    </section>
  );
}

function Together() {
  const found = togetherOf(run.value, rows.value);
  if (!found || found.link === "") return null;
  const isSlow = found.aloneNs > 0 && found.ns > 1.5 * found.aloneNs;
  return (
    <p class="why note">
      {found.ns > 0 && (
        <>
          Collectives {timeText(found.ns)}
          {found.aloneNs > 0 && (
            <>
              , alone on whole links <b class={isSlow ? "bad" : ""}>{timeText(found.aloneNs)}</b>
            </>
          )}
          .{" "}
        </>
      )}
      Link <b>{short(found.link, 40)}</b> in use {percent(found.active)} of the run, at{" "}
      {percent(found.highest)} of its rate at most.
      {found.fault && (
        <>
          {" "}
          Fault: <b class="bad">{short(found.fault, 80)}</b>.
        </>
      )}
    </p>
  );
}

function kindOf(name: string): string {
  return run.value.report.tracks.find((track) => track.name === name)?.kind ?? "engine";
}

function Lines() {
  const list = heaviestLines(run.value.report, path.value);
  return (
    <section class="card">
      <h2>
        At which lines <span class="faint">{path.value ? "critical path" : "engine time"}</span>
      </h2>
      {list.map((line) => (
        <button
          class={`share line ${place.value === line.place ? "on" : ""}`}
          key={line.place}
          disabled={!line.place}
          title={`${line.place}\n${line.source}`}
          onClick={() => {
            place.value = place.value === line.place ? null : line.place;
            tab.value = "lines";
          }}
        >
          <span class="number">{percent(line.share)}</span>
          <span class="words">
            <b>{line.place ? placeText(line.place) : "no source line"}</b>{" "}
            <code>{short(line.source || line.mnemonics, 72)}</code>
          </span>
        </button>
      ))}
      {list.length === 0 && <p class="faint">The run has no source lines.</p>}
    </section>
  );
}

// Changes that were simulated come first; the cost that could save most stays in sight behind them.
const STEPS_SHOWN = 4,
  LIMITS_SHOWN = 2;

function Next() {
  const { report } = run.value,
    all = steps(report),
    limits = all.filter((step) => step.isLimit).slice(0, LIMITS_SHOWN),
    changes = all.filter((step) => !step.isLimit).slice(0, STEPS_SHOWN - limits.length),
    list = [...changes, ...limits];
  return (
    <section class="card">
      <h2>
        What to try next <span class="faint">each simulated again</span>
      </h2>
      {list.map((step) => (
        <div class="step" key={step.change}>
          <span class="number good">
            {step.isLimit ? "≤ " : ""}−{percent(step.gain)}
            <span class="faint">{timeText(step.timeNs)}</span>
          </span>
          <span
            class="words"
            title={`${step.change}\n${step.isLimit ? "the time without the cost that it lowers: the most it can save" : "the changed kernel was simulated"}`}
          >
            {step.change}
          </span>
        </div>
      ))}
      {list.length === 0 && (
        <p class="faint">
          {report.try_next ??
            report.no_answer ??
            "Nothing was simulated again: a report of trainyard profile has the answers."}
        </p>
      )}
    </section>
  );
}

export function Verdict() {
  return (
    <div class="verdict">
      <Time />
      <Causes />
      <Lines />
      <Next />
    </div>
  );
}
