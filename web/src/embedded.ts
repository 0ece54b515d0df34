// Where the page lies in a notebook, it tells the notebook what the reader selects.
import { effect } from "@preact/signals";
import {
  indicesOf,
  mnemonicOf,
  operandsOf,
  places,
  rows,
  run,
  selected,
  ticksPerNs,
} from "./state.ts";

export interface Selection {
  run: string;
  track: string;
  instruction: number;
  mnemonic: string;
  operands: string;
  place: string;
  indices: string;
  begin_ns: number;
  end_ns: number;
}

// The selected slice in words and nanoseconds, or null.
export function selection(): Selection | null {
  const now = selected.value,
    timeline = run.value.timeline,
    slices = now && rows.value[now.track];
  if (!now || !timeline || !slices || now.row >= slices.count) return null;
  const instruction = slices.instruction[now.row],
    isKnown = instruction >= 0 && instruction < timeline.instructions.mnemonic.length;
  return {
    run: run.value.name,
    track: timeline.tracks[now.track].name,
    instruction: isKnown ? instruction : -1,
    mnemonic: mnemonicOf(instruction),
    operands: operandsOf(instruction),
    place: isKnown ? (places.value[instruction] ?? "") : "",
    indices: isKnown ? indicesOf(instruction, slices.iteration[now.row]) : "",
    begin_ns: slices.begin[now.row] / ticksPerNs.value,
    end_ns: slices.end[now.row] / ticksPerNs.value,
  };
}

export function tellParent(): void {
  if (window.parent === window) return;
  effect(() => window.parent.postMessage({ trainyard: "selection", selection: selection() }, "*"));
}
