// A canvas of a given height that draws itself again when what it shows changes: at most once a
// frame, sharp on any screen.
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export interface Surface {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
}
export type Draw = (surface: Surface) => void;

export const gutter = 132; // left of every time axis, for names
export const frameTimes: number[] = []; // of the last frames, in ms; for the test of speed

interface Properties {
  draw: Draw;
  height: number;
  label: string;
  onWheel?: (event: WheelEvent) => void;
  onPointerDown?: (event: PointerEvent) => void;
  onPointerMove?: (event: PointerEvent) => void;
  onPointerUp?: (event: PointerEvent) => void;
  onPointerLeave?: (event: PointerEvent) => void;
  onDblClick?: (event: MouseEvent) => void;
}

export function Canvas({ draw, height, label, ...handlers }: Properties) {
  const element = useRef<HTMLCanvasElement>(null);
  const latest = useRef(draw);
  latest.current = draw;
  const again = useRef(() => {});

  useEffect(() => {
    const canvas = element.current!;
    let frame = 0;
    const paint = () => {
      frame = 0;
      const started = performance.now();
      const scale = window.devicePixelRatio || 1,
        width = canvas.clientWidth,
        tall = canvas.clientHeight;
      if (width === 0 || tall === 0) return;
      if (
        canvas.width !== Math.round(width * scale) ||
        canvas.height !== Math.round(tall * scale)
      ) {
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(tall * scale);
      }
      const context = canvas.getContext("2d", { alpha: false })!;
      context.setTransform(scale, 0, 0, scale, 0, 0);
      latest.current({ context, width, height: tall });
      frameTimes.push(performance.now() - started);
      if (frameTimes.length > 2000) frameTimes.shift();
    };
    const ask = () => {
      if (frame === 0) frame = requestAnimationFrame(paint);
    };
    again.current = ask;
    // Reads the signals that the drawing depends on, so that a change of one asks for a frame.
    const stop = effect(() => {
      latest.current({ context: null as unknown as CanvasRenderingContext2D, width: 0, height: 0 });
      ask();
    });
    const observer = new ResizeObserver(ask);
    observer.observe(canvas);
    const wheel = handlers.onWheel;
    if (wheel) canvas.addEventListener("wheel", wheel, { passive: false });
    return () => {
      stop();
      observer.disconnect();
      if (wheel) canvas.removeEventListener("wheel", wheel);
      cancelAnimationFrame(frame);
    };
  }, [height]);
  useEffect(() => again.current());

  const { onWheel: _, ...rest } = handlers;
  return (
    <canvas
      ref={element}
      style={{ height: `${height}px` }}
      role="img"
      aria-label={label}
      {...rest}
    />
  );
}

// Text cut to a width, without measuring each letter: the font is nearly fixed in width.
export function fitText(text: string, width: number, letter = 6.3): string {
  const room = Math.floor(width / letter);
  if (text.length <= room) return text;
  return room < 3 ? "" : `${text.slice(0, room - 1)}…`;
}
