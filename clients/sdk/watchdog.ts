// Routines as a client uses them: registered, listed, looked at and stopped. Always true: answers are the server's own,
// unchanged; a refusal rejects with its reason. It holds no connection.
import type {
  WatchdogList,
  WatchdogRegister,
  WatchdogRoutine,
  WatchdogShow,
  WatchdogStop,
} from '../../protocol/watchdog.js';
import type { Ask } from './seats.js';

export interface RoutineFilter {
  readonly seat?: string;
  /** active, stopped or terminal. */
  readonly state?: string;
  readonly limit?: number;
  readonly offset?: number;
  /** The seat that an operator acts as. */
  readonly as?: string;
}

export function routineCalls(ask: Ask) {
  const path = (id: string, verb = '') => `/api/watchdog/${encodeURIComponent(id)}${verb && `/${verb}`}`;
  const query = (options: object) => {
    const given = Object.entries(options).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    );
    return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  };
  return {
    /** The routine, also when the same one was there already. */
    register: (routine: WatchdogRegister): Promise<WatchdogRoutine> =>
      ask('POST', '/api/watchdog/register', routine),
    list: (filter: RoutineFilter = {}): Promise<WatchdogList> =>
      ask('GET', `/api/watchdog/list${query(filter)}`),
    /** With its last twenty results. */
    show: (id: string, options: { readonly as?: string } = {}): Promise<WatchdogShow> =>
      ask('GET', path(id) + query(options)),
    /** Ends it for good, and takes back what waits. */
    stop: (id: string, options: WatchdogStop = {}): Promise<WatchdogRoutine> =>
      ask('POST', path(id, 'stop'), options),
  };
}
