import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from './businesses.fixtures.ts';
import { recheckVatIds } from './vat-ids.ts';

/** A response of the stand-in for VIES. Each test sets `answer`; `bodies` has the requests. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;
let answer: Answer;
const bodies: Record<string, unknown>[] = [];
const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refused = (error: string, status = 200) =>
  json({ actionSucceed: false, errorWrappers: [{ error }] }, status);
const valid = json({
  countryCode: 'NL',
  vatNumber: '861942735B01',
  requestDate: '2026-11-21T15:00:00.000Z',
  valid: true,
  requestIdentifier: 'WAPIAAAAXk3',
  name: 'KOPI & CRUMB B.V.',
  address: '---',
});
const invalid = json({ valid: false, requestIdentifier: '', name: '---', address: '---' });

const vies = createServer(async (request, response) => {
  bodies.push({ path: request.url, ...JSON.parse(await text(request)) });
  answer(request, response);
});
const url = (async () => {
  vies.listen(0, '127.0.0.1');
  await once(vies, 'listening');
  return `http://127.0.0.1:${(vies.address() as AddressInfo).port}/rest-api`;
})();
afterAll(() => {
  vies.closeAllConnections();
  vies.close();
});

const app = useTestApp(async () => ({ VIES_URL: await url }));
const plain = useTestApp();
const vatId = 'NL861942735B01';
let owner: Person;

beforeEach(async () => {
  bodies.length = 0;
  answer = valid;
  // Ends a pause after a failure.
  app.clock.forward({ hours: 1 });
  await app.pool.query('delete from vat_id_checks');
  await app.pool.query("update businesses set vat_id = ''");
  owner = await app.person();
});

const scope = () => app.scopeOf(owner);
const register = (options = {}) => makeBusiness(app.db, scope(), { vatId, ...options });
const checkOf = (businessId: string) => owner.api.businesses.vatIdCheck({ businessId });
const proofs = async () =>
  (await app.pool.query('select valid, consultation_number as number from vat_id_checks order by at')).rows;

describe('businesses.vatIdCheck', () => {
  it('stores the result with its consultation number, fetched once for two businesses and for a month', async () => {
    const { id } = await register();
    expect(await checkOf(id)).toMatchObject({ state: 'unknown', checkedAt: null });
    await register();
    await Promise.all([app.runDue(), app.runDue()]);
    expect(await checkOf(id)).toEqual({
      state: 'valid',
      checkedAt: app.clock.now().toISOString(),
      registeredName: 'KOPI & CRUMB B.V.',
      consultationNumber: 'WAPIAAAAXk3',
    });
    expect(bodies).toEqual([
      {
        path: '/rest-api/check-vat-number',
        countryCode: 'NL',
        vatNumber: '861942735B01',
        requesterMemberStateCode: 'BE',
        requesterNumber: '0791348269',
      },
    ]);
    app.clock.forward({ days: 29 });
    await register();
    await app.runDue();
    expect(bodies).toHaveLength(1);
    answer = invalid;
    app.clock.forward({ days: 1 });
    await register();
    await app.runDue();
    expect(await checkOf(id)).toMatchObject({ state: 'invalid', registeredName: '', consultationNumber: '' });
    expect(await proofs()).toEqual([
      { valid: true, number: 'WAPIAAAAXk3' },
      { valid: false, number: '' },
    ]);
  });

  it.each([
    ['throttles by status', json({}, 429, { 'retry-after': '30' })],
    ['throttles in the body', refused('MS_MAX_CONCURRENT_REQ')],
    ['has no answer of the member state', refused('MS_UNAVAILABLE', 400)],
    ['fails', json({ error: 'down' }, 503)],
    ['answers with a page', (_request: IncomingMessage, response: ServerResponse) => response.end('<html>')],
    ['hangs up', (request: IncomingMessage) => request.socket.destroy()],
    ['answers in another form', json({ isValid: true })],
  ] as [string, Answer][])(
    'stays unknown while VIES %s, blocks nothing and asks again',
    async (_what, outage) => {
      answer = outage;
      const business = await register();
      await app.runDue();
      const { id } = business;
      expect(await checkOf(id)).toMatchObject({ state: 'unknown', checkedAt: null });
      const edited = await owner.api.businesses.update({
        businessId: id,
        version: business.version,
        description: 'Still open.',
      });
      expect(edited.description).toBe('Still open.');
      for (let hour = 0; hour < 7 * 24; hour += 6) {
        app.clock.forward({ hours: 6 });
        await app.runDue();
      }
      expect(await proofs()).toEqual([]);
      expect(bodies.length).toBeGreaterThan(20);
      answer = valid;
      app.clock.forward({ hours: 6 });
      await app.runDue();
      expect(await checkOf(id)).toMatchObject({ state: 'valid' });
      const requestCount = bodies.length;
      app.clock.forward({ hours: 12 });
      await app.runDue();
      expect(bodies).toHaveLength(requestCount);
    },
  );

  it('rechecks only ids of VIES countries, for any number of others', async () => {
    const { id } = await register({ vatId: '' });
    const { rows } = await app.pool.query(
      `select string_agg(attname, ', ') as columns from pg_attribute where attrelid = 'businesses'::regclass
       and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('id', 'vat_id', 'transfer_number')`,
    );
    await app.pool.query(
      `insert into businesses (id, vat_id, ${rows[0].columns})
       select gen_random_uuid(), 'CHE' || lpad(number::text, 9, '0'), ${rows[0].columns}
       from businesses, generate_series(1, 1000) number where id = $1`,
      [id],
    );
    await app.pool.query('update businesses set vat_id = $1 where id = $2', [vatId, id]);
    await recheckVatIds({ ...scope(), db: app.db, config: app.config });
    await app.runDue();
    expect(await checkOf(id)).toMatchObject({ state: 'valid' });
    await app.pool.query("delete from businesses where vat_id like 'CHE%'");
  });

  it('deletes a replaced id and checks the new one', async () => {
    answer = refused('MS_UNAVAILABLE');
    const { id, version } = await register();
    await app.runDue();
    answer = refused('INVALID_INPUT');
    await owner.api.businesses.update({ businessId: id, version, vatId: 'NL123456782B90' });
    app.clock.forward({ hours: 6 });
    await app.runDue();
    expect(bodies.map(({ vatNumber }) => vatNumber)).toEqual(['861942735B01', '123456782B90']);
    expect(await checkOf(id)).toMatchObject({ state: 'invalid' });
  });

  it('allows only members, and returns null without a VIES id or its address', async () => {
    const { id } = await register({ vatId: '' });
    expect(await checkOf(id)).toBeNull();
    const stranger = await app.person();
    expect(await failure(stranger.api.businesses.vatIdCheck({ businessId: id }))).toMatchObject({
      code: 'business/not-found',
    });
    const other = await plain.person();
    const unasked = await makeBusiness(plain.db, plain.scopeOf(other), { vatId });
    expect(await other.api.businesses.vatIdCheck({ businessId: unasked.id })).toBeNull();
  });
});
