// Numbers as people read them.
export function timeText(ns: number): string {
  const size = Math.abs(ns);
  if (size >= 1e9) return `${digits(ns / 1e9)} s`;
  if (size >= 1e6) return `${digits(ns / 1e6)} ms`;
  if (size >= 1e3) return `${digits(ns / 1e3)} µs`;
  return `${digits(ns)} ns`;
}

export function digits(value: number, precision = 4): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-4) return value.toExponential(precision - 1);
  const decimals = Math.max(0, precision - 1 - Math.floor(Math.log10(size)));
  return decimals === 0 ? group(Math.round(value)) : String(Number(value.toFixed(decimals)));
}

export function group(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

export function bytesText(count: number): string {
  let value = count;
  for (const unit of ["B", "KiB", "MiB", "GiB"]) {
    if (Math.abs(value) < 1024) return `${digits(value, 3)} ${unit}`;
    value /= 1024;
  }
  return `${digits(value, 3)} TiB`;
}

export function percent(share: number): string {
  const value = 100 * share;
  return `${Math.abs(value) >= 99.95 ? value.toFixed(0) : value.toFixed(1)} %`;
}

export function scaled(value: number, unit: string): string {
  const size = Math.abs(value);
  for (const [factor, prefix] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
    [1, ""],
    [1e-3, "m"],
    [1e-6, "µ"],
    [1e-9, "n"],
    [1e-12, "p"],
  ] as const) {
    if (size >= factor) return `${digits(value / factor, 3)} ${prefix}${unit}`;
  }
  return `${digits(value, 3)} ${unit}`;
}

// Names may be of any length; the whole of one is in its title.
export function short(text: string, most = 60): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

export function placeText(place: string): string {
  const at = place.lastIndexOf("/");
  return at < 0 ? place : place.slice(at + 1);
}

export function reasonText(reason: string): string {
  return reason.replace("waiting_", "waits: ").replace("_", " ");
}

// Numbers in ascending order as ranges: "0-15, 32, 40-47".
export function rangesText(numbers: number[], most = 12): string {
  const parts: string[] = [];
  for (let i = 0; i < numbers.length;) {
    let last = i;
    while (numbers[last + 1] === numbers[last] + 1) ++last;
    parts.push(last === i ? `${numbers[i]}` : `${numbers[i]}-${numbers[last]}`);
    i = last + 1;
  }
  return parts.length <= most
    ? parts.join(", ")
    : `${parts.slice(0, most).join(", ")} and ${parts.length - most} more stretches`;
}
