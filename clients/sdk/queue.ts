// The queue as a client uses it: rows of work that are addressed to seats. Always true: answers are the server's own,
// unchanged; a refusal rejects with its reason. It holds no connection.
import type {
  QueueBlock,
  QueueChanged,
  QueueClose,
  QueueCreate,
  QueueHandoff,
  QueueList,
  QueueRow,
  QueueShow,
  QueueTransitions,
  QueueUpdate,
} from '../../protocol/queue.js';
import type { Ask } from './seats.js';

/** `as`: the seat that an operator acts as. */
export interface QueueAs {
  readonly as?: string;
}

export interface QueueFilter extends QueueAs {
  /** A state, several separated by commas, or `open`. */
  readonly state?: string;
  readonly destination?: string;
  readonly source?: string;
  readonly tag?: string;
  readonly limit?: number;
  readonly offset?: number;
}

export interface QueueNoted extends QueueAs {
  readonly note?: string;
}

export function queueCalls(ask: Ask) {
  const path = (id: string, verb = '') => `/api/queue/${encodeURIComponent(id)}${verb && `/${verb}`}`;
  const query = (options: object) => {
    const given = Object.entries(options).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    );
    return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  };
  const change = (id: string, verb: string, body: object): Promise<QueueChanged> =>
    ask('POST', path(id, verb), body);
  return {
    /** The row, also when it was there already. */
    create: (row: QueueCreate): Promise<QueueRow> => ask('POST', '/api/queue/create', row),
    list: (filter: QueueFilter = {}): Promise<QueueList> => ask('GET', `/api/queue/list${query(filter)}`),
    overdue: (options: QueueAs & { readonly limit?: number } = {}): Promise<QueueList> =>
      ask('GET', `/api/queue/overdue${query(options)}`),
    show: (id: string, options: QueueAs = {}): Promise<QueueShow> => ask('GET', path(id) + query(options)),
    transitions: (id: string, options: QueueAs = {}): Promise<QueueTransitions> =>
      ask('GET', path(id, 'transitions') + query(options)),
    claim: (id: string, options: QueueNoted = {}) => change(id, 'claim', options),
    unclaim: (id: string, options: QueueNoted = {}) => change(id, 'unclaim', options),
    update: (id: string, fields: QueueUpdate) => change(id, 'update', fields),
    block: (id: string, block: QueueBlock) => change(id, 'block', block),
    handoff: (id: string, handoff: QueueHandoff) => change(id, 'handoff', handoff),
    close: (id: string, closure: QueueClose) => change(id, 'close', closure),
  };
}
