import { helpLimits } from '@nearhand/contract/trust/help.rules';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';

const app = useTestApp();
const votesOn = async (article: string) =>
  (
    await app.db
      .selectFrom('help_votes')
      .select('helpful')
      .where('article', '=', article)
      .orderBy('votedAt')
      .execute()
  ).map(({ helpful }) => helpful);

describe('help.vote', () => {
  it('counts once per account, using the latest vote', async () => {
    const leila = await app.person();
    const sam = await app.person({ verified: false });
    expect(await leila.api.help.vote({ article: 'check-in', helpful: true })).toEqual({
      article: 'check-in',
      helpful: true,
    });
    await leila.api.help.vote({ article: 'check-in', helpful: false });
    app.clock.forward({ minutes: 1 });
    await sam.api.help.vote({ article: 'check-in', helpful: true });
    expect(await votesOn('check-in')).toEqual([false, true]);
    expect((await failure(leila.api.help.vote({ article: '../etc', helpful: true }))).code).toBe(
      'request/invalid',
    );
  });
});

describe('PUT /guest-help-votes', () => {
  const vote = (change: object = {}, remoteAddress = '203.0.113.7') =>
    app.raw({
      method: 'PUT',
      url: '/api/guest-help-votes',
      remoteAddress,
      payload: { article: 'tips', helpful: true, device: 'a-device-of-a-guest', ...change },
    });

  it('counts once per device, stored as a hash', async () => {
    for (const helpful of [true, false]) expect((await vote({ helpful })).statusCode).toBe(200);
    expect(await votesOn('tips')).toEqual([false]);
    const { device } = await app.db
      .selectFrom('help_votes')
      .select('device')
      .where('article', '=', 'tips')
      .executeTakeFirstOrThrow();
    expect(device).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['a short device', { device: 'x' }],
    ['no answer', { helpful: 'yes' }],
    ['no article', { article: '' }],
  ])('rejects %s', async (_what, change) => {
    expect((await vote(change)).json().code).toBe('request/invalid');
  });

  it('is limited per network', async () => {
    const device = (count: number) => `device-number-${String(count).padStart(5, '0')}`;
    const network = '198.51.100.1';
    await app.pool.query(
      `insert into help_votes (article, device, networks, helpful, voted_at)
       select 'x', 'd' || n, (select networks from help_votes where article = 'tips'), true, $1 from generate_series(1, $2::integer) n`,
      [app.clock.now(), helpLimits.guestVotesPerDay],
    );
    expect((await vote({ device: device(1) })).json().code).toBe('request/too-many');
    expect((await vote({ device: device(2) }, network)).statusCode).toBe(200);
  });

  it('is limited for a customer with many IPv6 networks', async () => {
    const device = (count: number) => `device-of-ipv6-${String(count).padStart(5, '0')}`;
    await vote({ article: 'hiring', device: device(0) }, '2001:db8:7:1::1');
    await app.pool.query(
      `insert into help_votes (article, device, networks, helpful, voted_at)
       select 'x', 'v6-' || n, (select networks[2:] from help_votes where article = 'hiring'), true, $1 from generate_series(1, $2::integer) n`,
      [app.clock.now(), helpLimits.guestVotesPerDay * 2],
    );
    expect((await vote({ device: device(1) }, '2001:db8:7:2::1')).json().code).toBe('request/too-many');
    expect((await vote({ device: device(2) }, '2001:db8:8:2::1')).statusCode).toBe(200);
  });
});
