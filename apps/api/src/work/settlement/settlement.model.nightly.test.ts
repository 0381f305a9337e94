import { sumOf } from '@nearhand/contract/arithmetic';
import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/work/engagements';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { acceptProposal, answerDispute, fileDispute, proposeSettlement } from '../disputes/disputes.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';
import { approveWork } from '../timesheets/approval.ts';
import { deliverWork, requestChanges } from '../timesheets/deliveries.ts';
import { acceptCounter, counterHours, submitHours } from '../timesheets/hours.ts';

const app = useTestApp();
let nadia: Person;
let businessId: string;
beforeAll(async () => {
  nadia = await app.person();
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
});

const hours = fc.record({
  from: fc.integer({ min: -30, max: 60 }),
  to: fc.integer({ min: -180, max: 120 }),
  breakMinutes: fc.integer({ min: 0, max: 60 }),
});
const amount = fc.integer({ min: 4_000, max: 14_000 });
const side = fc.constantFrom('worker' as const, 'business' as const);
// Weighted so that runs reach late states: many rounds of hours, some long disputes.
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('submit' as const), hours }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('counter' as const), hours }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deliver' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('request-changes' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('accept' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('approve' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('file' as const), side, amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer' as const), side, amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('propose' as const), side, amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('accept-proposal' as const), side }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 80 }) }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

const planned = (to: number) => ({ from: 0, to, breakMinutes: 30 });
/** A sequence that reaches every decision, run each time. */
const longWay: Command[] = [
  { do: 'submit', hours: planned(0) },
  { do: 'counter', hours: planned(-180) },
  { do: 'submit', hours: planned(0) },
  { do: 'counter', hours: planned(-60) },
  { do: 'deliver' },
  { do: 'request-changes' },
  { do: 'deliver' },
  { do: 'file', side: 'worker', amount: 13_000 },
  { do: 'answer', side: 'business', amount: 12_000 },
  { do: 'propose', side: 'business', amount: 12_500 },
  { do: 'accept-proposal', side: 'worker' },
];

const sum = (view: Engagement) => sumOf(view.releases, ({ amountMinor }) => amountMinor);

describe('the amount paid', () => {
  it.each(['shift', 'task'] as const)(
    'never exceeds what was agreed, claimed or planned (%s)',
    async (kind) => {
      const reached = new Set<string>();
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 30 }), async (commands) => {
          app.clock.set('2026-11-21T09:00:00Z');
          const leila = await app.person();
          const scopes = { worker: app.scopeOf(leila), business: app.scopeOf(nadia) };
          const { id } = await makeEngagement(
            app.db,
            { worker: scopes.worker, recruiter: scopes.business },
            businessId,
            { kind, ...(kind === 'task' ? { payMinor: 13_000 } : {}) },
          );
          let view = await viewEngagement(app.db, scopes.worker, id);
          const start = new Date(view.terms.startsAt ?? app.clock.now()).getTime();
          const end = new Date(view.terms.endsAt ?? app.clock.now()).getTime();
          app.clock.set(new Date(end + 4 * hourMs));
          let releasedBefore = 0;
          for (const step of commands) {
            await run(step, view, scopes, { start, end });
            view = await viewEngagement(app.db, scopes.worker, id);
            const released = sum(view);
            const ceiling = Math.max(
              view.terms.payTotalMinor,
              ...view.claims.map(({ amountMinor }) => amountMinor),
            );
            // Never less than before, never more than claimed, planned or agreed.
            expect(released).toBeGreaterThanOrEqual(releasedBefore);
            expect(view.amountMinor).toBeLessThanOrEqual(ceiling);
            expect(released).toBeLessThanOrEqual(view.status === 'completed' ? view.amountMinor : ceiling);
            for (const { amountMinor } of view.releases) expect(amountMinor).toBeGreaterThan(0);
            if (view.status === 'completed') expect(released).toBe(view.amountMinor);
            releasedBefore = released;
            reached
              .add(view.status)
              .add(`dispute ${view.dispute?.status}`)
              .add(`${view.releases.length} releases`);
          }
          for (let month = 0; month < 4; month += 1)
            await run({ do: 'wait', hours: 24 * 31 }, view, scopes, { start, end });
          view = await viewEngagement(app.db, scopes.worker, id);
          reached.add(view.status).add(`dispute ${view.dispute?.status}`);
          if (kind === 'shift') expect(view.status).toBe('completed');
          if (view.status === 'completed') expect(sum(view)).toBe(view.amountMinor);
        }),
        // Twelve runs reach every decision below.
        { numRuns: 12, seed: 20_261_121, examples: [[longWay]] },
      );
      // The sequences must reach the decisions about money; otherwise the rest would prove little.
      const expected =
        kind === 'shift'
          ? [
              'counter_proposed',
              'completed',
              'dispute answered',
              'dispute proposed',
              'dispute settled',
              '2 releases',
            ]
          : ['changes_requested', 'completed', 'dispute answered', 'dispute settled', '1 releases'];
      expect(expected.filter((state) => !reached.has(state))).toEqual([]);
    },
    180_000,
  );
});

type Scopes = Record<'worker' | 'business', ReturnType<typeof app.scopeOf>>;

/** A refusal is a valid result; any other error fails the test. */
async function run(step: Command, view: Engagement, scopes: Scopes, plan: { start: number; end: number }) {
  if (step.do === 'wait') {
    app.clock.forward({ hours: step.hours });
    return app.runDue();
  }
  const engagementRef = { engagementId: view.id, version: view.version };
  const disputed = { disputeId: view.dispute?.id ?? view.id, version: view.dispute?.version ?? 1 };
  const asHours = (given: { from: number; to: number; breakMinutes: number }) => ({
    ...engagementRef,
    startsAt: new Date(plan.start + given.from * minuteMs).toISOString(),
    endsAt: new Date(plan.end + given.to * minuteMs).toISOString(),
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
        return deliverWork(tx, scopes.worker, { ...engagementRef, note: 'Done.', fileIds: [] });
      case 'request-changes':
        return requestChanges(tx, scopes.business, { ...engagementRef, note: 'Not yet.' });
      case 'accept':
        return acceptCounter(tx, scopes.worker, engagementRef);
      case 'approve':
        return approveWork(tx, scopes.business, engagementRef);
      case 'file':
        return fileDispute(tx, scopes[step.side], {
          ...engagementRef,
          reason: 'No.',
          amountMinor: step.amount,
        });
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
