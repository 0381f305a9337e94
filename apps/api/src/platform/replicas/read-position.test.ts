import { positionHeader } from '@nearhand/contract/read-position';
import { expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { positionOf } from '../http/server.ts';
import { parseLsn } from './wal-position.ts';

const app = useTestApp();

it('reads the position from the header of an app or the cookie of a browser', () => {
  expect(positionOf({ headers: { [positionHeader]: '16b374d848' } })).toBe(0x16_b374d848n);
  expect(positionOf({ headers: { cookie: `a=b; ${positionHeader}=ff; c=d` } })).toBe(255n);
  expect(positionOf({ headers: {} })).toBeNull();
});

it('ignores invalid positions', () => {
  for (const sent of ['', '-1', '0x1', 'g', 'f'.repeat(17), '1/2', ' 1'])
    expect(
      positionOf({ headers: { [positionHeader]: sent, cookie: `${positionHeader}=${sent}` } }),
    ).toBeNull();
});

it('reads positions as PostgreSQL writes them', () => {
  expect(parseLsn('16/B374D848')).toBe(0x16_b374d848n);
  expect(parseLsn('FFFFFFFF/FFFFFFFF')).toBe(2n ** 64n - 1n);
  for (const text of [null, undefined, '', '16', '16/', '/1', 'G/1', '123456789/1'])
    expect(parseLsn(text)).toBeNull();
});

it('sends no position without replicas', async () => {
  const person = await app.person();
  const { headers } = await app.raw({
    method: 'POST',
    url: '/api/notifications/read',
    headers: { authorization: `Bearer ${person.token}`, 'idempotency-key': crypto.randomUUID() },
    payload: { ids: 'all' },
  });
  expect(headers[positionHeader]).toBeUndefined();
  expect(headers['set-cookie']).toBeUndefined();
});
