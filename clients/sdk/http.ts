// JSON requests to the admin plane. Always true: a request ends with its answer or one SdkError; the credential goes in a
// header and nowhere else; an answer that is no JSON is `bad_answer`. It retries nothing.
import { errorOfStatus, SdkError } from './error.js';

/** What the SDK uses of `fetch`. */
export type FetchLike = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
    redirect: 'error';
  },
) => Promise<{ readonly status: number; text(): Promise<string> }>;

export interface RequestOptions {
  /** http: or https: address without a trailing slash. */
  readonly base: string;
  readonly credential: string | undefined;
  readonly fetch: FetchLike;
}

/** A kill may take its grace of 5 s and a little more; anything longer is a server that hangs. */
const ANSWER_LIMIT_MS = 30_000;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

function networkError(base: string, cause: unknown): SdkError {
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return new SdkError({
      reason: 'timeout',
      message: `${base} did not answer within ${ANSWER_LIMIT_MS / 1_000} s`,
      next: 'Look at the log of the runtime.',
      cause,
    });
  }
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause;
  const code =
    typeof inner === 'object' && inner !== null && 'code' in inner ? ` (${String(inner.code)})` : '';
  return new SdkError({
    reason: 'unreachable',
    message: `nothing answers at ${base}${code}`,
    next: 'Start the server (openfloor up), or check the address.',
    cause,
  });
}

function readBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function faultOf(status: number, text: string): SdkError {
  const body = readBody(text);
  if (typeof body !== 'object' || body === null) {
    const plain = text.trim();
    const sentence =
      plain !== '' && plain.length <= 200 && !plain.startsWith('<') ? { error: plain } : undefined;
    return errorOfStatus(status, sentence);
  }
  const { error, reason, next } = body as Record<string, unknown>;
  return errorOfStatus(status, {
    ...(typeof error === 'string' ? { error } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof next === 'string' ? { next } : {}),
  });
}

export interface AnswerOptions {
  /** How long the server may take. */
  readonly limitMs?: number;
  /** An answer with an outcome is an answer whatever its status, which is added to it. */
  readonly receipt?: boolean;
}

/** A message has one outcome, a handover two; a refusal has none. */
function hasOutcome(answer: object): boolean {
  return 'outcome' in answer || 'seatBindingOutcome' in answer;
}

/** One request; `Answer` is what the protocol says the route answers with. Undefined for an empty answer. */
export async function request<Answer>(
  { base, credential, fetch }: RequestOptions,
  method: Method,
  path: string,
  body?: object,
  { limitMs = ANSWER_LIMIT_MS, receipt = false }: AnswerOptions = {},
): Promise<Answer> {
  let status: number;
  let text: string;
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
      redirect: 'error',
    });
    status = response.status;
    text = await response.text();
  } catch (cause) {
    throw networkError(base, cause);
  }
  const answer = readBody(text);
  if (receipt && typeof answer === 'object' && answer !== null && hasOutcome(answer)) {
    return { ...answer, status } as Answer;
  }
  if (status < 200 || status > 299) throw faultOf(status, text);
  if (text !== '' && answer === undefined) {
    throw new SdkError({
      reason: 'bad_answer',
      message: `${base}${path} answered with something that is no JSON`,
      next: 'Check that the address is that of an Openfloor server.',
      status,
    });
  }
  return answer as Answer;
}
