// Charts of a sheet: bars with their intervals, what moves a value, lines over powers of ten.
import { scaleLog } from "d3-scale";
import { digits, scaled } from "../format.ts";
import type { BarsPart, LinesPart, TornadoPart } from "./document.ts";

const seriesColors = 8; // .series-0 ... in sheet.css

const percentOf = (share: number) => `${100 * share}%`;

export function Bars({ title, bars }: BarsPart) {
  const most = Math.max(...bars.map((bar) => bar.high ?? bar.value ?? 0), 0) || 1;
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <div class="bars">
        {bars.map((bar, i) => (
          <div class="bar" key={i}>
            <span class="name" title={bar.name}>
              {bar.name}
            </span>
            <span class="track">
              {bar.value !== undefined && (
                <i
                  class={`series-${i % seriesColors}`}
                  style={{ width: percentOf(Math.max(bar.value, 0) / most) }}
                />
              )}
              {bar.low !== undefined && bar.high !== undefined && bar.high > bar.low && (
                <b
                  style={{
                    left: percentOf(Math.max(bar.low, 0) / most),
                    width: percentOf((bar.high - Math.max(bar.low, 0)) / most),
                  }}
                />
              )}
            </span>
            <span class={bar.value === undefined ? "faint" : ""}>{bar.text}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}

export function Tornado({ title, value, bars }: TornadoPart) {
  const ends = bars.flatMap((bar) => [bar.low, bar.high]).concat(value);
  const low = Math.min(...ends),
    span = Math.max(...ends) - low || 1;
  return (
    <figure class="chart">
      <figcaption>
        {title} <span class="faint">{digits(value)}; each figure alone, over its range</span>
      </figcaption>
      <div class="bars tornado">
        {bars.map((bar, i) => (
          <div class="bar" key={i}>
            <span class="name" title={bar.name}>
              {bar.name}
            </span>
            <span class="faint">{digits(bar.low)}</span>
            <span class="track">
              <i
                class="series-0"
                style={{
                  left: percentOf((bar.low - low) / span),
                  width: percentOf((bar.high - bar.low) / span),
                }}
              />
              <u style={{ left: percentOf((value - low) / span) }} />
            </span>
            <span class="faint">{digits(bar.high)}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}

// The powers of ten from the one below the least to the one above the greatest.
function decades(values: number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values))),
    high = Math.max(Math.ceil(Math.log10(Math.max(...values))), low + 1);
  return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
}

export function Lines({ title, x, y, series }: LinesPart) {
  const shown = series.map((one) => ({
    ...one,
    points: one.points.filter(([a, b]) => a > 0 && b > 0),
  }));
  const points = shown.flatMap((one) => one.points);
  if (points.length === 0) return <p class="empty">{title}: nothing to draw.</p>;
  const width = 760,
    height = 380,
    left = 64,
    right = 26,
    top = 12,
    bottom = 44;
  const across = decades(points.map(([value]) => value)),
    up = decades(points.map(([, value]) => value));
  const px = scaleLog([across[0], across.at(-1)!], [left, width - right]),
    py = scaleLog([up[0], up.at(-1)!], [height - bottom, top]);
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        {across.map((power) => (
          <g key={power}>
            <path class="grid" d={`M${px(power)} ${top}V${height - bottom}`} />
            <text x={px(power)} y={height - bottom + 16} text-anchor="middle">
              {scaled(power, "")}
            </text>
          </g>
        ))}
        {up.map((power) => (
          <g key={power}>
            <path class="grid" d={`M${left} ${py(power)}H${width - right}`} />
            <text x={left - 6} y={py(power) + 4} text-anchor="end">
              {scaled(power, "")}
            </text>
          </g>
        ))}
        <text x={(left + width - right) / 2} y={height - 6} text-anchor="middle">
          {x}
        </text>
        <text
          transform={`translate(13 ${(top + height - bottom) / 2}) rotate(-90)`}
          text-anchor="middle"
        >
          {y}
        </text>
        {shown.map((one, i) => (
          <g key={i} class={`series-${i % seriesColors}`}>
            <path
              class="curve"
              d={`M${one.points.map(([a, b]) => `${px(a)} ${py(b)}`).join("L")}`}
            />
            {one.points.map(([a, b], k) => (
              <circle key={k} cx={px(a)} cy={py(b)} r="3">
                <title>{`${one.name}: ${digits(a)}, ${digits(b)}`}</title>
              </circle>
            ))}
          </g>
        ))}
      </svg>
      <p class="series">
        {shown.map((one, i) => (
          <span key={i}>
            <i class={`series-${i % seriesColors}`} />
            {one.name}
          </span>
        ))}
      </p>
    </figure>
  );
}
