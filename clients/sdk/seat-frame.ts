// The text frames of an attach that tell about the seat: what the agent does, who is there, what the floor does. Always
// true: a frame whose telling fields are of another type is none of these; it is still delivered as `frame`.
import type {
  FloorFrame,
  HandoverFrame,
  HeldFrame,
  InjectionFrame,
  PresenceFrame,
  StatusFrame,
} from '../../protocol/frame.js';
import type { OtherFrame } from './server-frame.js';

export interface SeatFrames {
  status: StatusFrame;
  presence: PresenceFrame;
  floor: FloorFrame;
  /** Automation got the floor, and how that ended. */
  injection: InjectionFrame;
  /** A message was kept, not typed. */
  held: HeldFrame;
  /** The seat goes to another occupant; after `bound` its stream follows on this connection. */
  handover: HandoverFrame;
}

/** The field by which each is known, and its type. */
const TELLING: Readonly<Record<keyof SeatFrames, readonly [string, 'string' | 'boolean' | 'number']>> = {
  status: ['state', 'string'],
  presence: ['recent', 'boolean'],
  floor: ['waiting', 'number'],
  injection: ['phase', 'string'],
  held: ['request', 'string'],
  handover: ['phase', 'string'],
};

/** The name of the event that this frame is, or undefined. */
export function seatFrameName(frame: OtherFrame): keyof SeatFrames | undefined {
  if (!Object.hasOwn(TELLING, frame.type) || typeof frame.seat !== 'string') return undefined;
  const name = frame.type as keyof SeatFrames;
  const [field, type] = TELLING[name];
  return typeof frame[field] === type ? name : undefined;
}
