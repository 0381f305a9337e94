import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { TestBrowser } from '../../people/sign-in/browser.fixtures.ts';
import { notify } from './notifications.ts';

const app = useTestApp();

const mailTo = async (address: string) => {
  await app.runDue();
  return app.mails.filter(({ to }) => to === address).at(-1);
};

describe('the language of a mail', () => {
  it.each([
    ['nl-BE,en;q=0.5', 'nl', 'Bevestig je e-mailadres'],
    ['pl,en;q=0.5', 'en', 'Verify your email address'],
    [undefined, 'en', 'Verify your email address'],
  ])("is the browser's at sign-up: %s", async (accepted, language, subject) => {
    const email = `${crypto.randomUUID()}@example.test`;
    const browser = new TestBrowser(app.server, app.config.PUBLIC_URL);
    const header = { 'accept-language': accepted };
    await browser.post('/sign-up/email', { email, password: 'a quiet harbour 7' }, header);
    const answer = await browser.post('/send-verification-email', {}, header);
    expect(answer.statusCode).toBe(200);
    const mail = await mailTo(email);
    expect(mail?.subject).toBe(subject);
    expect(mail?.html).toContain(`<html lang="${language}" dir="ltr">`);
  });

  it('is that of the sign-up page, not of a later browser', async () => {
    const account = { email: `${crypto.randomUUID()}@example.test`, password: 'a quiet harbour 7' };
    const browser = new TestBrowser(app.server, app.config.PUBLIC_URL);
    const language = async (token: string) => (await app.apiAs(token).accountSettings.get()).language;
    const begun = await browser.post('/sign-up/email', account, { 'accept-language': 'nl-BE,en;q=0.5' });
    expect(await language(begun.json().token)).toBe('nl');
    const other = new TestBrowser(app.server, app.config.PUBLIC_URL);
    const later = await other.post('/sign-in/email', account, { 'accept-language': 'de' });
    expect(await language(later.json().token)).toBe('nl');
  });

  it("is the account's choice, also for notices: right to left, with names unchanged", async () => {
    const leila = await app.person();
    await leila.api.accountSettings.update({ language: 'ar' });
    await app.db.transaction().execute((tx) =>
      notify(tx, app, {
        accountId: leila.accountId,
        topic: 'application-viewed',
        data: { jobTitle: 'Barista', businessName: 'Café Noord' },
        path: '/tabs/menu/my-work/1',
        dedupeKey: crypto.randomUUID(),
      }),
    );
    const mail = await mailTo(leila.email);
    expect(mail?.html).toContain('<html lang="ar" dir="rtl">');
    expect(mail?.subject).toMatch(/Café Noord/);
    expect(mail?.subject).toMatch(/\p{Script=Arabic}{3}/u);
    expect(mail?.text).not.toMatch(/receiving|Unsubscribe/);
  });
});
