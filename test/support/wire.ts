// Plain HTTP and raw bytes against a server under test, from a source address of the caller's choice, so that throttles
// kept per source can be tested one by one. Nothing here knows Openfloor.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { platform } from 'node:os';

/** Whatever is waited for comes well within this, or the case fails with a sentence instead of hanging. */
export const LIMIT_MS = 8_000;

export interface Ask {
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Local address to connect from. */
  readonly from?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body parsed as JSON; throws where it isn't. */
  json<T = Record<string, unknown>>(): T;
}

export function answerOf(status: number, headers: IncomingHttpHeaders, text: string): Answer {
  return { status, headers, text, json: <T>() => JSON.parse(text) as T };
}

/** One request on a connection of its own. */
export function ask(url: string, method: string, { headers = {}, body, from }: Ask = {}): Promise<Answer> {
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const typed =
    payload === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const open = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = open(
      url,
      {
        method,
        agent: false,
        headers: { ...typed, ...headers },
        ...(from ? { localAddress: from } : {}),
        timeout: 2 * LIMIT_MS,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('end', () => resolve(answerOf(response.statusCode ?? 0, response.headers, text)));
        response.on('error', reject);
      },
    );
    request.on('timeout', () => request.destroy(new Error(`${method} ${url} was not answered`)));
    request.on('error', reject);
    request.end(payload);
  });
}

/** Sends bytes as they are and answers everything that came back until the server closed or was quiet for `quietMs`. */
export function askRaw(
  url: string,
  bytes: string,
  { from, quietMs = 300 }: { from?: string | undefined; quietMs?: number } = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    let quiet: NodeJS.Timeout | undefined;
    const socket = connect({ host: hostname, port: Number(port), ...(from ? { localAddress: from } : {}) });
    const limit = setTimeout(() => socket.destroy(new Error('no answer to raw bytes')), LIMIT_MS);
    socket.on('connect', () => socket.write(bytes, 'latin1'));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.destroy(), quietMs);
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(limit);
      clearTimeout(quiet);
      resolve(text);
    });
  });
}

let sources = 0;
/**
 * A loopback address that nobody has used in this process. Undefined where there is only one (a remote server, or a
 * platform that answers on 127.0.0.1 alone): the case then shares the common source.
 */
export function freshSource(url: string): string | undefined {
  if (platform() !== 'linux' || !/^https?:\/\/127\./.test(url)) return undefined;
  sources++;
  return `127.${100 + (process.pid % 100)}.${sources >> 8}.${1 + (sources & 0xff)}`;
}

/** Resolves with what `wanted` gives once it gives something; asks again after every call of the returned `look`. */
export async function eventually<T>(
  what: string,
  wanted: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const value = await wanted();
    if (value !== undefined) return value;
    if (performance.now() > end) throw new Error(`${what} did not happen within ${LIMIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
