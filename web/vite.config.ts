// Builds the page as one file, ../python/trainyard/view/page.html: scripts and styles inside it.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { hashOfSources } from "./sources.ts";

const here = import.meta.dirname;

function writeOneFile(): Plugin {
  return {
    name: "write-one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const parts = Object.values(bundle);
      const script = parts.map((part) => (part.type === "chunk" ? part.code : "")).join("");
      const text = (part: (typeof parts)[number], end: string) =>
        part.type === "asset" && part.fileName.endsWith(end) ? String(part.source) : "";
      const style = parts.map((part) => text(part, ".css")).join("");
      const page = parts
        .map((part) => text(part, ".html"))
        .join("")
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace(
          "</head>",
          () =>
            `  <meta name="sources" content="${hashOfSources(here)}" />\n  <style>${style.trim()}</style>\n  </head>`,
        )
        .replace(
          "</body>",
          () =>
            `<script type="module">${script.trim().replaceAll("</script", "<\\/script")}</script>\n  </body>`,
        );
      const file = process.env.PAGE ?? resolve(here, "../python/trainyard/view/page.html");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, page);
      for (const name of Object.keys(bundle)) delete bundle[name];
    },
  };
}

export default defineConfig({
  root: here,
  plugins: [writeOneFile()],
  build: {
    target: "es2022",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    emptyOutDir: false,
    outDir: "dist",
    reportCompressedSize: false,
  },
});
