// Arithmetic against bytes of HBM, on logarithmic axes.
import { scaleLog } from "d3-scale";
import { digits, percent } from "../format.ts";
import { run } from "../state.ts";

export function Roofline() {
  const found = run.value.report.roofline;
  if (
    !found ||
    Math.min(found.teraflops, found.teraflops_peak, found.flop_per_hbm_byte, found.ridge) <= 0
  )
    return (
      <p class="empty">
        The tensor engine did no arithmetic in this run, or its trace stands without a report.
      </p>
    );
  const width = 640,
    height = 300,
    left = 56,
    right = 20,
    top = 18,
    bottom = 40;
  const attained = Math.min(
    found.teraflops_peak,
    (found.teraflops_peak * found.flop_per_hbm_byte) / found.ridge,
  );
  const low = Math.min(found.flop_per_hbm_byte, found.ridge) / 6,
    high = Math.max(found.flop_per_hbm_byte, found.ridge) * 6;
  const x = scaleLog([low, high], [left, width - right]),
    y = scaleLog(
      [
        Math.min(found.teraflops, attained, (found.teraflops_peak * low) / found.ridge) / 1.6,
        found.teraflops_peak * 1.8,
      ],
      [height - bottom, top],
    );
  const decades = (from: number, to: number) =>
    Array.from(
      { length: Math.floor(Math.log10(to)) - Math.ceil(Math.log10(from)) + 1 },
      (_, i) => 10 ** (Math.ceil(Math.log10(from)) + i),
    );
  const px = x(found.flop_per_hbm_byte),
    py = y(found.teraflops),
    isRight = px > width - 240;
  return (
    <div class="columns">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label="Roofline"
      >
        {decades(...(x.domain() as [number, number])).map((power) => (
          <g key={power}>
            <path d={`M${x(power)} ${top}V${height - bottom}`} class="grid" />
            <text x={x(power)} y={height - bottom + 16} text-anchor="middle">
              {digits(power, 1)}
            </text>
          </g>
        ))}
        {decades(...(y.domain() as [number, number])).map((power) => (
          <g key={power}>
            <path d={`M${left} ${y(power)}H${width - right}`} class="grid" />
            <text x={left - 6} y={y(power) + 4} text-anchor="end">
              {digits(power, 1)}
            </text>
          </g>
        ))}
        <path
          d={`M${x(low)} ${y((found.teraflops_peak * low) / found.ridge)}L${x(found.ridge)} ${y(found.teraflops_peak)}H${width - right}`}
          class="roof"
        />
        <path d={`M${px} ${py}V${y(attained)}`} class="gap" />
        <circle cx={px} cy={py} r="5" class="point" />
        <text
          x={px + (isRight ? -10 : 10)}
          y={py + 4}
          text-anchor={isRight ? "end" : "start"}
          class="strong"
        >
          {digits(found.teraflops, 3)} of {digits(attained, 3)} TFLOP/s (
          {percent(found.teraflops / attained)})
        </text>
        <text x={width - right} y={y(found.teraflops_peak) - 6} text-anchor="end">
          peak {digits(found.teraflops_peak, 4)} TFLOP/s
        </text>
        <text x={(left + width) / 2} y={height - 6} text-anchor="middle">
          FLOP per byte of HBM
        </text>
        <text x={left} y={top - 6}>
          TFLOP/s
        </text>
      </svg>
      <div class="figures column">
        {(run.value.report.throughput ?? []).map((one) => (
          <div key={one.format}>
            <b>{one.format}</b> {digits(one.teraflops, 4)} TFLOP/s of{" "}
            {digits(one.teraflops_peak, 4)} ({percent(one.share)})
          </div>
        ))}
        {(run.value.report.speed_of_light?.limits ?? []).map((one) => (
          <div key={one.unit}>
            {one.unit}: at least {percent(one.share)} of the run
          </div>
        ))}
      </div>
    </div>
  );
}
