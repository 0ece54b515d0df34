// The page of a sheet: its parts from top to bottom, tables that sort and that a search filters.
import { useEffect, useRef, useState } from "preact/hooks";
import { digits, group } from "../format.ts";
import { theme } from "../state.ts";
import { Table, type Column } from "../table.tsx";
import { toggleTheme } from "../theme.ts";
import { Bars, Lines, Tornado } from "./charts.tsx";
import type { Cell, Part, SheetDocument, TablePart } from "./document.ts";

const textOf = (cell: Cell) => (typeof cell === "object" ? cell.text : String(cell));
const valueOf = (cell: Cell) => (typeof cell === "object" ? cell.value : cell);

function show(cell: Cell) {
  if (typeof cell === "number") return Number.isInteger(cell) ? group(cell) : digits(cell);
  if (typeof cell === "string") return cell;
  return (
    <>
      {cell.text}
      {cell.note && <small class="faint">{cell.note}</small>}
    </>
  );
}

function TableOf({ part, words }: { part: TablePart; words: string }) {
  const items = part.rows.filter(
    (row) => !words || row.some((cell) => textOf(cell).toLowerCase().includes(words)),
  );
  const columns = part.heads.map((head, i): Column<Cell[]> => ({
    head,
    value: (row) => valueOf(row[i] ?? ""),
    show: (row) => show(row[i] ?? ""),
    wide: part.rows.some((row) => textOf(row[i] ?? "").length > 40),
  }));
  const table = (
    <Table
      columns={columns}
      items={items}
      sorted={-1}
      empty={words ? "No row has the words that are searched for." : "No row."}
    />
  );
  if (!part.isFolded) return table;
  return (
    <details open={words !== "" && items.length > 0}>
      <summary>
        {part.title} <span class="faint">{part.rows.length} rows</span>
      </summary>
      {table}
    </details>
  );
}

function PartOf({ part, words }: { part: Part; words: string }) {
  switch (part.kind) {
    case "heading":
      return (
        <h2>
          {part.text} {part.note && <span class="faint">{part.note}</span>}
        </h2>
      );
    case "text":
      return <p>{part.text}</p>;
    case "code":
      return <pre>{part.text}</pre>;
    case "table":
      return <TableOf part={part} words={words} />;
    case "bars":
      return <Bars {...part} />;
    case "tornado":
      return <Tornado {...part} />;
    case "lines":
      return <Lines {...part} />;
  }
}

// Charts that follow each other share rows where there is room.
function groupsOf(parts: Part[]): Part[][] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && isChart(last[0]) && isChart(part)) last.push(part);
    else groups.push([part]);
  }
  return groups;
}
const isChart = (part: Part) => ["bars", "tornado", "lines"].includes(part.kind);

export function Sheet({ sheet }: { sheet: SheetDocument }) {
  const [words, setWords] = useState("");
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isTyping = event.target instanceof HTMLInputElement;
      if (event.key === "Escape") {
        setWords("");
        search.current?.blur();
      } else if (!isTyping && event.key === "/") {
        event.preventDefault();
        search.current?.focus();
      } else if (!isTyping && event.key === "t") toggleTheme();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return (
    <>
      <header>
        <span class="mark">Trainyard</span>
        <h1 title={sheet.title}>{sheet.title}</h1>
        <span class="filters" />
        <input
          ref={search}
          type="search"
          placeholder="Search   /"
          aria-label="Search the tables"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button class="icon" onClick={toggleTheme} title="Dark or light (T)">
          {theme.value === "dark" ? "Light" : "Dark"}
        </button>
      </header>
      <div class="sheet">
        {groupsOf(sheet.parts).map((parts, i) => (
          <div key={i} class={isChart(parts[0]) ? "charts" : ""}>
            {parts.map((part, k) => (
              <PartOf key={k} part={part} words={words.trim().toLowerCase()} />
            ))}
          </div>
        ))}
        <p class="faint">trainyard {sheet.trainyard}</p>
      </div>
    </>
  );
}
