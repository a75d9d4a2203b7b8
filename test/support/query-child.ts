// A child for query cases, run inside a session: it prints what it is told to, and shows everything else that reaches
// its terminal as hex in braces. Input lines: `Q<hex>` print these bytes at once; `S<hex>` one byte at a time, slower than
// any hold of an unfinished sequence; `L<hex>` print them half a second from now.
const SLOW_MS = 8;
const LATER_MS = 500;

let line = '';
let inLine = false;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function obey(order: string): Promise<void> {
  const bytes = Buffer.from(order.slice(1), 'hex');
  if (order[0] === 'L') await wait(LATER_MS);
  if (order[0] !== 'S') {
    process.stdout.write(bytes);
    return;
  }
  for (const byte of bytes) {
    process.stdout.write(Buffer.of(byte));
    await wait(SLOW_MS);
  }
}

/** `\x01` starts an order, a newline ends it; neither occurs in a reply of a terminal. */
function take(chunk: Buffer): void {
  let shown = '';
  for (const byte of chunk) {
    if (byte === 1) inLine = true;
    else if (!inLine) shown += byte.toString(16).padStart(2, '0');
    else if (byte !== 10) line += String.fromCharCode(byte);
    else {
      void obey(line);
      line = '';
      inLine = false;
    }
  }
  if (shown !== '') process.stdout.write(`{${shown}}`);
}

process.stdin.setRawMode(true);
process.stdin.on('data', take);
process.stdout.write(`<${'query'}-child>`);
