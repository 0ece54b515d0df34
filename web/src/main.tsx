// Reads the document and shows the page, or says in one sentence why it cannot.
import { render } from "preact";
import { App } from "./app.tsx";
import { frameTimes } from "./canvas.tsx";
import { DocumentError, loadDocument, type ViewDocument } from "./document.ts";
import { tellParent } from "./embedded.ts";
import {
  causeOf,
  end,
  findNext,
  fit,
  near,
  openRun,
  query,
  rows,
  select,
  show,
  shown,
  tab,
  ticksPerNs,
  view,
} from "./state.ts";
import { isSheet } from "./sheet/document.ts";
import { Sheet } from "./sheet/sheet.tsx";
import { setTheme } from "./theme.ts";
import "./style.css";
import "./panels/panels.css";
import "./sheet/sheet.css";

declare global {
  interface Window {
    trainyard?: unknown;
  }
}

const options = new URLSearchParams(location.hash.slice(1)); // "#theme=dark&tab=hbm"
const wanted = options.get("theme");
setTheme(
  wanted === "dark" || wanted === "light"
    ? wanted
    : matchMedia("(prefers-color-scheme: dark)").matches
      ? "dark"
      : "light",
);

const page = document.getElementById("page")!;
function showRuns(found: ViewDocument): void {
  view.value = found;
  openRun(0);
  if (found.comparison) {
    openRun(1);
    tab.value = "compare";
  }
  tab.value = options.get("tab") ?? tab.value;
  page.textContent = "";
  render(<App />, page);
  tellParent();
  // For scripts that drive the page, as its tests do.
  window.trainyard = {
    shown,
    show,
    fit,
    select,
    query,
    findNext,
    frameTimes,
    waits: causeOf,
    rowNear: (track: number, share: number) => rows.value[track].lastWorkBefore(share * end.value),
    firstWork: () =>
      Math.min(
        ...rows.value.flatMap((track) => {
          for (let i = 0; i < track.count; ++i)
            if (track.classAt(i) === 0) return [track.begin[i] / ticksPerNs.value];
          return [];
        }),
      ),
    near: () => near.value?.rows.reduce((sum, one) => sum + one.count, 0) ?? 0,
  };
}

try {
  const found = await loadDocument(document);
  if (isSheet(found)) {
    page.textContent = "";
    render(<Sheet sheet={found} />, page);
  } else {
    showRuns(found);
  }
} catch (error) {
  page.textContent =
    error instanceof DocumentError ? error.message : `This page failed: ${String(error)}`;
  page.className = "failed";
  if (!(error instanceof DocumentError)) throw error;
} finally {
  document.documentElement.dataset.ready = "yes";
}
