// The core (mote_core.js and mote_core.wasm) as an object of plain calls. Pointers into its memory are looked at anew
// after every call, because the memory may have moved when it grew. Used by the worker of the page and by tests.
export async function openCore(make, options = {}) {
  const module = await make(options);
  const put = (text) => {
    const size = module.lengthBytesUTF8(text) + 1, at = module._malloc(size);
    if (at === 0) throw new Error('no memory for a text');
    module.stringToUTF8(text, at, size);
    return at;
  };
  const withTexts = (texts, call) => {
    const at = texts.map((one) => (one === null ? 0 : put(one)));
    try { return call(...at); } finally { at.forEach((one) => module._free(one)); }
  };
  const message = () => module.UTF8ToString(module._web_message());
  const checked = (failed) => { if (failed) throw new CoreError(message()); };
  const floats = (at, count) => {
    if (at === 0) throw new CoreError('mote: out of memory\n');
    return module.HEAPF32.slice(at >> 2, (at >> 2) + count);
  };
  const scene = (k) => module._web_scene(k);
  const madeMesh = () => {
    const vertices = floats(module._web_vertices(), 3 * module._web_mesh_size(0)), at = module._web_triangles() >> 2;
    return { vertices, triangles: module.HEAPU32.slice(at, at + 3 * module._web_mesh_size(1)), colour: module._web_mesh_colour() };
  };

  return {
    module,
    // sets: ["duration=1", ...]; text null: that of the module's file of this name.
    open(text, name, sets = [], threads = 1) {
      withTexts([text, name, sets.join('\n')], (a, b, c) => checked(module._web_open(a, b, c, threads)));
    },
    // Reads and checks a scene without making its world.
    read(text, name, sets = []) { withTexts([text, name, sets.join('\n')], (a, b, c) => checked(module._web_read(a, b, c))); },
    close() { module._web_close(); },
    // Steps until the frame ends, or `spent()` says that it has been long enough. True: a frame has ended.
    step(spent = () => false) {
      let done;
      do {
        done = module._web_step();
        if (done < 0) throw new CoreError(message());
      } while (done === 0 && !spent());
      return done === 1;
    },
    command(line) { withTexts([line], (at) => checked(module._web_command(at))); },
    record() {
      withTexts(['/record.jsonl'], (at) => checked(module._web_record(at)));
      return module.FS.readFile('/record.jsonl', { encoding: 'utf8' });
    },
    about: () => ({
      title: module.UTF8ToString(module._web_title()), duration: scene(0), fps: scene(1), spacing: scene(2),
      dimensions: scene(3), low: [4, 5, 6].map(scene), high: [7, 8, 9].map(scene),
      colliders: module._web_colliders(), bodies: module._web_bodies(),
    }),
    time: () => module._web_time(),
    steps: () => module._web_steps(),
    hash: () => module.UTF8ToString(module._web_hash()),
    frameHash: () => { checked(module._web_frame_hash()); return message(); },
    count: () => module._web_count(),
    // x, y, z and a value of each particle.
    particles: (field) => withTexts([field], (at) => floats(module._web_particles(at), 4 * module._web_count())),
    // Kind, red, green, blue of each particle.
    colours: () => new Uint8Array(floats(module._web_colours(), module._web_count()).buffer),
    // 15 numbers of each: rotation by rows, displacement, centre of mass.
    bodyPoses: () => floats(module._web_body_poses(), 15 * module._web_bodies()),
    // 12 of each.
    colliderPoses: () => floats(module._web_collider_poses(), 12 * module._web_colliders()),
    mesh(collider, k, cells) {
      checked(module._web_mesh(collider ? 1 : 0, k, cells));
      return madeMesh();
    },
    // Of the elastic bodies as they are now; null where one that is there has none, and its particles show it.
    skins() {
      const found = [];
      for (let k = 0; k < module._web_skins(); ++k) {
        const missing = module._web_skin(k);
        if (missing < 2) found.push(missing === 0 ? madeMesh() : null);
      }
      return found.includes(null) ? null : found;
    },
    probeNames: () => Array.from({ length: module._web_probes() }, (_, k) => module.UTF8ToString(module._web_probe_name(k))),
    probes: () => Array.from({ length: module._web_probes() }, (_, k) => module._web_probe(k)),
    // The point that a ray meets first, of what moves; null: none.
    pick(origin, direction) {
      const distance = module._web_pick(...origin, ...direction);
      return distance < 0 ? null : { distance, point: [0, 1, 2].map((a) => module._web_picked(a)) };
    },
    holds: () => module._web_holds(),
  };
}

export class CoreError extends Error {}
