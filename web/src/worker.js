// The engine in a Worker. The first message has its bytes, { wasm }; all others are commands of a session. It steps by
// itself and posts answers as soon as there are any, and { failed } when it has come to its end.
const BUDGET = 0.008; // s of computing at a time, so that commands get through
const PAUSE = 4; // ms, when there is nothing to compute
const BADF = 8;

let engine = null, last = 0, timer = 0;
const waiting = [];
const soon = new MessageChannel(); // sooner than any timer
soon.port1.onmessage = () => turn();

// The engine asks for nothing but the time; files and terminals are not there.
function imports(memory) {
  const system = {
    clock_time_get: (clock, precision, at) => {
      new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(1e6 * (clock === 0 ? Date.now() : performance.now()))), true);
      return 0;
    },
    proc_exit: (code) => { throw new Error(`the engine has ended (${code})`); },
  };
  return { wasi_snapshot_preview1: new Proxy(system, { get: (own, name) => own[name] ?? (() => BADF), has: () => true }) };
}

async function start(wasm) {
  const { instance } = await WebAssembly.instantiate(wasm, imports(() => engine.memory));
  engine = instance.exports;
  engine._initialize();
  if (!engine.cordage_create()) throw new Error('there is not enough memory for the engine');
  last = performance.now();
  for (const bytes of waiting) deliver(bytes);
  turn();
}

function deliver(bytes) {
  const at = engine.cordage_take(bytes.length);
  if (!at) throw new Error('there is not enough memory for a message');
  new Uint8Array(engine.memory.buffer).set(bytes, at);
  engine.cordage_receive(at, bytes.length);
  engine.cordage_give(at);
  flush();
}

function flush() {
  for (let at = engine.cordage_next(); at; at = engine.cordage_next()) {
    const copy = new Uint8Array(engine.memory.buffer, at, engine.cordage_size()).slice();
    postMessage(copy, [copy.buffer]);
  }
}

const guarded = (action) => {
  try {
    action();
  } catch (error) {
    clearTimeout(timer);
    engine = null;
    postMessage({ failed: error.message });
    close();
  }
};

function turn() {
  if (!engine) return;
  clearTimeout(timer);
  guarded(() => {
    const now = performance.now(), passed = (now - last) / 1000;
    last = now;
    const busy = engine.cordage_advance(passed, BUDGET) & 1;
    flush();
    if (busy) soon.port2.postMessage(0);
    else timer = setTimeout(turn, PAUSE);
  });
}

onmessage = ({ data }) => {
  if (data.wasm) start(data.wasm).catch((error) => { postMessage({ failed: error.message }); close(); });
  else if (!engine) waiting.push(data);
  else guarded(() => deliver(data));
};
