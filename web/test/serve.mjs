// `cordage view` in tests.
import { spawn } from 'node:child_process';
import { after } from 'node:test';
import { command } from './support.mjs';

const servers = [];
after(() => { for (const server of servers) server.kill(); });

// `cordage view` of a scene or a recording: its process, and the address that it prints.
export function serve(...words) {
  const server = spawn(command, ['view', ...words, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(server);
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (data) => {
      text += data;
      const found = /https?:\/\/\S+/.exec(text);
      if (found) resolve({ server, address: found[0] });
    });
    server.on('exit', (code) => reject(new Error(`cordage view has ended with ${code}: ${text}`)));
  });
}
