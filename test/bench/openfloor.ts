// Openfloor as a server of the bench: the runtime with its scanner, classifier, ring, screen model and audit on, in a
// process of its own. It prints its address and credential as one JSON line and ends when its input is closed.
import { startServer } from '../support/server.js';

const server = await startServer({ maxSessions: 2_000 });
process.stdout.write(`${JSON.stringify({ url: server.url, credential: server.credential })}\n`);
process.stdin
  .on('end', () => {
    void server.stop().finally(() => process.exit(0));
  })
  .resume();
