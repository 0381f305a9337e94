import type { Language } from '@nearhand/contract/languages';
import type { Locator, Page } from '@playwright/test';
import { withoutMotion } from './axe.ts';
import { overflowing, textsOn } from './fit.ts';
import { businessOf, clockOf, doorPosition, shiftOf, signedInPerson } from './hiring.ts';
import { type Words, wordsIn } from './languages/catalogue.ts';
import { locales } from './languages/setting.ts';
import { bankThatReturns } from './money.ts';
import { expect, type Parts, test } from './moved-time.ts';
import { mailedLink, newEmail, password } from './people.ts';
import { phone } from './sizes.ts';

const minuteMs = 60_000;
const later = (instant: Date, minutes: number) => new Date(instant.getTime() + minutes * minuteMs);

function inWords(page: Page, { say, begin }: Words) {
  const on = (scope: Locator | Page) => ({
    field: (name: string) => scope.getByLabel(begin(name)).filter({ visible: true }).first(),
    button: (name: string) =>
      scope
        .getByRole('button', { name: say(name) })
        .filter({ visible: true })
        .first(),
    link: (name: string) =>
      scope
        .getByRole('link', { name: say(name) })
        .filter({ visible: true })
        .first(),
    text: (name: string) => scope.getByText(say(name)).filter({ visible: true }).first(),
  });
  return { page, ...on(page), sheet: (name: string) => on(page.getByRole('dialog', { name: say(name) })) };
}

/** Names and user content: the only words in Latin letters on an Arabic screen. */
const namesAndNotes =
  /You run the bar .* on a morning\.|Nadia( Rahmani)?|Leila( Haddad)?|Kopi & Krumb|Qahwa|Jordaan|Westerstraat|Amsterdam|nearhand|Google|Apple|Harbour ID|Visa|Sandbox Bank NL|IBAN|NL\d\d NRHD|EUR|CSV|PDF|DOCX/gi;
const inLatin = (texts: readonly string[]) =>
  texts.filter((text) => /[a-z]{3}/i.test(text.replaceAll(namesAndNotes, '')));

/** Checks the current screen: its language and direction, no English, and no overflow. */
async function requireTranslated(page: Page, words: Words): Promise<void> {
  const path = new URL(page.url()).pathname;
  await expect(page.locator('html')).toHaveAttribute('lang', words.language);
  await expect(page.locator('html')).toHaveAttribute('dir', words.direction);
  let texts: string[] = [];
  await expect(async () => {
    await expect(page.locator('.loading, .sk').filter({ visible: true })).toHaveCount(0, { timeout: 5_000 });
    const before = texts;
    texts = await textsOn(page);
    expect(texts, `${path} is still changing`).toEqual(before);
    expect(texts.length, `texts on ${path}`).toBeGreaterThan(5);
  }).toPass({ timeout: 30_000, intervals: [100] });
  expect.soft(words.english(texts), `English on ${path}`).toEqual([]);
  if (words.direction === 'rtl') expect.soft(inLatin(texts), `in Latin letters on ${path}`).toEqual([]);
  expect.soft(await overflowing(page), `off the side of ${path}`).toEqual([]);
}

async function signedUpWorker({ browser, baseURL, time }: Parts, words: Words, locale: string) {
  const context = await browser.newContext({
    ...phone,
    ...withoutMotion.contextOptions,
    locale,
    permissions: ['geolocation'],
    geolocation: doorPosition,
    ...(baseURL ? { baseURL } : {}),
  });
  await time.follow(context);
  const page = await context.newPage();
  const on = inWords(page, words);
  const email = newEmail('leila');
  await page.goto('/register');
  await on.field('Email').fill(email);
  await on.field('Password').fill(password);
  await requireTranslated(page, words);
  await on.button('Create account').click();
  await expect(page).toHaveURL(/\/complete-signup/);
  await page.getByRole('button', { name: words.begin('Find work') }).click();
  await requireTranslated(page, words);
  await page.goto('/fill-profile');
  await on.field('Name').fill('Leila Haddad');
  await requireTranslated(page, words);
  await on.button('Continue').click();
  await expect(on.text('Verify your email')).toBeVisible();
  await page.goto(await mailedLink(page.request, email, /\/login\?/));
  await expect(page).toHaveURL(/\/tabs\/menu\//);
  return on;
}

// The other journeys cover English screens, and longer-words.spec.ts longer words than theirs.
const translated = (Object.entries(locales) as [Language, string][]).filter(
  ([language]) => language !== 'en',
);
for (const [language, locale] of translated)
  test(`someone signs up, is hired, works and is paid, with every word in ${language}`, async ({
    parts,
    time,
  }) => {
    const words = wordsIn(language);
    const boss = await signedInPerson(parts, 'Nadia Rahmani', 'hire', doorPosition, locale);
    const business = await businessOf(boss, 'Kopi & Krumb');
    const shift = await shiftOf(boss, business.id, time, { title: 'Qahwa 7', daysAhead: 2 });
    const nadia = inWords(boss.page, words);
    const leila = await test.step('the worker signs up', () => signedUpWorker(parts, words, locale));

    await test.step('the worker finds the shift and applies', async () => {
      await leila.page.goto('/tabs/menu/explore');
      await leila.field('Search jobs').fill(shift.title);
      const found = leila.page.getByRole('link', { name: new RegExp(shift.title) }).filter({ visible: true });
      await expect(found.first()).toBeVisible();
      await requireTranslated(leila.page, words);
      await found.first().click();
      await expect(leila.page).toHaveURL(/\/job-desc\//);
      await requireTranslated(leila.page, words);
      await leila.link('Apply for this job').click();
      await leila.field('Your message').fill('1, 2, 3!');
      await leila.button('Continue').click();
      await requireTranslated(leila.page, words);
      await leila.button('Send application').click();
      await expect(leila.text('Application sent')).toBeVisible();
      await requireTranslated(leila.page, words);
      await leila.link('See my application').click();
      await expect(leila.page).toHaveURL(/\/my-work\/[0-9a-f-]{36}$/);
    });
    const application = new URL(leila.page.url()).pathname;

    await test.step('the business reviews the application, and makes an offer', async () => {
      await nadia.page.goto(`/job-applicants/${shift.id}`);
      await requireTranslated(nadia.page, words);
      await nadia.page
        .getByRole('heading', { name: 'Leila Haddad' })
        .filter({ visible: true })
        .first()
        .click();
      await expect(nadia.button('Shortlist')).toBeVisible();
      await requireTranslated(nadia.page, words);
      await nadia.button('Make an offer').click();
      const sheet = nadia.sheet('Offer to {name}');
      await expect(sheet.button('Offer {0} to {first}')).toBeVisible();
      await requireTranslated(nadia.page, words);
      await sheet.button('Offer {0} to {first}').click();
      await expect(sheet.button('Offer {0} to {first}')).toBeHidden();
    });

    await test.step('they write to each other', async () => {
      await nadia.link('Message').click();
      const foot = (page: Page) => page.locator('form.chat-foot').filter({ visible: true });
      await foot(nadia.page).getByRole('textbox').fill('10:00?');
      await foot(nadia.page)
        .getByRole('button', { name: words.say('Send') })
        .click();
      await leila.page.goto('/tabs/menu/messages');
      await requireTranslated(leila.page, words);
      await leila.page
        .getByRole('link', { name: /Kopi & Krumb/ })
        .filter({ visible: true })
        .first()
        .click();
      const line = (page: Page, text: string) => page.locator('.chat-line').filter({ hasText: text });
      await expect(line(leila.page, '10:00?')).toBeVisible();
      await foot(leila.page).getByRole('textbox').fill('10:00!');
      await foot(leila.page)
        .getByRole('button', { name: words.say('Send') })
        .click();
      await expect(line(nadia.page, '10:00!')).toBeVisible();
      await requireTranslated(leila.page, words);
      await requireTranslated(nadia.page, words);
    });

    await test.step('the worker accepts, and records the shift', async () => {
      await leila.page.goto(application);
      await requireTranslated(leila.page, words);
      await leila.button('Accept for {gets}').click();
      await leila.button('Accept and be booked').click();
      await expect(leila.page).toHaveURL(/\/my-work\/engagement\//);
      await leila.button("Confirm I'll be there").click();
      await expect(leila.text('Confirmed')).toBeVisible();
      await time.to(later(shift.startsAt, -10));
      await leila.page.reload();
      await leila.button('Check in').click();
      await expect(leila.text('Checked in')).toBeVisible();
      await requireTranslated(leila.page, words);
      await time.to(later(shift.endsAt, 5));
      await leila.button('Check out').click();
      await leila.button('Submit hours').click();
      const sheet = leila.sheet('Your hours');
      await sheet.field('From').fill(clockOf(shift.startsAt));
      await sheet.field('To').fill(clockOf(shift.endsAt));
      await sheet.field('Break').fill('30');
      await requireTranslated(leila.page, words);
      await sheet.button('Submit these hours').click();
      await expect(leila.text('Hours submitted')).toBeVisible();
    });

    await test.step('the worker verifies their identity and adds a bank account', async () => {
      await leila.page.goto('/withdraw');
      await leila.button('Verify your identity').click();
      const identity = leila.sheet('Identity for payouts');
      await identity.field('Legal name').fill('Leila Haddad');
      await identity.field('Date of birth').fill('1901-01-01');
      await identity.field('Country').selectOption('NL');
      await identity.field('Address').fill('Egelantiersgracht 8');
      await requireTranslated(leila.page, words);
      await identity.button('Send for verification').click();
      await expect(leila.button('Verify your identity')).toBeHidden();
      await leila.button('Add a bank account').click();
      const bank = leila.sheet('Add a bank account');
      await bank.field('Account holder').fill('Leila Haddad');
      await bank.field('IBAN').fill(bankThatReturns);
      await bank.button('Add account').click();
      const question = leila.sheet("Confirm that it's you");
      await question.field('Password').fill(password);
      await requireTranslated(leila.page, words);
      await question.button('Continue').click();
      await expect(leila.button('Add a bank account')).toBeHidden();
    });

    await test.step('the business approves the hours and pays', async () => {
      await nadia.page.goto('/release-payment');
      await expect(nadia.button('Release {0} to {first}')).toBeVisible();
      await requireTranslated(nadia.page, words);
      await nadia.button('Release {0} to {first}').click();
      const release = nadia.sheet('Release {0} to {first}?');
      await requireTranslated(nadia.page, words);
      await release.button('Release {amount}').click();
      await expect(nadia.text('Nothing to release')).toBeVisible();
      await nadia.page.goto('/completed-job');
      await requireTranslated(nadia.page, words);
      await nadia.page.goto('/merchant-transaction');
      await requireTranslated(nadia.page, words);
    });

    await test.step('the worker withdraws the pay', async () => {
      await time.forward({ days: 3, minutes: 5 });
      await leila.page.goto('/withdraw');
      await leila.button('All {0}').click();
      await requireTranslated(leila.page, words);
      await leila.button('Withdraw {0}').click();
      const sheet = leila.sheet('Withdraw');
      await requireTranslated(leila.page, words);
      await sheet.button('Withdraw {0}').click();
      await expect(leila.text('Not sent yet')).toBeVisible();
      await leila.page.goto('/user-transaction');
      await requireTranslated(leila.page, words);
      await leila.page.goto('/notifications');
      await requireTranslated(leila.page, words);
    });
  });

test('the checkers of these journeys find English, and what sticks out', async ({ page }) => {
  await page.goto('/register');
  await expect(page.getByLabel('Email')).toBeVisible();
  const texts = await textsOn(page);
  expect(wordsIn('nl').english(texts)).toContain('Create account');
  expect(wordsIn('en').english(texts)).toEqual([]);
  expect(inLatin(texts)).toContain('Create account');
  // A blank page has no content security policy.
  await page.goto('about:blank');
  await page.setContent(`<html lang="en"><body style="margin:0"><div style="width:100%;overflow:auto"><p style="width:9000px">In a
    list that scrolls</p></div><p class="out" style="position:fixed;left:99%;width:90px">Out</p></body></html>`);
  expect(await overflowing(page)).toEqual([expect.stringMatching(/^p\.out from/)]);
  await page.setContent(`<html lang="en"><body style="margin:0"><main style="overflow:hidden"><p style="width:9000px">Cut by the
    page</p></main></body></html>`);
  expect(await overflowing(page)).toEqual([expect.stringMatching(/^the page is \d+ too wide/)]);
});
