import { addMs } from '@nearhand/contract/durations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeSanction } from '../sanctions/sanctions.fixtures.ts';

const app = useTestApp();
let owner: Person;
let period: { from: string; until: string };

beforeAll(async () => {
  owner = await app.person({ name: 'Jonas Weber' });
  const colleague = await app.person({ name: 'Mila Horvat' });
  const leila = await app.person({ name: 'Leila Haddad' });
  await makeOperator(app.db, app, owner, ['owner']);
  await makeOperator(app.db, app, colleague, ['owner']);
  owner = app.working(owner);
  const today = app.clock.now().toISOString().slice(0, 10);
  period = { from: today, until: today };
  const scope = app.scopeOf(owner);
  const target = { kind: 'account', id: leila.accountId } as const;
  await makeSanction(app.db, scope, { target });
  const endsAt = addMs(app.clock.now(), 7 * 86_400_000).toISOString();
  const suspension = { measure: 'suspension', rule: 'no-fees', facts: 'Leila asked for €40.' } as const;
  await makeSanction(app.db, scope, { ...suspension, target, scope: 'everything', endsAt });
  const { items } = await leila.api.sanctions.mine({});
  const sanctionId = items.find(({ measure }) => measure === 'suspension')?.id ?? '';
  const { appeal } = await leila.api.appeals.create({ sanctionId, words: 'I never did.' });
  app.clock.forward({ hours: 2 });
  const mila = app.working(colleague);
  const appealId = appeal?.id ?? '';
  await mila.api.cases.claim({ kind: 'appeal', subjectId: appealId });
  await mila.api.appeals.decide({ appealId, outcome: 'upheld', reason: 'The messages show it.' });
});

describe('transparency.report', () => {
  it('counts decisions, appeals and their time', async () => {
    const until = app.clock.now().toISOString().slice(0, 10);
    expect(await owner.api.transparency.report({ ...period, until })).toMatchObject({
      notices: { received: 0, actioned: 0, dismissed: 0, medianHours: null },
      decisions: [
        { measure: 'suspension', rule: 'no-fees', source: 'staff', count: 1 },
        { measure: 'warning', rule: 'respect', source: 'staff', count: 1 },
      ],
      automatedDetections: 0,
      authorityReports: 0,
      appeals: { received: 1, upheld: 1, overturned: 0, medianHours: 2 },
    });
  });

  it('omits other days, and rejects an empty or too long period', async () => {
    const before = { from: '2020-01-01', until: '2020-12-31' };
    expect((await owner.api.transparency.report(before)).decisions).toEqual([]);
    for (const wrong of [
      { from: '2020-02-01', until: '2020-01-01' },
      { from: '2020-01-01', until: '2022-01-01' },
    ])
      expect(await failure(owner.api.transparency.report(wrong))).toMatchObject({
        code: 'request/invalid',
        data: { issues: [{ path: 'until' }] },
      });
  });
});

describe('transparency.statements', () => {
  it('exports restrictions in the published schema, without warnings and personal data', async () => {
    const { items, nextCursor } = await owner.api.transparency.statements(period);
    expect(items).toMatchObject([
      {
        decision_visibility: [],
        decision_account: 'DECISION_ACCOUNT_SUSPENDED',
        decision_ground: 'DECISION_GROUND_INCOMPATIBLE_CONTENT',
        incompatible_content_ground: 'House rule: no-fees',
        category: 'STATEMENT_CATEGORY_SCAMS_AND_FRAUD',
        application_date: period.from,
        end_date_account_restriction: expect.any(String),
        source_type: 'SOURCE_VOLUNTARY',
        automated_detection: 'No',
        automated_decision: 'AUTOMATED_DECISION_NOT_AUTOMATED',
      },
    ]);
    expect(nextCursor).toBeNull();
    expect(JSON.stringify(items)).not.toContain('Leila');
  });
});
