// What `mote view` packed (apps/cli/cmd_view.c): numbers of 16 bits in the box, as differences from the frame before where it
// has as many particles, zigzag, in bytes of seven bits, base64.
export function bytesOf(base64) {
  const binary = atob(base64.trim()), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Of a gzip in base64.
export async function unzip(base64) {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

// `count` differences from `before`, which is changed.
function addDifferences(bytes, at, before, count) {
  for (let i = 0; i < count; ++i) {
    let value = 0, shift = 0, byte;
    do {
      byte = bytes[at++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    before[i] = (before[i] + ((value >>> 1) ^ -(value & 1))) & 65535;
  }
  return at;
}

export async function decodeRun(data) {
  const bytes = bytesOf(data.packed), frames = [], span = data.high.map((x, a) => (x - data.low[a]) / 65535);
  let at = 0, before = new Int32Array(0);
  for (let k = 0; k < data.frames; ++k) {
    const count = data.counts[k];
    if (before.length !== 4 * count) before = new Int32Array(4 * count);
    at = addDifferences(bytes, at, before, 4 * count);
    const points = new Float32Array(4 * count), kinds = new Uint8Array(4 * count);
    for (let i = 0; i < count; ++i) {
      for (let a = 0; a < 3; ++a) points[4 * i + a] = data.low[a] + before[4 * i + a] * span[a];
      points[4 * i + 3] = (before[4 * i + 3] * data.fastest) / 65535;
      const kind = i < data.liquids[k] ? 0 : 1;
      kinds.set([kind, ...(kind === 0 ? data.liquid : data.solid)], 4 * i);
    }
    frames.push({ points, kinds });
  }
  return frames;
}

export function decodeMesh({ vertices, triangles }) {
  return { vertices: new Float32Array(bytesOf(vertices).buffer), triangles: new Uint32Array(bytesOf(triangles).buffer) };
}

export const floatsOf = (base64) => new Float32Array(bytesOf(base64).buffer);

// Of a skin or a surface, {vertices, triangles, colour} for each frame: vertices of 16 bits in the box; triangles stay where a
// frame has none.
export function decodeMoving({ colour, frames }, { low, high }) {
  let triangles = new Uint32Array(0);
  return frames.map(({ v, t }) => {
    const numbers = new Uint16Array(bytesOf(v).buffer);
    if (t !== undefined) triangles = new Uint32Array(bytesOf(t).buffer);
    return { colour, triangles, vertices: Float32Array.from(numbers, (x, c) => low[c % 3] + (x * (high[c % 3] - low[c % 3])) / 65535) };
  });
}

// One curve of each table of a probe: [name, CSV].
export function readProbes(tables) {
  return tables.flatMap(([name, csv]) => {
    const [head, ...rows] = csv.split('\n').filter((line) => line !== '' && line[0] !== '#').map((line) => line.split(','));
    if (!head || head.includes('point')) return [];
    const column = (word) => head.indexOf(word), size = (word) => (row) => Math.hypot(...['_x', '_y', '_z'].map((axis) => Number(row[column(word + axis)])));
    const of = [['level', 'level, m'], ['pressure', 'pressure, Pa']].find(([word]) => head.includes(word));
    const long = [['displacement', 'displacement, m'], ['force', 'force, N']].find(([word]) => head.includes(`${word}_x`));
    if (!of && !long) return [];
    const value = of ? (row) => Number(row[column(of[0])]) : size(long[0]);
    return [{ title: `${name}: ${(of ?? long)[1]}`, times: rows.map((row) => Number(row[0])), values: rows.map(value) }];
  });
}
