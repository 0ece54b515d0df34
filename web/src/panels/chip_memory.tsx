// SBUF and PSUM as a table: how full they get, how free space lies there, who holds what at the peak.
import type { Space, Tensor } from "../document.ts";
import { bytesText, percent, placeText, short, timeText } from "../format.ts";
import { fragmentation, peakOf } from "../occupancy.ts";
import { place, run, selected, selectedTensor, ticksPerNs } from "../state.ts";
import { Table } from "../table.tsx";

type SpaceName = "sbuf" | "psum";
interface Item {
  space: SpaceName;
  index: number;
  tensor: Tensor;
  isHeld: boolean; // at the peak of its memory
}
const bytesOf = ({ bytes, partitions }: Tensor) => bytes * (partitions?.[1] ?? 1);

function Summary({ name, space }: { name: SpaceName; space: Space }) {
  const peak = peakOf(space);
  if (!peak) return null;
  return (
    <div>
      <b>{name.toUpperCase()}</b> fullest at {timeText(peak.time / ticksPerNs.value)}:{" "}
      {bytesText(peak.bytes)} of {bytesText(peak.capacity)} ({percent(peak.share)}) by{" "}
      {peak.holders.length} tensors; largest gap {bytesText(peak.largestFree)} of each partition,
      fragmentation {percent(fragmentation(peak, space.partitions ?? 1))}
    </div>
  );
}

export function ChipMemory() {
  const memory = run.value.details?.memory;
  if (!memory)
    return <p class="empty">The run was not recorded: who holds which bytes is not known.</p>;
  const names: SpaceName[] = ["sbuf", "psum"];
  const items = names.flatMap((space): Item[] => {
    const held = new Set(peakOf(memory[space])?.holders);
    return memory[space].tensors.map((tensor, index) => ({
      space,
      index,
      tensor,
      isHeld: held.has(index),
    }));
  });
  const time = (ticks: number) => timeText(ticks / ticksPerNs.value);
  return (
    <>
      <div class="figures">
        {names.map((name) => (
          <Summary key={name} name={name} space={memory[name]} />
        ))}
      </div>
      <Table
        columns={[
          {
            head: "tensor",
            value: (one: Item) => one.tensor.name,
            show: (one) => <b>{short(one.tensor.name, 40)}</b>,
          },
          { head: "in", value: (one) => one.space.toUpperCase() },
          { head: "type", value: (one) => `${one.tensor.dtype}[${one.tensor.shape.join(", ")}]` },
          {
            head: "bytes",
            value: (one) => bytesOf(one.tensor),
            show: (one) => bytesText(bytesOf(one.tensor)),
          },
          { head: "address", value: (one) => one.tensor.address ?? 0 },
          {
            head: "partitions",
            value: (one) => one.tensor.partitions?.[0] ?? 0,
            show: ({ tensor: { partitions } }) =>
              partitions ? `${partitions[0]}-${partitions[0] + partitions[1] - 1}` : "",
          },
          { head: "from", value: (one) => one.tensor.begin, show: (one) => time(one.tensor.begin) },
          { head: "to", value: (one) => one.tensor.end, show: (one) => time(one.tensor.end) },
          { head: "at the peak", value: (one) => (one.isHeld ? "held" : "") },
          {
            head: "created",
            value: (one) => placeText(one.tensor.place),
            title: (one) => one.tensor.place.slice(0, 500),
            wide: true,
          },
        ]}
        items={place.value ? items.filter((one) => one.tensor.place === place.value) : items}
        sorted={3}
        onPick={(one) => {
          selected.value = null;
          selectedTensor.value = { space: one.space, index: one.index };
        }}
        isOn={(one) =>
          selectedTensor.value?.space === one.space && selectedTensor.value.index === one.index
        }
        empty="No tensor on the chip is of this line."
      />
    </>
  );
}
