import { peopleLimits } from '@nearhand/contract/people/limits';
import { describe, expect, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { createAuthenticator, signAccessToken } from './access-tokens.ts';

const app = useTestApp();

/** A separate authenticator that counts its database queries. */
function authenticator() {
  const { authenticate } = createAuthenticator(app.secret, app.db, app.clock, { running: 5, ended: 5 });
  const connect = vi.spyOn(app.pool, 'connect');
  return {
    ask: async (token: string) => {
      connect.mockClear();
      const outcome = await (async () => authenticate(`Bearer ${token}`))().catch(
        (error: { code: string }) => error.code,
      );
      return [outcome, connect.mock.calls.length];
    },
  };
}
const actor = expect.objectContaining({ emailVerified: true });

describe('the reader of access tokens', () => {
  it('queries a token every few seconds, even an ended one', async () => {
    const { ask } = authenticator();
    const { token, sessionId } = await app.person();
    expect(await ask(token)).toEqual([actor, 1]);
    expect(await ask(token)).toEqual([actor, 0]);
    await app.db.deleteFrom('sessions').where('id', '=', sessionId).execute();
    app.clock.forward({ seconds: 4 });
    expect(await ask(token)).toEqual(['session/expired', 1]);
    for (let round = 0; round < 5; round += 1) expect(await ask(token)).toEqual(['session/expired', 0]);
    app.clock.forward({ seconds: 4 });
    expect(await ask(token)).toEqual(['session/expired', 1]);
  });

  it('queries once for concurrent calls', async () => {
    const { ask } = authenticator();
    const { token } = await app.person();
    const connect = vi.spyOn(app.pool, 'connect');
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => ask(token)));
    expect(outcomes.map(([outcome]) => outcome)).toEqual(Array(8).fill(actor));
    expect(connect).toHaveBeenCalledTimes(1);
    app.clock.forward({ seconds: 6 });
    expect(await ask(token)).toEqual([actor, 1]);
  });

  it('accepts an account within 5 seconds of being enabled again', async () => {
    const { ask } = authenticator();
    const { token, accountId } = await app.person();
    const disable = (disabledAt: Date | null) =>
      app.db.updateTable('accounts').set({ disabledAt }).where('id', '=', accountId).execute();
    await disable(app.clock.now());
    expect(await ask(token)).toEqual(['session/expired', 1]);
    await disable(null);
    expect(await ask(token)).toEqual(['session/expired', 0]);
    app.clock.forward({ seconds: 5 });
    expect(await ask(token)).toEqual([actor, 1]);
  });

  it("doesn't query malformed, forged or expired tokens", async () => {
    const { ask } = authenticator();
    const { token, sessionId, accountId } = await app.person();
    const forged = await signAccessToken(`not ${app.secret}`, app.clock, { sessionId, accountId });
    for (const bad of ['short', 'x'.repeat(200), `${token}x`, forged])
      expect(await ask(bad)).toEqual(['session/expired', 0]);
    app.clock.forward({ minutes: 11 });
    expect(await ask(token)).toEqual(['session/expired', 0]);
  });

  it('accepts tokens of a process whose clock is a minute behind, but no more', async () => {
    const { ask } = authenticator();
    const { token } = await app.person();
    app.clock.forward({ minutes: peopleLimits.accessTokenMinutes, seconds: 59 });
    expect(await ask(token)).toEqual([actor, 1]);
    app.clock.forward({ seconds: 1 });
    expect(await ask(token)).toEqual(['session/expired', 0]);
  });

  it("doesn't query everyone during a flood of ended tokens", async () => {
    const { ask } = authenticator();
    const { token } = await app.person();
    expect(await ask(token)).toEqual([actor, 1]);
    for (let round = 0; round < 12; round += 1)
      await ask(
        await signAccessToken(app.secret, app.clock, {
          sessionId: crypto.randomUUID(),
          accountId: crypto.randomUUID(),
        }),
      );
    expect(await ask(token)).toEqual([actor, 0]);
  });
});
