// A table that sorts by any column; it shows the first rows and says how many it leaves out.
import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { group } from "./format.ts";

export interface Column<Item> {
  head: string;
  value: (item: Item) => string | number;
  show?: (item: Item) => ComponentChildren;
  title?: (item: Item) => string;
  wide?: boolean;
}
interface Properties<Item> {
  columns: Column<Item>[];
  items: Item[];
  sorted: number;
  onPick?: (item: Item) => void;
  isOn?: (item: Item) => boolean;
  most?: number;
  empty?: string;
}

export function Table<Item>({
  columns,
  items,
  sorted,
  onPick,
  isOn,
  most = 200,
  empty = "Nothing to show.",
}: Properties<Item>) {
  const [by, setBy] = useState(sorted);
  const [isDown, setDown] = useState(true);
  const [limit, setLimit] = useState(most);
  if (items.length === 0) return <p class="empty">{empty}</p>;
  const value = columns[by]?.value ?? (() => 0); // the order that they came in
  const list = [...items].sort((a, b) => {
    const left = value(a),
      right = value(b);
    const order =
      typeof left === "number" && typeof right === "number"
        ? left - right
        : String(left).localeCompare(String(right));
    return isDown ? -order : order;
  });
  const sort = (column: number) => {
    setDown(column === by ? !isDown : typeof columns[column].value(items[0]) === "number");
    setBy(column);
  };
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th
                key={i}
                class={typeof column.value(items[0]) === "number" ? "number" : ""}
                aria-sort={i === by ? (isDown ? "descending" : "ascending") : "none"}
              >
                <button onClick={() => sort(i)}>
                  {column.head}
                  {i === by ? (isDown ? " ↓" : " ↑") : ""}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.slice(0, limit).map((item, i) => (
            <tr
              key={i}
              class={`${isOn?.(item) ? "on" : ""} ${onPick ? "pick" : ""}`}
              tabIndex={onPick ? 0 : undefined}
              onClick={() => onPick?.(item)}
              onKeyDown={(event) => event.key === "Enter" && onPick?.(item)}
            >
              {columns.map((column, k) => (
                <td
                  key={k}
                  class={`${typeof column.value(item) === "number" ? "number" : ""} ${column.wide ? "wide" : ""}`}
                  title={column.title?.(item)}
                >
                  {column.show ? column.show(item) : column.value(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {list.length > limit && (
        <button class="more" onClick={() => setLimit(limit * 5)}>
          {group(list.length - limit)} more rows
        </button>
      )}
    </div>
  );
}
