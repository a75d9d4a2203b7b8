// What a bar of the bench is, and the frame around it: servers and clients started for one bar are always stopped again.
import type { Children } from './child.js';
import { type Client, startClient } from './client.js';
import type { Row } from './figure.js';
import {
  type FloorServer,
  hasTtyd,
  type OpenfloorServer,
  type Server,
  startBare,
  startFloor,
  startOpenfloor,
  startTtyd,
} from './server.js';

export interface Bar {
  readonly id: string;
  readonly title: string;
  measure(bench: Bench): Promise<Row[]>;
}

export interface Bench {
  readonly children: Children;
  /** Fewer rounds: to see that the bench runs, not to judge by. */
  readonly quick: boolean;
  /** Measure `bare` in Openfloor's place: shows what the bench itself calls noise. */
  readonly bareOnly: boolean;
  readonly ttyd: boolean;
  say(line: string): void;
  bare(name?: string): Promise<Server>;
  subject(): Promise<Server>;
  openfloor(): Promise<OpenfloorServer>;
  /** Openfloor with an eye on its pastes and a hand on its journal. */
  floor(): Promise<FloorServer>;
  peer(session: 'echo' | 'burst'): Promise<Server | undefined>;
  client(): Client;
}

/** Runs one bar; what it started is stopped in reverse order, also when it fails. */
export async function runBar(
  bar: Bar,
  options: { children: Children; quick: boolean; bareOnly: boolean; say(line: string): void },
): Promise<Row[]> {
  const started: Array<{ stop(): Promise<void> }> = [];
  const keep = <T extends { stop(): Promise<void> }>(thing: T): T => {
    started.push(thing);
    return thing;
  };
  const ttyd = hasTtyd();
  const bench: Bench = {
    ...options,
    ttyd,
    bare: async (name) => keep(await startBare(options.children, name)),
    openfloor: async () => keep(await startOpenfloor(options.children)),
    floor: async () => keep(await startFloor(options.children)),
    subject: async () =>
      keep(
        options.bareOnly
          ? await startBare(options.children, 'bare in its place')
          : await startOpenfloor(options.children),
      ),
    peer: async (session) => (ttyd ? keep(await startTtyd(options.children, session)) : undefined),
    client: () => keep(startClient()),
  };
  try {
    return await bar.measure(bench);
  } finally {
    for (const thing of started.reverse()) await thing.stop();
  }
}

export const settle = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
