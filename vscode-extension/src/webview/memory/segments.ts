/** How a memory's bar is divided. */
import type { MemoryBuffer, MemorySpace } from '../../protocol';

export interface Segment {
  buffer: MemoryBuffer;
  start: number;
  size: number;
  /** Buffers that share a place lie in different lanes. */
  lane: number;
}

export function sizeOf(buffer: MemoryBuffer, space: MemorySpace): number | null {
  return space.unit === 'bytes' ? buffer.bytes : buffer.registers;
}

/** Where each buffer lies: at its offset where all are known, else one behind the other. */
export function segmentsOf(space: MemorySpace): Segment[] {
  const sized = space.buffers.flatMap((buffer) => {
    const size = sizeOf(buffer, space);
    return size === null || size === 0 ? [] : [{ buffer, size }];
  });
  if (sized.every(({ buffer }) => buffer.offset !== null)) {
    const lanes: number[] = [];
    return sized
      .map(({ buffer, size }) => ({ buffer, size, start: buffer.offset ?? 0 }))
      .sort((one, other) => one.start - other.start)
      .map((segment) => {
        let lane = lanes.findIndex((end) => end <= segment.start);
        if (lane < 0) {
          lane = lanes.length;
        }
        lanes[lane] = segment.start + segment.size;
        return { ...segment, lane };
      });
  }
  let start = 0;
  return sized.map(({ buffer, size }) => {
    const segment = { buffer, size, start, lane: 0 };
    start += size;
    return segment;
  });
}

/** The length of the bar: what there is, or more where more is asked for. */
export function scaleOf(space: MemorySpace): number {
  return Math.max(space.capacity ?? 0, space.used ?? 0, space.declared ?? 0, 1);
}
