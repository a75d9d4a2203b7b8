// Stands in for `socket-node` in a browser's bundle, so that no bundler looks for Node's packages there. It dials with the
// browser's own WebSocket class; the token goes as a subprotocol.
import { type BrowserSocketClass, browserDial, type Dial } from './socket.js';

export const nodeDial: Dial = (request, events) => {
  const { WebSocket } = globalThis as unknown as { WebSocket: BrowserSocketClass };
  return browserDial(WebSocket)(request, events);
};
