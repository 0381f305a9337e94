import type { OperationMeta } from '@nearhand/contract/operation';
import { operatorHeaders } from '@nearhand/contract/operator-context';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contractOperations } from '../../../test/contract-operations.ts';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile, pdfBytes } from '../../people/files/files.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { setOperatorRoles } from '../operators/operators.ts';
import { makeTicket } from '../tickets/tickets.fixtures.ts';

const app = useTestApp();
let leila: Person;
let support: Person;
let owner: Person;
let engagementId: string;
const reason = 'She asked for her contract – Łódź';

beforeAll(async () => {
  const nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leila Haddad' });
  support = await app.person({ name: 'Sven Berg' });
  owner = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, support, ['support']);
  await makeOperator(app.db, app, owner);
  const { id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia));
  const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
  ({ id: engagementId } = await makeEngagement(app.db, sides, businessId, { title: 'Wash up' }));
});

const ticketOf = async (person: Person) => {
  const { id: subjectId } = await makeTicket(app.db, app.scopeOf(person));
  return { kind: 'ticket', subjectId } as const;
};
const logged = async (operation: string, person: Person = support) =>
  (await owner.api.operatorLog.search({ operation, operatorId: person.accountId, limit: 100 })).items;

describe('a decision', () => {
  it('requires the claim of its case', async () => {
    const ticket = await ticketOf(leila);
    const answer = (person: Person) =>
      person.api.operators.answerTicket({ ticketId: ticket.subjectId, body: 'It clears on Friday.' });
    const required = { status: 403, code: 'case/claim-required' };
    expect(await failure(answer(support))).toMatchObject(required);
    await owner.api.cases.claim(ticket);
    expect(await failure(answer(support))).toMatchObject(required);
    await owner.api.cases.handOver({ ...ticket, toAccountId: support.accountId, note: 'Yours' });
    expect(await failure(answer(owner))).toMatchObject(required);
    const refusals = await logged('POST /operators/tickets/{ticketId}/messages', owner);
    expect(refusals).toMatchObject([{ result: 'case/claim-required', case: ticket }]);
    expect(await answer(support)).toMatchObject({ status: 'waiting' });
    const [row] = await logged('POST /operators/tickets/{ticketId}/messages');
    expect(row).toMatchObject({
      case: ticket,
      reason: null,
      operator: { id: support.accountId, name: 'Sven Berg' },
    });
    expect(row?.subjectIds.sort()).toEqual([ticket.subjectId, leila.accountId].sort());
  });

  it('has the claim also for what is read to decide it, and is logged as refused without', async () => {
    const chargeId = crypto.randomUUID();
    const evidence = owner.api.chargebacks.evidence({ chargeId });
    expect(await failure(evidence)).toMatchObject({ code: 'case/claim-required' });
    expect(await logged('GET /operators/chargebacks/{chargeId}/evidence', owner)).toMatchObject([
      { result: 'case/claim-required', case: { kind: 'chargeback', subjectId: chargeId } },
    ]);
  });

  it('is logged as refused when a colleague has the case', async () => {
    const ticket = await ticketOf(leila);
    await owner.api.cases.claim(ticket);
    expect(await failure(support.api.cases.claim(ticket))).toMatchObject({
      status: 409,
      code: 'case/claimed',
    });
    const [claim] = await logged('POST /operators/cases/{kind}/{subjectId}/claim');
    expect(claim).toMatchObject({ result: 'case/claimed', case: ticket });
  });

  it('names its case in one way only', async () => {
    const { subjectId } = await ticketOf(leila);
    const response = await app.raw({
      method: 'POST',
      url: `/api/operators/tickets/${subjectId.toUpperCase()}/messages`,
      headers: { authorization: `Bearer ${support.token}`, 'idempotency-key': crypto.randomUUID() },
      payload: { body: 'Hello.' },
    });
    expect([response.statusCode, response.json().code]).toEqual([400, 'request/invalid']);
  });
});

describe('a look at personal data', () => {
  it('requires an open case claimed by the caller, or a reason', async () => {
    const ticket = await ticketOf(leila);
    const read = (headers = {}) => app.apiAs(support.token, headers).cases.get(ticket);
    expect(await failure(read())).toMatchObject({ status: 403, code: 'operator/reason-required' });
    expect((await read(operatorHeaders({ reason }))).item).toMatchObject(ticket);
    await support.api.cases.claim(ticket);
    expect((await read()).facts).toMatchObject({ kind: 'ticket' });
    expect((await logged('GET /operators/cases/{kind}/{subjectId}')).map((row) => row.reason)).toEqual([
      null,
      reason,
    ]);
    await support.api.operators.solveTicket({ ticketId: ticket.subjectId });
    expect(await failure(support.api.operators.ticket({ ticketId: ticket.subjectId }))).toMatchObject({
      code: 'operator/reason-required',
    });
  });

  it('rejects a short, long or malformed reason or case', async () => {
    const ticket = await ticketOf(leila);
    for (const headers of [
      operatorHeaders({ reason: 'short' }),
      operatorHeaders({ reason: 'x'.repeat(301) }),
      { 'x-operator-reason': '%E0%A4%A' },
      { 'x-operator-case': 'ticket' },
      { 'x-operator-case': `nothing/${ticket.subjectId}` },
      { 'x-operator-case': `ticket/${ticket.subjectId}/more` },
    ])
      expect(await failure(app.apiAs(support.token, headers).cases.get(ticket))).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
  });

  it("outside operator operations works like anyone else's without either", async () => {
    const read = (headers = {}) => app.apiAs(owner.token, headers).engagements.get({ engagementId });
    expect(await failure(read())).toMatchObject({ status: 404 });
    expect(await read(operatorHeaders({ reason }))).toMatchObject({ id: engagementId, actions: [] });
    expect((await logged('GET /engagements/{engagementId}', owner))[0]).toMatchObject({
      reason,
      subjectIds: [engagementId],
      case: null,
    });
    const foreign = await ticketOf(leila);
    const within = operatorHeaders({ case: foreign });
    expect(await failure(read(within))).toMatchObject({ code: 'operator/reason-required' });
    await owner.api.cases.claim(foreign);
    expect(await read(within)).toMatchObject({ id: engagementId });
    expect((await logged('GET /engagements/{engagementId}', owner))[0]).toMatchObject({ case: foreign });
  });

  it('includes files', async () => {
    const scope = app.scopeOf(leila);
    const file = await makeFile(app.db, scope, { purpose: 'ticket', bytes: pdfBytes() });
    await makeTicket(app.db, scope, { fileIds: [file.id] });
    const content = (headers = {}) =>
      app.raw({ url: `/api${file.path}`, headers: { authorization: `Bearer ${support.token}`, ...headers } });
    expect((await content()).statusCode).toBe(404);
    expect((await content(operatorHeaders({ reason }))).statusCode).toBe(200);
    expect((await logged('GET /api/files/:fileId/content'))[0]).toMatchObject({
      subjectIds: [file.id],
      reason,
    });
  });
});

describe('an engagement', () => {
  const showing = (rule: (meta: OperationMeta) => boolean) =>
    contractOperations
      .filter(({ meta, operation }) => rule(meta) && namesWork(operation['~orpc'].outputSchema))
      .map(({ name }) => name)
      .sort();
  const namesWork = (schema: unknown) =>
    schema !== undefined &&
    JSON.stringify(z.toJSONSchema(schema as z.ZodType, { unrepresentable: 'any' })).includes(
      '"engagementId"',
    );
  const isOperators = (meta: OperationMeta) => meta.access === 'operator';

  it('is never returned by an operation that requires neither a case nor a reason', () => {
    const free = (meta: OperationMeta) => meta.access === 'operator' && meta.operator.needs === 'nothing';
    expect(showing(free)).toEqual([]);
    // The control: operations that show personal data are found.
    expect(showing(isOperators)).toEqual(expect.arrayContaining(['cases.get', 'secondApprovals.entry']));
  });

  it('requires a claimed case or a reason, and each view is logged', async () => {
    const { rows } = await app.pool.query(
      `select entry.id from ledger_entries entry join holds hold on entry.about = hold.id
       where hold.engagement_id = $1 limit 1`,
      [engagementId],
    );
    const entryId = rows[0].id as string;
    type Api = Person['api'];
    const work = { kind: 'engagement' as const };
    const looks: [string, string, (api: Api) => Promise<unknown>][] = [
      [
        'GET /operators/search',
        leila.accountId,
        (api) => api.staffSearch.find({ ...work, words: leila.accountId }),
      ],
      [
        'GET /operators/search/{kind}/{id}',
        engagementId,
        (api) => api.staffSearch.get({ ...work, id: engagementId }),
      ],
      ['GET /operators/entries', engagementId, (api) => api.staffSearch.entries({ recordId: engagementId })],
      ['GET /operators/entries/{entryId}', entryId, (api) => api.secondApprovals.entry({ entryId })],
    ];
    for (const [operation, subjectId, look] of looks) {
      expect(await failure(look(owner.api)), operation).toMatchObject({
        status: 403,
        code: 'operator/reason-required',
      });
      expect(await logged(operation, owner), operation).toEqual([]);
      await look(app.apiAs(owner.token, operatorHeaders({ reason })));
      const [row] = await logged(operation, owner);
      expect(row, operation).toMatchObject({ reason, operator: { id: owner.accountId } });
      if (operation !== 'GET /operators/search') expect(row?.subjectIds, operation).toContain(subjectId);
    }
    // There is no such case, so no reason is asked for.
    const noShow = { kind: 'no_show' as const, subjectId: engagementId };
    expect(await failure(owner.api.cases.get(noShow))).toMatchObject({ code: 'case/not-found' });
    const preview = owner.api.cases.preview({ ...noShow, amountMinor: 0 });
    expect(await failure(preview)).toMatchObject({ code: 'case/not-found' });
  });
});

describe('roles', () => {
  it('apply at once, and only owners see the log', async () => {
    const refused = { status: 403, code: 'operator/role-required' };
    expect(await failure(support.api.operatorLog.search({}))).toMatchObject(refused);
    await setOperatorRoles(app.db, app, { email: support.email, by: 'test', roles: ['finance'] });
    expect(await failure(support.api.operators.serviceMessages({}))).toMatchObject(refused);
    await setOperatorRoles(app.db, app, { email: support.email, by: 'test', roles: ['support', 'finance'] });
    expect((await support.api.operators.serviceMessages({})).items).toEqual([]);
  });
});
