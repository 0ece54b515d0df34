// Are numbers told as people read them?
import assert from "node:assert/strict";
import { test } from "node:test";
import { rangesText } from "../src/format.ts";

test("numbers that follow each other are one range", () => {
  assert.equal(rangesText(Array.from({ length: 576 }, (_, i) => i)), "0-575");
  assert.equal(rangesText([0, 1, 2, 5, 7, 8]), "0-2, 5, 7-8");
  assert.equal(rangesText([]), "");
  assert.equal(rangesText([0, 2, 4, 6], 2), "0, 2 and 2 more stretches");
});
