// A model server on loopback that real agents talk to: which message was asked, how long an answer takes, whether it runs a
// command. Always true: every message that an agent sends with its shell tool is noted once, whole; words in it choose what
// happens. It knows no wire format (mock-wire.ts) and keeps no conversation.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Ask, readAsk, type Speaker, speakerOf } from './mock-wire.js';

/** One message that reached the model. Times in milliseconds since the epoch. */
export interface Asked {
  readonly text: string;
  readonly at: number;
  endedAt: number | undefined;
  /** The agent hung up before the answer was whole: an interrupt. */
  aborted: boolean;
}

/** What a message with TOOLRUN makes the agent run. */
export const TOOL_COMMAND = 'sleep 1; echo tool-ran > toolout.txt';
const ANSWER = 'This is an answer of the mock model, streamed word by word so that work can be seen.';

/** How long the answer to this message takes. */
function answerMs(text: string): number {
  if (/\bLONG\b/.test(text)) return 20_000;
  if (/\bQUICK\b/.test(text)) return 100;
  return /\bSLOW\b/.test(text) ? 4_000 : 800;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return {};
  }
}

export class MockModel {
  readonly asked: Asked[] = [];
  /** Paths that no format knows; for the report of a run. */
  readonly strange: string[] = [];

  private constructor(readonly server: Server) {}

  static async start(): Promise<MockModel> {
    const server = createServer();
    const model = new MockModel(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      model.#serve(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  /** For example http://127.0.0.1:40123, without a final slash. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://mock').pathname;
    const body = await readBody(request);
    const json = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path.endsWith('/count_tokens')) return void json(200, { input_tokens: 100 });
    if (path.endsWith(':countTokens')) return void json(200, { totalTokens: 100 });
    if (/\/models\/?$/.test(path)) return void json(200, { object: 'list', data: [], models: [] });
    const ask = request.method === 'POST' ? readAsk(path, body as Record<string, unknown>) : undefined;
    if (ask === undefined) {
      this.strange.push(`${request.method} ${path}`);
      return void json(404, { error: { type: 'not_found_error', message: 'the mock has no such path' } });
    }
    await this.#answer(ask, response);
  }

  async #answer(ask: Ask, response: ServerResponse): Promise<void> {
    let gone = false;
    let asked: Asked | undefined;
    // Titles and other side questions come without the shell tool; a tool's result belongs to a message noted before.
    if (ask.tool !== undefined && !ask.afterTool) {
      asked = { text: ask.text, at: Date.now(), endedAt: undefined, aborted: false };
      this.asked.push(asked);
    }
    response.on('close', () => {
      gone = !response.writableEnded;
      if (asked !== undefined) {
        asked.aborted = gone;
        asked.endedAt = Date.now();
      }
    });
    const speaker: Speaker = speakerOf(ask, response);
    if (ask.tool !== undefined && !ask.afterTool && /\bTOOLRUN\b/.test(ask.text)) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      speaker.tool(ask.tool, TOOL_COMMAND);
      return;
    }
    const text = ask.tool === undefined ? '{"title": "Mock session", "isNewTopic": true}' : ANSWER;
    const words = text.match(/\S+\s*/g) ?? [];
    const pauseMs = (ask.tool === undefined ? 200 : answerMs(ask.text)) / words.length;
    if (!ask.stream) return speaker.whole(text);
    for (const word of words) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (gone) return;
      speaker.word(word);
    }
    speaker.end(text);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
