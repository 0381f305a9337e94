import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { Db } from '../../platform/db.ts';
import { TestBrowser } from './browser.fixtures.ts';

export const mailboxProofs = ['verify', 'reset'] as const;

type HijackedApp = {
  db: Db;
  server: FastifyInstance;
  config: { PUBLIC_URL: string };
  mails: readonly { to: string; text: string }[];
  runDue(): Promise<unknown>;
};

/** Checks that a mailbox proof locks a stranger out. Uses real time, as the library does for links. */
export async function expectNothingLeft(
  app: HijackedApp,
  pressButton: () => Promise<{ page: TestBrowser }>,
  proof: (typeof mailboxProofs)[number],
): Promise<void> {
  const email = `owner-${crypto.randomUUID()}@example.test`;
  const { page: stranger } = await pressButton();
  const { user } = (await stranger.post('/access-token')).json();
  expect(user.emailVerified).toBe(false);
  const moved = await stranger.post('/correct-email', { email });
  expect(moved.statusCode, moved.body).toBe(200);

  const owner = new TestBrowser(app.server, app.config.PUBLIC_URL);
  if (proof === 'reset') await owner.post('/request-password-reset', { email });
  await app.runDue();
  const text = app.mails.findLast((mail) => mail.to === email && mail.text.includes(`?${proof}=`))?.text;
  const mailed = new URL(text?.match(/https?:\S+/)?.[0] ?? '').searchParams.get(proof) ?? '';
  const token =
    proof === 'reset' ? mailed : (await owner.post('/verify-email', { token: mailed })).json().resetToken;
  const set = await owner.post('/reset-password', { token, newPassword: 'battery staple' });
  expect(set.statusCode, set.body).toBe(200);
  expect(set.json()).toEqual({ email });

  expect((await stranger.post('/access-token')).statusCode).toBe(401);
  const { page: nextPage } = await pressButton();
  expect((await nextPage.post('/access-token')).json().user?.id).not.toBe(user.id);
  const signedIn = await owner.post('/sign-in/email', { email, password: 'battery staple' });
  expect(signedIn.json().user).toMatchObject({ id: user.id, emailVerified: true });
  const left = await app.db
    .selectFrom('credentials')
    .select('providerId')
    .where('accountId', '=', user.id)
    .execute();
  expect(left).toEqual([{ providerId: 'credential' }]);
}
