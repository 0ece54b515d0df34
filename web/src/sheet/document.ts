// A sheet: answers in words, tables and charts, for what is not one run (docs/formats/view.md).
import { DocumentError } from "../document.ts";

// A quantity has the text that stands in its cell and the number that it is sorted by.
export interface Quantity {
  text: string;
  value: number;
  note?: string; // its interval
}
export type Cell = string | number | Quantity;

export interface TablePart {
  kind: "table";
  title?: string;
  heads: string[];
  rows: Cell[][];
  isFolded?: boolean;
}
export interface Bar {
  name: string;
  text: string;
  value?: number;
  low?: number;
  high?: number;
}
export interface BarsPart {
  kind: "bars";
  title: string;
  bars: Bar[];
}
// How far each figure alone moves a value.
export interface TornadoPart {
  kind: "tornado";
  title: string;
  value: number;
  bars: { name: string; low: number; high: number }[];
}
export interface LinesPart {
  kind: "lines";
  title: string;
  x: string;
  y: string;
  series: { name: string; points: [number, number][] }[];
}
export type Part =
  | { kind: "heading"; text: string; note?: string }
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | TablePart
  | BarsPart
  | TornadoPart
  | LinesPart;

export interface SheetDocument {
  schema: "trainyard.sheet";
  version: number;
  trainyard: string;
  title: string;
  parts: Part[];
}

const kinds = ["heading", "text", "code", "table", "bars", "tornado", "lines"];

export function isSheet(found: unknown): found is SheetDocument {
  return (found as Partial<SheetDocument> | null)?.schema === "trainyard.sheet";
}

export function checkSheet(sheet: SheetDocument): SheetDocument {
  if (sheet.version !== 1)
    throw new DocumentError(
      `The sheet has version ${String(sheet.version)}; this page shows version 1.`,
    );
  if (typeof sheet.title !== "string" || !Array.isArray(sheet.parts))
    throw new DocumentError("The sheet has no title or no parts.");
  sheet.parts.forEach((part, i) => {
    if (!kinds.includes(part?.kind))
      throw new DocumentError(`parts[${i}] of the sheet is of no kind that this page shows.`);
  });
  return sheet;
}
