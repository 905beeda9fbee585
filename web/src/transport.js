// Two ways to a live session: the engine in a Worker, or a socket to `cordage view`. Both take and give whole messages:
// send(bytes), close(); `receive(bytes)` and `lost(reason)` are called back.

// `code` of the Worker (worker.js) and the engine's bytes.
export class WorkerTransport {
  constructor(code, wasm, { receive, lost }) {
    const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    this.worker = new Worker(address);
    this.worker.onmessage = ({ data }) => {
      if (data instanceof Uint8Array) receive(data);
      else lost(data.failed);
    };
    this.worker.onerror = (event) => { event.preventDefault(); lost(event.message || 'the engine could not be started'); };
    this.worker.postMessage({ wasm });
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  send(bytes) { this.worker.postMessage(bytes, [bytes.buffer]); }
  close() { this.worker.terminate(); }
}

export class SocketTransport {
  constructor(address, { receive, lost }) {
    this.socket = new WebSocket(address, 'cordage-live');
    this.socket.binaryType = 'arraybuffer';
    this.waiting = [];
    this.socket.onopen = () => {
      for (const bytes of this.waiting) this.socket.send(bytes);
      this.waiting = [];
    };
    this.socket.onmessage = ({ data }) => receive(new Uint8Array(data));
    this.socket.onclose = ({ reason }) => lost(reason || 'the connection was lost');
  }

  send(bytes) {
    if (this.socket.readyState === WebSocket.CONNECTING) this.waiting.push(bytes);
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(bytes);
  }

  close() {
    this.socket.onclose = null;
    this.socket.close();
  }
}
