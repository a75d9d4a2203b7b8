// The yardstick: ws and node-pty with nothing between them. One PTY per connection, named by the path of its URL; the
// table of commands comes as JSON in the first argument. It has no scanner, no ring, no bounds, no authentication.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type IPty, spawn } from 'node-pty';
import { WebSocketServer } from 'ws';

const commands = JSON.parse(process.argv[2] ?? '{}') as Record<string, string[]>;
const http = createServer();
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });

sockets.on('connection', (socket, request) => {
  const [file, ...args] = commands[(request.url ?? '/').slice(1)] ?? ['true'];
  const pty: IPty = spawn(file as string, args, {
    name: 'xterm-256color',
    cols: 80,
    rows: 24,
    encoding: null,
    env: process.env as Record<string, string>,
  });
  // With `encoding: null` node-pty hands out buffers, whatever its types say.
  pty.onData((chunk) => socket.send(chunk as unknown as Buffer, { binary: true }));
  pty.onExit(() => socket.close());
  socket.on('message', (bytes) => pty.write(bytes as Buffer));
  socket.on('close', () => {
    try {
      pty.kill('SIGHUP');
    } catch {
      // already gone
    }
  });
});

http.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  process.stdout.write(`${JSON.stringify({ url, credential: '' })}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
