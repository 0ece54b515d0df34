// Colours of what is drawn on canvases, for each theme; style.css has those of everything else.
import { theme } from "./state.ts";

export interface Palette {
  back: string;
  band: string;
  grid: string;
  text: string;
  faint: string;
  line: string;
  accent: string;
  path: string;
  dim: number;
  wait: string;
  overhead: string;
  throttle: string;
  selection: string;
  found: string;
}

const light: Palette = {
  back: "#ffffff",
  band: "#f6f8fa",
  grid: "#e4e8ee",
  text: "#1c2430",
  faint: "#667085",
  line: "#98a2b3",
  accent: "#0b62d6",
  path: "#c2185b",
  dim: 0.16,
  wait: "#f3dcb4",
  overhead: "#c3cad5",
  throttle: "#e5484d",
  selection: "#101828",
  found: "#7a5af8",
};
const dark: Palette = {
  back: "#11151c",
  band: "#161b24",
  grid: "#262d3a",
  text: "#e6eaf2",
  faint: "#93a0b5",
  line: "#4b576b",
  accent: "#6cb0ff",
  path: "#ff5c9a",
  dim: 0.18,
  wait: "#5b4a2c",
  overhead: "#4a5568",
  throttle: "#e5484d",
  selection: "#ffffff",
  found: "#a48afb",
};

export function palette(): Palette {
  return theme.value === "dark" ? dark : light;
}

const byTrack: Record<string, [string, string]> = {
  tensor: ["#2f6fde", "#5b9bff"],
  vector: ["#0e9384", "#2ec4b0"],
  scalar: ["#dc6803", "#f79441"],
  gpsimd: ["#7839ee", "#a682ff"],
  sync: ["#667085", "#8b98ad"],
};
const byKind: Record<string, [string, string]> = {
  engine: ["#475467", "#8b98ad"],
  dma_queue: ["#3b8a5a", "#5bbf83"],
  dma_engine: ["#6d5bd0", "#9485f2"],
  memory: ["#a15c07", "#d9963a"],
  link: ["#0e7090", "#3fb6dc"],
};

export function colorOf(name: string, kind: string): string {
  const pair = byTrack[name] ?? byKind[kind] ?? byKind.engine;
  return pair[theme.value === "dark" ? 1 : 0];
}

const series: [string, string][] = [
  ["#4e79c4", "#7aa5f0"],
  ["#3c9d8f", "#56c7b6"],
  ["#d98a3d", "#f0ab67"],
  ["#8a63d2", "#b394f5"],
  ["#b8567d", "#e386ab"],
  ["#6c9a3b", "#98c766"],
  ["#417f9e", "#6db4d6"],
  ["#a0713d", "#d0a26c"],
  ["#7b7f8e", "#a5abbd"],
  ["#c2574f", "#ee8880"],
];

export function seriesColor(index: number): string {
  return series[index % series.length][theme.value === "dark" ? 1 : 0];
}

// Contrasts with the colours of tracks and series.
export function inkOn(): string {
  return theme.value === "dark" ? "#0b0e13" : "#ffffff";
}
