import type { Engagement } from '@nearhand/contract/engagements';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { makeBusiness } from '../businesses/businesses.fixtures.ts';
import {
  acceptProposal,
  answerDispute,
  fileDispute,
  proposeSettlement,
} from '../disputes/disputes.service.ts';
import { viewEngagement } from '../engagements/engagement-views.service.ts';
import { approveWork } from './approval.service.ts';
import { deliverWork, requestChanges } from './deliveries.service.ts';
import { acceptCounter, counterHours, submitHours } from './hours.service.ts';
import { makeHiredWork } from './timesheets.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let businessId: string;
beforeAll(async () => {
  nadia = await app.person();
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia.accountId)));
});

const hours = fc.record({
  from: fc.integer({ min: -90, max: 120 }),
  to: fc.integer({ min: -240, max: 180 }),
  breakMinutes: fc.integer({ min: 0, max: 120 }),
});
const amount = fc.integer({ min: 0, max: 20_000 });
const side = fc.constantFrom('worker' as const, 'business' as const);
const command = fc.oneof(
  fc.record({ do: fc.constant('submit' as const), hours }),
  fc.record({ do: fc.constant('counter' as const), hours }),
  fc.record({ do: fc.constant('deliver' as const) }),
  fc.record({ do: fc.constant('request-changes' as const) }),
  fc.record({ do: fc.constant('accept' as const) }),
  fc.record({ do: fc.constant('approve' as const) }),
  fc.record({ do: fc.constant('file' as const), side, amount }),
  fc.record({ do: fc.constant('answer' as const), side, amount }),
  fc.record({ do: fc.constant('propose' as const), side, amount }),
  fc.record({ do: fc.constant('accept-proposal' as const), side }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 90 }) }),
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

const sum = (view: Engagement) => view.releases.reduce((total, { amountMinor }) => total + amountMinor, 0);

describe('what is paid', () => {
  it.each(['shift', 'task'] as const)(
    'never passes what was agreed, nor that what was claimed or planned (%s)',
    async (kind) => {
      const ends: Record<string, number> = {};
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 25 }), async (commands) => {
          app.clock.set('2026-11-21T09:00:00Z');
          const leila = await app.person();
          const scopes = { worker: app.scopeOf(leila.accountId), business: app.scopeOf(nadia.accountId) };
          const id = await makeHiredWork(
            app.db,
            { worker: scopes.worker, recruiter: scopes.business },
            businessId,
            { kind, ...(kind === 'task' ? { payMinor: 13_000 } : {}) },
          );
          let view = await viewEngagement(app.db, scopes.worker, id);
          const start = new Date(view.terms.startsAt ?? app.clock.now()).getTime();
          const end = new Date(view.terms.endsAt ?? app.clock.now()).getTime();
          app.clock.set(new Date(end + 4 * 3_600_000));
          let releasedBefore = 0;
          for (const step of commands) {
            await run(step, view, scopes, { start, end });
            view = await viewEngagement(app.db, scopes.worker, id);
            const released = sum(view);
            const most = Math.max(
              view.terms.payTotalMinor,
              ...view.claims.map(({ amountMinor }) => amountMinor),
            );
            // Never less than before, never more than anybody claimed or planned, never more than what was agreed.
            expect(released).toBeGreaterThanOrEqual(releasedBefore);
            expect(view.amountMinor).toBeLessThanOrEqual(most);
            expect(released).toBeLessThanOrEqual(view.status === 'completed' ? view.amountMinor : most);
            for (const { amountMinor } of view.releases) expect(amountMinor).toBeGreaterThan(0);
            if (view.status === 'completed') expect(released).toBe(view.amountMinor);
            releasedBefore = released;
          }
          // Left alone, everything ends by its clocks.
          for (let week = 0; week < 8; week += 1)
            await run({ do: 'wait', hours: 24 * 7 }, view, scopes, { start, end });
          view = await viewEngagement(app.db, scopes.worker, id);
          ends[view.status] = (ends[view.status] ?? 0) + 1;
          if (kind === 'shift') expect(view.status).toBe('completed');
          if (view.status === 'completed') expect(sum(view)).toBe(view.amountMinor);
        }),
        { numRuns: 40 },
      );
      expect(ends.completed).toBeGreaterThan(0);
    },
    180_000,
  );
});

type Scopes = Record<'worker' | 'business', ReturnType<typeof app.scopeOf>>;

/** One command, in its own transaction; a refusal is an answer too, anything else fails the test. */
async function run(step: Command, view: Engagement, scopes: Scopes, plan: { start: number; end: number }) {
  if (step.do === 'wait') {
    app.clock.forward({ hours: step.hours });
    return app.runDue();
  }
  const one = { engagementId: view.id, version: view.version };
  const disputed = { disputeId: view.dispute?.id ?? view.id, version: view.dispute?.version ?? 1 };
  const asHours = (given: { from: number; to: number; breakMinutes: number }) => ({
    ...one,
    startsAt: new Date(plan.start + given.from * 60_000).toISOString(),
    endsAt: new Date(plan.end + given.to * 60_000).toISOString(),
    breakMinutes: given.breakMinutes,
    note: 'So it was.',
  });
  const work = (tx: Tx): Promise<unknown> => {
    switch (step.do) {
      case 'submit':
        return submitHours(tx, scopes.worker, asHours(step.hours));
      case 'counter':
        return counterHours(tx, scopes.business, asHours(step.hours));
      case 'deliver':
        return deliverWork(tx, scopes.worker, { ...one, note: 'Done.', fileIds: [] });
      case 'request-changes':
        return requestChanges(tx, scopes.business, { ...one, note: 'Not yet.' });
      case 'accept':
        return acceptCounter(tx, scopes.worker, one);
      case 'approve':
        return approveWork(tx, scopes.business, one);
      case 'file':
        return fileDispute(tx, scopes[step.side], { ...one, reason: 'No.', amountMinor: step.amount });
      case 'answer':
        return answerDispute(tx, scopes[step.side], { ...disputed, note: 'Yes.', amountMinor: step.amount });
      case 'propose':
        return proposeSettlement(tx, scopes[step.side], { ...disputed, note: '', amountMinor: step.amount });
      case 'accept-proposal':
        return acceptProposal(tx, scopes[step.side], disputed);
    }
  };
  await app.db
    .transaction()
    .execute(work)
    .catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
}
