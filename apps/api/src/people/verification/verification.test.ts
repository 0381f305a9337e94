import { refusedPhoneRanges } from '@nearhand/contract/people/contact.rules';
import { phoneCodeLimits } from '@nearhand/contract/people/verification.rules';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import { makeBusiness } from '../businesses/businesses.fixtures.ts';
import { confirmedNow, signedInEarlier } from '../sign-in/second-step.fixtures.ts';
import { purgeCodes } from './verification.ts';

const app = useTestApp();
let count = 0;
const newPhone = () => `+3161${String(++count).padStart(7, '0')}`;

/** Texts to a number, oldest first. */
async function textsTo(phone: string): Promise<string[]> {
  await app.runDue();
  const { rows } = await sql<{ text: string }>`
    select text from mailbox_messages where recipient = ${phone} order by id`.execute(app.db);
  return rows.map(({ text }) => text);
}

async function codeTo(phone: string): Promise<string> {
  const [code] = /^\d{6}/.exec((await textsTo(phone)).at(-1) ?? '') ?? [];
  if (!code) throw new Error('no code was texted');
  return code;
}

const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

async function check(person: Person, phone = newPhone()): Promise<string> {
  await person.api.verification.sendPhoneCode({ phone });
  await person.api.verification.confirmPhone({ code: await codeTo(phone) });
  return phone;
}

// All calls come from one network, which has its own limit.
beforeEach(() => app.clock.forward({ days: 1, minutes: 1 }));

describe('verification.overview', () => {
  it('is readable before the email is verified, and empty at first', async () => {
    const person = await app.person({ verified: false });
    expect(await person.api.verification.overview()).toEqual({
      accountId: person.accountId,
      email: { address: person.email, checked: false },
      phone: { available: true, status: 'none', number: null, checkedAt: null, code: null },
      payout: { status: 'none', reason: null, decidedAt: null },
    });
    expect(await failure(app.apiAs(null).verification.overview())).toMatchObject({ status: 401 });
  });

  it('shows a number in the profile as unchecked, and that another one was checked before', async () => {
    const { api, ...person } = await app.person();
    await api.profiles.save({ phone: newPhone() });
    expect((await api.verification.overview()).phone).toMatchObject({ status: 'unchecked', checkedAt: null });
    const phone = await check({ api, ...person });
    expect((await api.verification.overview()).phone).toMatchObject({
      status: 'checked',
      number: phone,
      code: null,
      checkedAt: app.clock.now().toISOString(),
    });
    await api.profiles.save({ phone: newPhone() });
    expect((await api.verification.overview()).phone).toMatchObject({ status: 'changed', checkedAt: null });
    await api.profiles.save({ phone });
    expect((await api.verification.overview()).phone).toMatchObject({ status: 'checked' });
  });

  it('returns the result of the payout identity', async () => {
    const { api, accountId } = await app.person();
    await sql`insert into payout_identities (account_id, status, reason, legal_name, country_code, asked_at, decided_at)
      values (${accountId}, 'refused', 'underage', 'Leila', 'NL', now(), ${app.clock.now()})`.execute(app.db);
    expect((await api.verification.overview()).payout).toEqual({
      status: 'refused',
      reason: 'underage',
      decidedAt: app.clock.now().toISOString(),
    });
  });
});

describe('verification.sendPhoneCode', () => {
  it('texts a code without storing it', async () => {
    const { api } = await app.person();
    const phone = newPhone();
    const { phone: asked } = await api.verification.sendPhoneCode({
      phone: `${phone.slice(0, 3)} ${phone.slice(3)}`,
    });
    expect(asked).toMatchObject({
      status: 'none',
      code: { phone, triesLeft: phoneCodeLimits.tries, undelivered: false },
    });
    const [text = '', ...more] = await textsTo(phone);
    expect(more).toEqual([]);
    const code = await codeTo(phone);
    // Phones fill in the code from the last line (WebOTP).
    expect(text).toBe(
      `${code} is your Nearhand code. It works for 10 minutes. Don't share it.\n\n@localhost #${code}`,
    );
    const { rows } = await sql<{ row: string }>`select phone_codes::text as row from phone_codes
      where phone = ${phone}`.execute(app.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(code);
  });

  it("uses the account's language", async () => {
    const texted = async (language: 'nl' | 'ar') => {
      const { api } = await app.person();
      const phone = newPhone();
      await api.accountSettings.update({ language });
      await api.verification.sendPhoneCode({ phone });
      const code = await codeTo(phone);
      expect(await textsTo(phone)).toEqual([expect.stringMatching(new RegExp(`\n\n@localhost #${code}$`))]);
      await api.verification.confirmPhone({ code });
      return (await textsTo(phone)).join().replace(/\n.*/s, '').replace(code, '…');
    };
    expect(await texted('nl')).toBe('… is je Nearhand-code. Hij werkt 10 minuten. Deel hem met niemand.');
    expect(await texted('ar')).toBe('… هو رمز Nearhand الخاص بك. يعمل لمدة 10 دقائق. لا تشاركه مع أحد.');
  });

  it('rejects guests, unverified emails and invalid numbers', async () => {
    const { api } = await app.person();
    const unverified = await app.person({ verified: false });
    expect(await failure(app.apiAs(null).verification.sendPhoneCode({ phone: newPhone() }))).toMatchObject({
      status: 401,
    });
    expect(await failure(unverified.api.verification.sendPhoneCode({ phone: newPhone() }))).toMatchObject({
      code: 'session/email-not-verified',
    });
    for (const phone of [
      '',
      '0612345678',
      '+0612345678',
      '+31 6 CALL ME',
      `+31${'6'.repeat(20)}`,
      '+31\u000061234567',
    ])
      expect(await failure(api.verification.sendPhoneCode({ phone }))).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
  });

  it('sends again after a minute and invalidates the earlier code', async () => {
    const { api } = await app.person();
    const phone = newPhone();
    await api.verification.sendPhoneCode({ phone });
    const first = await codeTo(phone);
    expect(await failure(api.verification.sendPhoneCode({ phone }))).toMatchObject({
      status: 429,
      code: 'phone-check/too-soon',
      data: { retryAfterSeconds: 60 },
    });
    app.clock.forward({ minutes: 1 });
    await api.verification.sendPhoneCode({ phone });
    const second = await codeTo(phone);
    expect(second).not.toBe(first);
    expect(await failure(api.verification.confirmPhone({ code: first }))).toMatchObject({
      code: 'phone-check/wrong-code',
    });
    expect((await api.verification.confirmPhone({ code: second })).phone.status).toBe('checked');
  });

  it("stops at the platform's daily limit, across all networks, and returns when it resets", async () => {
    app.clock.forward({ days: 2 });
    const [{ api }, { accountId }] = [await app.person(), await app.person()];
    await app.db
      .insertInto('phone_codes')
      .values(
        Array.from({ length: app.config.TEXTS_PER_DAY }, (_, count) => ({
          id: newId(app.clock.now()),
          accountId,
          phone: `+3197${String(count).padStart(7, '0')}`,
          networks: [`other-${count}`],
          status: 'replaced',
          createdAt: app.clock.now(),
          expiresAt: app.clock.now(),
        })),
      )
      .execute();
    const response = await failure(api.verification.sendPhoneCode({ phone: newPhone() }));
    expect(response).toMatchObject({
      status: 503,
      code: 'phone-check/unavailable',
      data: { retryAfterSeconds: 86_400 },
    });
    expect((await app.raw({ method: 'GET', url: '/metrics' })).body).toMatch(/texts_day_cap 1000/);
    app.clock.forward({ days: 1 });
    await api.verification.sendPhoneCode({ phone: newPhone() });
  });

  it('limits codes per account, number and network in 24 hours', async () => {
    const person = await app.person();
    const phone = newPhone();
    for (let sent = 0; sent < phoneCodeLimits.perAccount; sent += 1) {
      await person.api.verification.sendPhoneCode({ phone });
      app.clock.forward({ minutes: 1 });
    }
    const tooMany = { status: 429, code: 'phone-check/too-many' };
    expect(await failure(person.api.verification.sendPhoneCode({ phone: newPhone() }))).toMatchObject(
      tooMany,
    );
    const two = await app.person();
    expect(await failure(two.api.verification.sendPhoneCode({ phone }))).toMatchObject(tooMany);
    for (let sent = phoneCodeLimits.perAccount; sent < phoneCodeLimits.perNetwork; sent += 1)
      await (await app.person()).api.verification.sendPhoneCode({ phone: newPhone() });
    expect(await failure(two.api.verification.sendPhoneCode({ phone: newPhone() }))).toMatchObject(tooMany);
    app.clock.forward({ days: 1 });
    await two.api.verification.sendPhoneCode({ phone });
  });

  it('limits by the wider networks that a provider gives one customer', async () => {
    const sendFrom = async (count: number) => {
      const { token } = await app.person();
      return app.raw({
        method: 'POST',
        url: '/api/me/phone-codes',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() },
        payload: { phone: newPhone() },
        remoteAddress: `2001:db8:3:${(0x100 + count).toString(16)}::1`,
      });
    };
    const max = phoneCodeLimits.perNetwork * 2;
    for (let count = 0; count < max; count += 1) expect((await sendFrom(count)).statusCode).toBe(200);
    expect((await sendFrom(max)).json()).toMatchObject({ code: 'phone-check/too-many' });
  });

  it.each(refusedPhoneRanges)("rejects numbers of +%s, which aren't personal phones", async (range) => {
    const { api } = await app.person();
    const phone = `+${range}5550123`;
    const refused = { code: 'request/invalid' };
    expect(await failure(api.verification.sendPhoneCode({ phone }))).toMatchObject(refused);
    expect(await failure(api.profiles.save({ phone }))).toMatchObject(refused);
  });

  it('keeps one of many concurrent requests', async () => {
    const { api } = await app.person();
    const phone = newPhone();
    const calls = await Promise.allSettled(
      Array.from({ length: 6 }, () => api.verification.sendPhoneCode({ phone })),
    );
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await textsTo(phone)).toHaveLength(1);
  });
});

describe('verification.confirmPhone', () => {
  it('checks the number, adds it to the profile and shows it to businesses', async () => {
    const worker = await app.person();
    const owner = await app.person();
    const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner));
    const { id: jobId } = await makeJob(app.db, app.scopeOf(owner), businessId);
    await makeApplication(app.db, app.scopeOf(worker), jobId);
    const badges = async () => [
      (await owner.api.profiles.worker({ workerId: worker.accountId })).checks,
      (await owner.api.applicants.ofJob({ jobId })).items[0]?.worker.checks,
    ];
    expect(await badges()).toMatchObject([{ phone: false }, { phone: false }]);
    const phone = await check(worker);
    expect((await worker.api.profiles.mine()).phone).toBe(phone);
    expect(await badges()).toMatchObject([{ phone: true }, { phone: true }]);
    await worker.api.profiles.save({ phone: newPhone() });
    expect(await badges()).toMatchObject([{ phone: false }, { phone: false }]);
  });

  it('allows five attempts, then requires a new code', async () => {
    const { api } = await app.person();
    const phone = newPhone();
    await api.verification.sendPhoneCode({ phone });
    const code = await codeTo(phone);
    for (let left = phoneCodeLimits.tries - 1; left >= 0; left -= 1)
      expect(await failure(api.verification.confirmPhone({ code: wrong(code) }))).toMatchObject({
        status: 422,
        code: 'phone-check/wrong-code',
        data: { left },
      });
    expect((await api.verification.overview()).phone.code).toMatchObject({ triesLeft: 0 });
    expect(await failure(api.verification.confirmPhone({ code }))).toMatchObject({
      status: 409,
      code: 'phone-check/no-code',
    });
  });

  it('counts concurrent attempts one by one', async () => {
    const { api } = await app.person();
    const phone = newPhone();
    await api.verification.sendPhoneCode({ phone });
    const code = await codeTo(phone);
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => failure(api.verification.confirmPhone({ code: wrong(code) }))),
    );
    expect(tries.filter((error) => error.code === 'phone-check/wrong-code')).toHaveLength(
      phoneCodeLimits.tries,
    );
  });

  it('ends after ten minutes', async () => {
    const { api } = await app.person();
    const phone = newPhone();
    await api.verification.sendPhoneCode({ phone });
    const code = await codeTo(phone);
    app.clock.forward({ minutes: phoneCodeLimits.minutes });
    expect(await failure(api.verification.confirmPhone({ code }))).toMatchObject({
      code: 'phone-check/no-code',
    });
    expect((await api.verification.overview()).phone.code).toBeNull();
  });

  it('replaces another number only after a recent proof, with the same code', async () => {
    const person = await app.person();
    const old = newPhone();
    const phone = newPhone();
    await person.api.profiles.save({ phone: old });
    await signedInEarlier(app, person);
    await person.api.verification.sendPhoneCode({ phone });
    const code = await codeTo(phone);
    expect(await failure(person.api.verification.confirmPhone({ code }))).toMatchObject({
      code: 'session/password-required',
    });
    expect((await person.api.verification.overview()).phone).toMatchObject({ number: old });
    await confirmedNow(app, person);
    expect((await person.api.verification.confirmPhone({ code })).phone).toMatchObject({
      number: phone,
      status: 'checked',
    });
  });

  it("is a no-op when repeated, and doesn't check another number with a used code", async () => {
    const { api } = await app.person();
    const phone = newPhone();
    await api.verification.sendPhoneCode({ phone });
    const code = await codeTo(phone);
    await api.verification.confirmPhone({ code });
    expect((await api.verification.confirmPhone({ code })).phone).toMatchObject({ status: 'checked' });
    await api.profiles.save({ phone: newPhone() });
    expect((await api.verification.confirmPhone({ code })).phone).toMatchObject({ status: 'changed' });
    expect(await failure(api.verification.confirmPhone({ code: wrong(code) }))).toMatchObject({
      code: 'phone-check/no-code',
    });
  });

  it('rejects a number of another account until it is removed there', async () => {
    const first = await app.person();
    const second = await app.person();
    const phone = await check(first);
    await second.api.verification.sendPhoneCode({ phone });
    const code = await codeTo(phone);
    expect(await failure(second.api.verification.confirmPhone({ code }))).toMatchObject({
      status: 409,
      code: 'phone-check/taken',
    });
    expect((await second.api.profiles.mine()).phone).toBeNull();
    await first.api.profiles.save({ phone: null });
    expect((await second.api.verification.confirmPhone({ code })).phone.status).toBe('checked');
    await first.api.profiles.save({ phone });
    expect((await first.api.verification.overview()).phone.status).toBe('unchecked');
  });

  it('accepts one of two accounts that confirm a number concurrently', async () => {
    const people = [await app.person(), await app.person()];
    const phone = newPhone();
    const codes: string[] = [];
    for (const { api } of people) {
      await api.verification.sendPhoneCode({ phone });
      codes.push(await codeTo(phone));
      app.clock.forward({ seconds: 1 });
    }
    const calls = await Promise.allSettled(
      people.map(({ api }, at) => api.verification.confirmPhone({ code: codes[at] ?? '' })),
    );
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('rejects guests and invalid codes', async () => {
    const { api } = await app.person();
    expect(await failure(app.apiAs(null).verification.confirmPhone({ code: '123456' }))).toMatchObject({
      status: 401,
    });
    for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６', '123456; drop'])
      expect(await failure(api.verification.confirmPhone({ code }))).toMatchObject({ status: 400 });
    expect(await failure(api.verification.confirmPhone({ code: ' 123 456 ' }))).toMatchObject({
      code: 'phone-check/no-code',
    });
  });
});

describe('codes that no limit counts any more', () => {
  it('are deleted', async () => {
    const { api, accountId } = await app.person();
    await api.verification.sendPhoneCode({ phone: newPhone() });
    const left = () =>
      app.db.selectFrom('phone_codes').select('id').where('accountId', '=', accountId).execute();
    expect(await left()).toHaveLength(1);
    app.clock.forward({ days: 3 });
    await purgeCodes({ db: app.db, clock: app.clock });
    expect(await left()).toEqual([]);
  });
});
