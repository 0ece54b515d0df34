// The hash of what the page is built from. The Python test computes the same one
// (tests/view/test_page.py), so that a page that is not fresh is found without node.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const roots = [
  "index.html",
  "package-lock.json",
  "package.json",
  "sources.ts",
  "src",
  "tsconfig.json",
  "vite.config.ts",
];

function filesUnder(folder: string, path: string): string[] {
  const entries = readdirSync(join(folder, path), { withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isDirectory() ? filesUnder(folder, `${path}/${entry.name}`) : [`${path}/${entry.name}`],
  );
}

export function hashOfSources(folder: string): string {
  const files = roots.flatMap((root) => (root === "src" ? filesUnder(folder, root) : [root]));
  const hash = createHash("sha256");
  for (const file of files.sort()) {
    const content = readFileSync(join(folder, file));
    hash.update(`${file}\n${content.length}\n`);
    hash.update(content);
  }
  return hash.digest("hex");
}
