// Who acts when a request came in: its caller, as the seat it named. Throws ShepherdError when it may not.
import type { FastifyRequest } from 'fastify';
import { callerIn } from './http.js';
import { type Actor, actorOf } from './queue/actor.js';
import { errorOf } from './queue/refusal.js';

/** `write`: it wants to change something. */
export function actorIn(request: FastifyRequest, as: string | undefined, write: boolean): Actor {
  const result = actorOf(callerIn(request), as, write);
  if (!result.ok) throw errorOf(result);
  return result.actor;
}
