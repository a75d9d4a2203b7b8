// The audit feed over HTTP: pages after a cursor, and a check of the whole chain. Always true: a check reads in slices, a
// turn of the loop apart, so that no echo waits for it.
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { AuditFeed, ChainCursor } from '../journal/port.js';
import { seesRecord } from './plane-upgrade.js';

const Query = Type.Object({
  seat: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
  after: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
  limit: Type.Optional(Type.String({ pattern: '^\\d{1,4}$' })),
});

const PAGE = 1_000;
const VERIFY_SLICE = 500;
const GENESIS: ChainCursor = { seq: 0, hash: '0'.repeat(64) };

export const auditRoutes =
  (feed: AuditFeed): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/api/audit', { schema: { querystring: Query } }, async ({ query, credential }) => {
      const limit = Math.min(PAGE, Math.max(1, Number(query.limit ?? 100)));
      const filter = {
        ...(query.seat ? { seat: query.seat } : {}),
        ...(query.kind ? { kind: query.kind } : {}),
      };
      const records = feed.page(Number(query.after ?? 0), filter, limit);
      return {
        records: records.filter((record) => credential && seesRecord(credential, record)),
        head: feed.head.seq,
        next: records.at(-1)?.seq ?? Number(query.after ?? 0),
      };
    });

    app.get('/api/audit/verify', async () => {
      let cursor = GENESIS;
      for (;;) {
        const verdict = feed.verify(cursor, VERIFY_SLICE);
        if (verdict.state === 'broken') return { ok: false, seq: verdict.seq, fault: verdict.fault };
        if (verdict.done) return { ok: true, records: verdict.cursor.seq, head: verdict.cursor.hash };
        cursor = verdict.cursor;
        await turn();
      }
    });
  };
