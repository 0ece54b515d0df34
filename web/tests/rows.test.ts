// Are shares of stretches of time exact, and is memory's fullest moment found?
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Space, Tensor } from "../src/document.ts";
import { bytesText, digits, percent, timeText } from "../src/format.ts";
import { fragmentation, peakOf } from "../src/occupancy.ts";
import { classCount, classOf, Rows } from "../src/rows.ts";

const reasons = ["working", "waiting_dma", "throttle", "overhead"];

// A repeatable sequence of whole numbers below `most`.
function sequence(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % most;
  };
}

function randomTrack(count: number, seed: number) {
  const next = sequence(seed);
  const column = (most: number, least = 0) =>
    Array.from({ length: count }, () => least + next(most));
  return {
    name: "t",
    kind: "engine",
    core: 0,
    count,
    gap: column(20),
    length: column(30, 1),
    reason: column(4),
    instruction: column(1),
    iteration: column(1),
    cause: column(1),
  };
}

test("shares are those of every tick counted", () => {
  const track = randomTrack(300, 7),
    rows = new Rows(track, reasons.map(classOf));
  const end = rows.end[rows.count - 1],
    ticks = new Int8Array(end + 60).fill(-1);
  for (let row = 0; row < rows.count; ++row)
    ticks.fill(rows.classAt(row), rows.begin[row], rows.end[row]);
  for (const [from, width, columns] of [
    [0, 1, 400],
    [17, 13, 100],
    [end - 50, 5, 20],
    [0, Math.floor(end / 40), 40],
  ]) {
    const shares = rows.shares(from, from + width * columns, columns);
    for (let k = 0; k < columns; ++k) {
      const part = ticks.subarray(from + k * width, from + (k + 1) * width);
      for (let c = 0; c < classCount; ++c)
        assert.ok(
          Math.abs(shares[k * classCount + c] - part.filter((one) => one === c).length / width) <
            1e-5,
        );
    }
  }
});

test("the row at a time is the one that holds it", () => {
  const rows = new Rows(randomTrack(50, 3), reasons.map(classOf));
  for (let time = 0; time < rows.end[49]; ++time) {
    const expected = [...rows.begin].findIndex((begin, i) => begin <= time && time < rows.end[i]);
    assert.equal(rows.at(time), expected);
  }
});

test("the peak is where most is held, with the free space between", () => {
  const tensor = (
    begin: number,
    end: number,
    address: number,
    bytes: number,
    partitions: number,
  ): Tensor => ({
    name: "t",
    shape: [],
    dtype: "",
    place: "",
    begin,
    end,
    address,
    bytes,
    partitions: [0, partitions],
    read: 0,
    written: 0,
  });
  const space: Space = {
    partitions: 128,
    bytes: 100,
    tensors: [tensor(0, 10, 0, 20, 128), tensor(5, 20, 60, 20, 128), tensor(9, 10, 30, 10, 64)],
  };
  const peak = peakOf(space)!;
  assert.deepEqual(
    [peak.time, peak.bytes, peak.largestFree],
    [9, 20 * 128 + 20 * 128 + 10 * 64, 20],
  );
  assert.deepEqual(peak.holders, [0, 1, 2]);
});

test("numbers are short", () => {
  assert.deepEqual(
    [timeText(0), timeText(999.94), timeText(49553), timeText(1.5e9)],
    ["0 ns", "999.9 ns", "49.55 µs", "1.5 s"],
  );
  assert.deepEqual(
    [digits(123456), digits(0.00001234), bytesText(1536), percent(0.3141)],
    ["123,456", "1.234e-5", "1.5 KiB", "31.4 %"],
  );
});

test("fragmentation is what does not lie in the largest gap", () => {
  const tensor = (address: number): Tensor => ({
    name: "t",
    shape: [],
    dtype: "float32",
    place: "",
    bytes: 10,
    begin: 0,
    end: 5,
    read: 0,
    written: 0,
    partitions: [0, 2],
    address,
  });
  const of = (...addresses: number[]) => {
    const space: Space = { partitions: 2, bytes: 100, tensors: addresses.map(tensor) };
    return fragmentation(peakOf(space)!, 2);
  };
  assert.equal(of(0), 0); // 90 free in one piece
  assert.equal(of(45), 0.5); // two pieces of 45
  assert.equal(of(0, 50), 0.5);
});
