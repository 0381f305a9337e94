import { realtimePath } from '@nearhand/contract/realtime';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../test/harness.ts';
import { listeningAt, openSocket } from '../../test/sockets.ts';
import { tell } from './tell.ts';

const app = useTestApp();
const jobId = '01a1fbbc-d019-79f0-8086-994049deb373';
const change = { kind: 'record', record: 'job', id: jobId } as const;

const refusal = async (auth: object, options = {}) => {
  const socket = await openSocket(await listeningAt(app.server), auth, options);
  const [why] = socket.ends;
  socket.close();
  return why;
};

describe('the handshake', () => {
  it('refuses whoever is not signed in, with our codes', async () => {
    expect(await refusal({})).toBe('session/required');
    expect(await refusal({ token: '' })).toBe('session/required');
    expect(await refusal({ token: 12 })).toBe('session/required');
    expect(await refusal({ token: 'forged.'.repeat(10) })).toBe('session/expired');
    expect(await refusal({ token: '\u0000' })).toBe('session/expired');
  });

  it('refuses an unverified account and a session that is over', async () => {
    const unverified = await app.person({ verified: false });
    expect(await refusal({ token: unverified.token })).toBe('session/email-not-verified');
    const gone = await app.person();
    await app.pool.query('delete from sessions where id = $1', [gone.sessionId]);
    expect(await refusal({ token: gone.token })).toBe('session/expired');
  });

  it('refuses pages of other sites, and takes those of the app', async () => {
    const { token } = await app.person();
    const from = (origin: string) => refusal({ token }, { extraHeaders: { origin } });
    for (const origin of ['https://elsewhere.example', 'null', 'http://localhost.elsewhere.example'])
      expect(await from(origin)).toBe('websocket error');
    for (const origin of ['capacitor://localhost', 'https://localhost', 'http://localhost:8080'])
      expect(await from(origin)).toBeUndefined();
  });

  it('knows no polling, and is not slowed by a packet that is too large', async () => {
    const url = await listeningAt(app.server);
    expect((await fetch(`${url}${realtimePath}?EIO=4&transport=polling`)).status).toBe(400);
    expect((await refusal({ token: 'x'.repeat(10_000) })) ?? '').toMatch(/transport|websocket/);
  });
});

describe('signals', () => {
  it('reach every device of the account once its transaction is committed, and no other', async () => {
    const [leila, sam] = [await app.person(), await app.person()];
    const [phone, laptop, other] = [await app.socket(leila), await app.socket(leila), await app.socket(sam)];
    await app.db.transaction().execute(async (tx) => {
      tell(tx, [`account:${leila.accountId}`], change);
      tell(tx, [`account:${leila.accountId}`], { kind: 'notice' });
    });
    await Promise.all([phone.heard(change), laptop.heard(change)]);
    await Promise.all([phone.heard({ kind: 'notice' }), laptop.heard({ kind: 'notice' })]);
    expect(other.signals).toEqual([]);
  });
});
