import { peopleLimits } from '@nearhand/contract/people/limits';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { keepPasskey } from '../passkeys/passkeys.fixtures.ts';
import { TestBrowser } from '../sign-in/browser.fixtures.ts';
import { confirmedNow, signedInEarlier } from '../sign-in/second-step.fixtures.ts';

const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000' });
const guest = () => app.apiAs(null);
const password = 'correct horse';
let count = 0;
const newEmail = () => `address${++count}@example.test`;

/** The token in the newest mail to an address. */
async function linkTo(email: string, action: 'confirm' | 'undo') {
  await app.runDue();
  const mail = app.mails.filter(({ to, text }) => to === email && text.includes(`?${action}=`)).at(-1);
  const link = mail?.text.match(/https?:\S+/)?.[0];
  return link ? (new URL(link).searchParams.get(action) ?? '') : '';
}
/** Follows the link to an address, as a guest or in a browser that is signed in. */
const confirm = async (email: string, api = guest()) =>
  api.emailChange.confirm({ token: await linkTo(email, 'confirm') });
const emailOf = async (person: Person) => (await person.api.accounts.me()).email;

/** Changes an address, with both addresses confirming. */
async function change(person: Person, to = newEmail()) {
  const from = await emailOf(person);
  await person.api.emailChange.start({ newEmail: to });
  await confirm(from);
  await confirm(to, person.api);
  expect(await emailOf(person)).toBe(to);
  return { from, to };
}

describe('emailChange.start', () => {
  it('mails both addresses and changes nothing yet', async () => {
    const person = await app.person();
    const to = newEmail();
    expect(await person.api.emailChange.start({ newEmail: to.toUpperCase() })).toMatchObject({
      newEmail: to,
      oldConfirmed: false,
      newConfirmed: false,
    });
    await app.runDue();
    expect(
      app.mails
        .slice(-2)
        .map((mail) => mail.to)
        .sort(),
    ).toEqual([to, person.email].sort());
    expect(await emailOf(person)).toBe(person.email);
  });

  it('reauthenticates a few minutes after sign-in', async () => {
    const person = await app.person();
    await signedInEarlier(app, person);
    const request = { newEmail: newEmail() };
    expect(await failure(person.api.emailChange.start(request))).toMatchObject({
      status: 403,
      code: 'session/password-required',
    });
    await confirmedNow(app, person);
    expect(await person.api.emailChange.start(request)).toMatchObject(request);
  });

  it('rejects the same address, a taken one like sign-up, guests, unverified callers and nonsense', async () => {
    const person = await app.person();
    const stranger = await app.person();
    const refused = (newAddress: string, api = person.api) =>
      failure(api.emailChange.start({ newEmail: newAddress }));
    expect(await refused(person.email.toUpperCase())).toMatchObject({
      status: 422,
      code: 'email-change/same-address',
    });
    expect(await refused(stranger.email)).toMatchObject({ status: 409, code: 'email-change/taken' });
    expect(await refused(newEmail(), guest())).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await refused(newEmail(), unverified.api)).toMatchObject({ status: 403 });
    for (const odd of ['', 'nobody', 'a\u0000@b.co', `${'x'.repeat(260)}@b.co`, 'a@b.co\r\nbcc: x@y.co'])
      expect(await refused(odd)).toMatchObject({ status: 400, code: 'request/invalid' });
    await app.runDue();
    expect(app.mails.filter(({ to }) => to === stranger.email)).toEqual([]);
  });

  it('limits changes per day', async () => {
    const { api } = await app.person();
    for (let count = 0; count < peopleLimits.emailChangesPerDay; count += 1)
      await api.emailChange.start({ newEmail: newEmail() });
    expect(await failure(api.emailChange.start({ newEmail: newEmail() }))).toMatchObject({
      status: 429,
      code: 'email-change/too-many',
      data: { limit: peopleLimits.emailChangesPerDay },
    });
    app.clock.forward({ days: 1, minutes: 1 });
    await api.emailChange.start({ newEmail: newEmail() });
  });

  it('keeps one of two concurrent changes and invalidates the other one’s links', async () => {
    const person = await app.person();
    const a = newEmail();
    const b = newEmail();
    await Promise.all([a, b].map((to) => person.api.emailChange.start({ newEmail: to })));
    const open = await person.api.emailChange.current();
    const dead = open?.newEmail === a ? b : a;
    expect(await failure(confirm(dead))).toMatchObject({ status: 404, code: 'email-change/not-found' });
    expect(await confirm(open?.newEmail ?? '', person.api)).toMatchObject({
      status: 'waiting',
      waitingFor: 'old',
    });
  });
});

describe('emailChange.current', () => {
  it('returns the caller’s open change until it expires', async () => {
    const person = await app.person();
    expect(await person.api.emailChange.current()).toBeNull();
    const to = newEmail();
    await person.api.emailChange.start({ newEmail: to });
    await confirm(to, person.api);
    expect(await person.api.emailChange.current()).toMatchObject({ newEmail: to, newConfirmed: true });
    expect(await (await app.person()).api.emailChange.current()).toBeNull();
    app.clock.forward({ hours: peopleLimits.emailChangeHours });
    expect(await person.api.emailChange.current()).toBeNull();
    expect((await failure(guest().emailChange.current())).status).toBe(401);
  });
});

describe('emailChange.cancel', () => {
  it('ends the open change and its links; a repeat is a no-op', async () => {
    const person = await app.person();
    const to = newEmail();
    await person.api.emailChange.start({ newEmail: to });
    expect(await person.api.emailChange.cancel()).toBeNull();
    expect(await person.api.emailChange.cancel()).toBeNull();
    expect(await failure(confirm(to))).toMatchObject({ code: 'email-change/not-found' });
    expect((await failure(guest().emailChange.cancel())).status).toBe(401);
  });
});

describe('emailChange.confirm', () => {
  it('changes the email when both addresses have confirmed, in any order, even on repeats', async () => {
    for (const newFirst of [true, false]) {
      const person = await app.person();
      const to = newEmail();
      await person.api.emailChange.start({ newEmail: to });
      const order = newFirst ? [to, person.email] : [person.email, to];
      const [first = '', second = ''] = order;
      const waiting = { status: 'waiting', waitingFor: newFirst ? 'old' : 'new', newEmail: to };
      expect(await confirm(first, person.api)).toEqual(waiting);
      expect(await confirm(first, person.api)).toEqual(waiting);
      expect(await emailOf(person)).toBe(person.email);
      expect(await confirm(second, person.api)).toEqual({ status: 'done', waitingFor: null, newEmail: to });
      expect(await confirm(second, person.api)).toMatchObject({ status: 'done' });
      expect(await emailOf(person)).toBe(to);
      expect((await person.api.sessions.history({})).items.map(({ kind }) => kind)).toEqual([
        'email-changed',
      ]);
    }
  });

  it('confirms the new address only in a session of the account', async () => {
    const person = await app.person();
    const victim = await app.person();
    const to = newEmail();
    await person.api.emailChange.start({ newEmail: to });
    await confirm(person.email);
    for (const api of [guest(), victim.api])
      expect(await failure(confirm(to, api))).toMatchObject({
        status: 403,
        code: 'email-change/sign-in-first',
      });
    expect(await emailOf(person)).toBe(person.email);
    expect(await confirm(to, person.api)).toMatchObject({ status: 'done' });
  });

  it('changes it once when both confirm concurrently', async () => {
    const person = await app.person();
    const to = newEmail();
    await person.api.emailChange.start({ newEmail: to });
    const tokens = [await linkTo(person.email, 'confirm'), await linkTo(to, 'confirm')];
    const steps = await Promise.all(tokens.map((token) => person.api.emailChange.confirm({ token })));
    expect(steps.map(({ status }) => status).sort()).toEqual(['done', 'waiting']);
    expect(await emailOf(person)).toBe(to);
    await app.runDue();
    expect(
      app.mails.filter((mail) => mail.to === person.email && mail.subject.includes('was changed')),
    ).toHaveLength(1);
  });

  it('rejects an address taken in the meantime and keeps the old one', async () => {
    const person = await app.person();
    const to = newEmail();
    await person.api.emailChange.start({ newEmail: to });
    await confirm(person.email);
    const token = await linkTo(to, 'confirm');
    await app.person({ email: to });
    expect(await failure(person.api.emailChange.confirm({ token }))).toMatchObject({
      status: 409,
      code: 'email-change/taken',
    });
    expect(await emailOf(person)).toBe(person.email);
  });

  it('lets one of two accounts have the address', async () => {
    const people = [await app.person(), await app.person()];
    const to = newEmail();
    const steps: (() => Promise<unknown>)[] = [];
    for (const person of people) {
      await person.api.emailChange.start({ newEmail: to });
      await confirm(person.email);
      const token = await linkTo(to, 'confirm');
      steps.push(() => person.api.emailChange.confirm({ token }));
    }
    const answers = await Promise.allSettled(steps.map((step) => step()));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const owners = await Promise.all(people.map(emailOf));
    expect(owners.filter((email) => email === to)).toHaveLength(1);
  });

  it('rejects unknown, expired and malformed tokens', async () => {
    const person = await app.person();
    const to = newEmail();
    await person.api.emailChange.start({ newEmail: to });
    const token = await linkTo(to, 'confirm');
    app.clock.forward({ hours: peopleLimits.emailChangeHours });
    expect(await failure(person.api.emailChange.confirm({ token }))).toMatchObject({
      status: 409,
      code: 'email-change/expired',
    });
    expect(await failure(guest().emailChange.confirm({ token: 'x' }))).toMatchObject({ status: 404 });
    for (const odd of ['', 'x'.repeat(101)])
      expect((await failure(guest().emailChange.confirm({ token: odd }))).status).toBe(400);
  });
});

describe('emailChange.undo', () => {
  const undo = (token: string) => guest().emailChange.undo({ token });

  it('restores the address, ends every session and requires a new password', async () => {
    // The sign-in library compares the end of a reset link with real time.
    app.clock.set(new Date());
    const email = newEmail();
    const id = await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password });
    const page = new TestBrowser(app.server, app.config.PUBLIC_URL);
    const { token } = (await page.post('/sign-in/email', { email, password })).json();
    const person = { ...(await app.person()), api: app.apiAs(token) };
    const passkeyId = await keepPasskey(app.db, app, id);
    app.clock.forward({ minutes: 1 });
    await page.post('/verify-password', { email, password });
    const { to } = await change(person);
    await keepPasskey(app.db, app, id);
    const undone = await undo(await linkTo(email, 'undo'));
    // A passkey from before the change stays. A later one may be someone else's.
    const left = await app.db.selectFrom('passkeys').select('id').where('accountId', '=', id).execute();
    expect(left).toEqual([{ id: passkeyId }]);
    expect(undone).toEqual({ email, resetToken: expect.any(String) });
    app.clock.forward({ seconds: peopleLimits.sessionRecheckMs / 1_000 + 1 });
    expect((await failure(person.api.accounts.me())).status).toBe(401);
    const tryPassword = (address: string, typed: string) =>
      new TestBrowser(app.server, app.config.PUBLIC_URL).post('/sign-in/email', {
        email: address,
        password: typed,
      });
    for (const address of [email, to]) expect((await tryPassword(address, password)).statusCode).toBe(401);
    const reset = await page.post('/reset-password', {
      token: undone.resetToken,
      newPassword: 'another horse',
    });
    expect(reset.statusCode, reset.body).toBe(200);
    expect((await tryPassword(email, 'another horse')).statusCode).toBe(200);
    await app.runDue();
    expect(app.mails.some((mail) => mail.to === to && mail.subject.includes('undone'))).toBe(true);
  });

  it('works after a second change and invalidates the second one’s link', async () => {
    const person = await app.person();
    const first = await change(person);
    const second = await change(person);
    const early = await linkTo(first.from, 'undo');
    const late = await linkTo(second.from, 'undo');
    expect((await undo(early)).email).toBe(person.email);
    expect(await failure(undo(late))).toMatchObject({ status: 404, code: 'email-change/not-found' });
    expect(await failure(undo(early))).toMatchObject({ status: 404, code: 'email-change/not-found' });
    const row = await app.db
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', person.accountId)
      .executeTakeFirst();
    expect(row?.email).toBe(person.email);
  });

  it('cancels a change that is still open', async () => {
    const person = await app.person();
    const { from } = await change(person);
    const to = newEmail();
    await person.api.emailChange.start({ newEmail: to });
    await undo(await linkTo(from, 'undo'));
    expect(await failure(confirm(to))).toMatchObject({ code: 'email-change/not-found' });
  });

  it('removes provider accounts linked since, and keeps earlier ones', async () => {
    const person = await app.person();
    const link = (subject: string) =>
      app.db
        .insertInto('credentials')
        .values({
          id: crypto.randomUUID(),
          accountId: person.accountId,
          providerId: 'google',
          subject,
          createdAt: app.clock.now(),
          updatedAt: app.clock.now(),
        })
        .execute();
    await link(`mine ${person.accountId}`);
    app.clock.forward({ minutes: 1 });
    const { from } = await change(person);
    app.clock.forward({ minutes: 1 });
    await link(`theirs ${person.accountId}`);
    await undo(await linkTo(from, 'undo'));
    const left = await app.db
      .selectFrom('credentials')
      .select('subject')
      .where('accountId', '=', person.accountId)
      .execute();
    expect(left.map(({ subject }) => subject)).toEqual([`mine ${person.accountId}`]);
  });

  it('works for 7 days, during which nobody else can take the old address', async () => {
    const person = await app.person();
    const { from } = await change(person);
    const token = await linkTo(from, 'undo');
    const signUp = () =>
      new TestBrowser(app.server, app.config.PUBLIC_URL).post('/sign-up/email', { email: from, password });
    const account = await signUp();
    expect([account.statusCode, account.json().code]).toEqual([409, 'auth/email-already-in-use']);
    const other = await app.person();
    expect(await failure(other.api.emailChange.start({ newEmail: from }))).toMatchObject({
      code: 'email-change/taken',
    });
    app.clock.forward({ days: peopleLimits.emailUndoDays });
    expect(await failure(undo(token))).toMatchObject({ status: 409, code: 'email-change/expired' });
    expect((await signUp()).statusCode).toBe(200);
    expect(await failure(undo('x'))).toMatchObject({ status: 404 });
    expect((await failure(undo(''))).status).toBe(400);
  });

  it('runs once for two concurrent clicks', async () => {
    const person = await app.person();
    const { from } = await change(person);
    const token = await linkTo(from, 'undo');
    const answers = await Promise.allSettled([undo(token), undo(token)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
