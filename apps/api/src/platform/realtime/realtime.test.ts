import { setTimeout as wait } from 'node:timers/promises';
import { realtimePath } from '@nearhand/contract/realtime';
import { describe, expect, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { listeningAt, openSocket } from '../../../test/sockets.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { disableAccount } from '../../people/sign-in/credentials.ts';
import { emit } from './publish.ts';
import { isOwnOrigin } from './realtime.ts';

const nativeOrigins = ['https://localhost', 'capacitor://localhost'];
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
  it('rejects anyone not signed in, with our codes', async () => {
    expect(await refusal({})).toBe('session/required');
    expect(await refusal({ token: '' })).toBe('session/required');
    expect(await refusal({ token: 12 })).toBe('session/required');
    expect(await refusal({ token: 'forged.'.repeat(10) })).toBe('session/expired');
    expect(await refusal({ token: '\u0000' })).toBe('session/expired');
  });

  it('rejects an unverified account and an ended session', async () => {
    const unverified = await app.person({ verified: false });
    expect(await refusal({ token: unverified.token })).toBe('session/email-not-verified');
    const gone = await app.person();
    await app.pool.query('delete from sessions where id = $1', [gone.sessionId]);
    expect(await refusal({ token: gone.token })).toBe('session/expired');
  });

  it("rejects pages of other sites and accepts the app's", async () => {
    const { token } = await app.person();
    const from = (origin: string) => refusal({ token }, { extraHeaders: { origin } });
    for (const origin of ['https://elsewhere.example', 'null', 'http://localhost.elsewhere.example'])
      expect(await from(origin)).toBe('websocket error');
    for (const origin of ['capacitor://localhost', 'https://localhost', 'http://localhost:8080'])
      expect(await from(origin)).toBeUndefined();
  });

  it('accepts native apps in production only when configured', () => {
    const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://jobs.example' } as const;
    for (const origin of nativeOrigins) {
      expect(isOwnOrigin(origin, { ...production, NATIVE_ORIGINS: [] })).toBe(false);
      expect(isOwnOrigin(origin, { ...production, NATIVE_ORIGINS: nativeOrigins })).toBe(true);
    }
    expect(isOwnOrigin('https://localhost:1', { ...production, NATIVE_ORIGINS: nativeOrigins })).toBe(false);
  });

  it("supports no polling, and isn't slowed by an oversized packet", async () => {
    const url = await listeningAt(app.server);
    expect((await fetch(`${url}${realtimePath}?EIO=4&transport=polling`)).status).toBe(400);
    expect((await refusal({ token: 'x'.repeat(10_000) })) ?? '').toMatch(/transport|websocket/);
  });
});

describe('signals', () => {
  it("reach only the account's devices, all of them, when the transaction commits", async () => {
    const leila = await app.person();
    const sam = await app.person();
    const phone = await app.socket(leila);
    const laptop = await app.socket(leila);
    const samsSocket = await app.socket(sam);
    await app.db.transaction().execute(async (tx) => {
      emit(tx, [`account:${leila.accountId}`], change);
      emit(tx, [`account:${leila.accountId}`], { kind: 'notice' });
    });
    await Promise.all([phone.received(change), laptop.received(change)]);
    await Promise.all([phone.received({ kind: 'notice' }), laptop.received({ kind: 'notice' })]);
    expect(samsSocket.signals).toEqual([]);
  });
});

describe('rooms', () => {
  /**
   * Milliseconds. New sockets are placed again after four seconds, which would hide that a signal did not place them.
   */
  const beforeNewcomers = 3_000;

  it('reach an open device whose user joins a business', async () => {
    const leila = await app.person();
    const sam = await app.person();
    const hers = await app.socket(leila);
    const his = await app.socket(sam);
    const business = await makeBusiness(app.db, app.scopeOf(leila));
    await hers.received({ kind: 'record', record: 'business' });
    await vi.waitFor(async () => {
      await app.db.transaction().execute(async (tx) => emit(tx, [`business:${business.id}`], change));
      await hers.received(change, 200);
    }, beforeNewcomers);
    // A device opened later is included at once.
    const later = await app.socket(leila);
    await app.db
      .transaction()
      .execute(async (tx) => emit(tx, [`business:${business.id}`], { kind: 'notice' }));
    await later.received({ kind: 'notice' });
    expect(his.signals).toEqual([]);
  });

  it('keep signals of conversations from finance, who may not read them', async () => {
    const leila = await app.person();
    const fin = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(leila));
    await makeMember(app.db, app.clock, business.id, fin.accountId, 'finance');
    const [recruiter, finance] = [await app.socket(leila), await app.socket(fin)];
    const message = { kind: 'message', conversationId: business.id, rev: 1, seq: 1 } as const;
    await app.db.transaction().execute(async (tx) => {
      emit(tx, [`business:${business.id}`], message);
      emit(tx, [`business:${business.id}`], { kind: 'notice' });
    });
    await Promise.all([recruiter.received(message), finance.received({ kind: 'notice' })]);
    // Signals of the new membership may still arrive.
    expect(finance.signals).not.toContainEqual(message);
  });

  it('no longer reach former members', async () => {
    const leila = await app.person();
    const sam = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(leila));
    await makeMember(app.db, app.clock, business.id, sam.accountId);
    const his = await app.socket(sam);
    await app.pool.query('delete from business_members where account_id = $1', [sam.accountId]);
    await app.db
      .transaction()
      .execute(async (tx) =>
        emit(tx, [`account:${sam.accountId}`], { kind: 'record', record: 'business', id: business.id }),
      );
    await his.received({ kind: 'record', record: 'business' });
    await vi.waitFor(async () => {
      const before = his.signals.length;
      await app.db.transaction().execute(async (tx) => {
        emit(tx, [`business:${business.id}`], change);
        emit(tx, [`account:${sam.accountId}`], { kind: 'notice' });
      });
      await vi.waitFor(() => expect(his.signals.slice(before)).toContainEqual({ kind: 'notice' }), 2_000);
      expect(his.signals.slice(before)).toEqual([{ kind: 'notice' }]);
    }, beforeNewcomers);
  });
});

describe('the end of a session', () => {
  it('ends its sockets when the account is disabled, with the reason', async () => {
    const leila = await app.person();
    const socket = await app.socket(leila);
    await app.db.transaction().execute((tx) => disableAccount(tx, app, leila.accountId));
    expect(await socket.received({ kind: 'session-ended' })).toEqual({
      kind: 'session-ended',
      sessionId: leila.sessionId,
    });
    expect(await socket.ended()).toBe('io server disconnect');
  });

  it("leaves the account's other sessions alone", async () => {
    const leila = await app.person();
    const socket = await app.socket(leila);
    await app.db.transaction().execute(async (tx) =>
      emit(tx, [`account:${leila.accountId}`], {
        kind: 'session-ended',
        sessionId: crypto.randomUUID(),
      }),
    );
    await app.db
      .transaction()
      .execute(async (tx) => emit(tx, [`account:${leila.accountId}`], { kind: 'notice' }));
    await socket.received({ kind: 'notice' });
    await wait(300);
    expect([socket.signals.length, socket.ends]).toEqual([1, []]);
  });

  it('is detected when a session ends while its socket is opening', async () => {
    const leila = await app.person();
    const socket = await app.socket(leila);
    await app.pool.query('delete from sessions where id = $1', [leila.sessionId]);
    expect(await socket.ended(6_000)).toBe('io server disconnect');
  });
});

describe('presence', () => {
  const rowOf = async (accountId: string) =>
    (await app.pool.query('select * from presence where account_id = $1', [accountId])).rows[0];
  const conversationId = '01a1fbbc-d019-79f0-8086-994049deb375';
  const looks = async (accountId: string): Promise<boolean> => {
    const { rows } = await app.pool.query(
      'select from presence where account_id = $1 and looking = $2 and looking_until > $3',
      [accountId, conversationId, app.clock.now()],
    );
    return rows.length > 0;
  };

  it('returns who is online, the open conversation, and when they were last seen', async () => {
    const leila = await app.person();
    const phone = await app.socket(leila);
    const laptop = await app.socket(leila);
    await vi.waitFor(async () =>
      expect((await rowOf(leila.accountId))?.online_until.getTime()).toBeGreaterThan(
        app.clock.now().getTime() + 60_000,
      ),
    );
    phone.socket.emit('looking', conversationId);
    await vi.waitFor(async () => expect(await looks(leila.accountId)).toBe(true));
    laptop.close();
    await wait(500);
    expect(await looks(leila.accountId)).toBe(true);
    phone.socket.emit('looking', null);
    await vi.waitFor(async () => expect(await looks(leila.accountId)).toBe(false));
    phone.close();
    await vi.waitFor(async () =>
      expect((await rowOf(leila.accountId)).online_until.getTime()).toBe(app.clock.now().getTime() + 10_000),
    );
    expect((await rowOf(leila.accountId)).last_seen_at).toEqual(app.clock.now());
  });

  it('ignores invalid conversation ids', async () => {
    const leila = await app.person();
    const phone = await app.socket(leila);
    for (const nonsense of ['x', 12, { $ne: 1 }, "'; drop table presence; --", '\u0000'])
      phone.socket.emit('looking', nonsense as string);
    (phone.socket as unknown as { emit(event: string, value: unknown): void }).emit('shout', 'hello');
    phone.socket.emit('typing', crypto.randomUUID());
    await wait(500);
    expect((await rowOf(leila.accountId)).looking).toBeNull();
    expect(phone.ends).toEqual([]);
  });

  it('disconnects a flooding client', async () => {
    const leila = await app.person();
    const phone = await app.socket(leila);
    for (let n = 0; n < 100; n += 1) phone.socket.emit('looking', null);
    expect(await phone.ended()).toBe('transport close');
  });
});

describe('stopping a process', () => {
  it('closes its sockets so devices reconnect, and accepts no new ones', async () => {
    const other = await app.another();
    const leila = await app.person();
    const there = await other.socket(leila);
    await other.stop();
    expect(await there.ended()).toBe('transport close');
  });
});

describe('/metrics', () => {
  it('counts sockets and signals', async () => {
    const text = (await app.raw({ url: '/metrics' })).body;
    for (const name of ['realtime_sockets', 'realtime_bus_up 1', 'realtime_signals_sent_total'])
      expect(text).toContain(name);
  });
});
