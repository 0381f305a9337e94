import { judge, requireNoViolations, withoutMotion } from './axe.ts';
import { applyForJob, hoursSent, openShift, shiftOf, visibleButton, visibleText } from './hiring.ts';
import { bankThatReturns, cards, saveCard } from './money.ts';
import { expect, test } from './moved-time.ts';
import { confirmPassword } from './people.ts';

test.use(withoutMotion);

test('money forms are accessible in light and dark', async ({ parts, time }) => {
  test.setTimeout(420_000);
  const {
    nadia,
    leila,
    business,
    shift: paid,
  } = await openShift(parts, { title: 'Weekend barista', daysAhead: 1, moneyMinor: 30_000 });
  const waits = await shiftOf(nadia, business.id, time, { title: 'Evening bar', daysAhead: 2 });
  const open = await shiftOf(nadia, business.id, time, { title: 'Market stall', daysAhead: 12 });
  const first = await hoursSent(nadia, leila, paid, time);
  await nadia.api('POST', `/engagements/${first.engagementId}/approve`, { version: first.version });
  await hoursSent(nadia, leila, waits, time);
  const application = await applyForJob(leila, open.id);

  await test.step('identity and bank accounts', async () => {
    await leila.page.goto('/withdraw');
    await visibleButton(leila.page, 'Verify your identity').click();
    const identity = leila.page.getByRole('dialog', { name: 'Identity for payouts' });
    await identity.getByRole('button', { name: 'Send for verification' }).click();
    await judge(leila.page, 'an identity that was refused in the form');
    await identity.getByLabel('Legal name').fill('Leila Haddad');
    await identity.getByLabel('Date of birth').fill('1901-01-01');
    await identity.getByLabel('Country').selectOption('NL');
    await identity.getByLabel('Address').fill('Egelantiersgracht 8, Amsterdam');
    await identity.getByRole('button', { name: 'Send for verification' }).click();
    await expect(identity).toBeHidden();
    await visibleButton(leila.page, 'Add a bank account').click();
    const bank = leila.page.getByRole('dialog', { name: 'Add a bank account' });
    await bank.getByRole('button', { name: 'Add account' }).click();
    await judge(leila.page, 'a bank account that was refused in the form');
    await bank.getByLabel('Account holder').fill('Leila Haddad');
    await bank.getByLabel('IBAN').fill(bankThatReturns);
    await bank.getByRole('button', { name: 'Add account' }).click();
    await expect(leila.page.getByRole('dialog', { name: "Confirm that it's you" })).toBeVisible();
    await judge(leila.page, 'a bank account whose owner confirms that it is them');
    await confirmPassword(leila.page);
    await expect(bank).toBeHidden();
    await judge(leila.page, 'a balance with a new account');
  });

  await test.step('a release, and a business statement', async () => {
    await requireNoViolations(nadia.page, '/release-payment');
    await visibleButton(nadia.page, '€5').click();
    await judge(nadia.page, 'a release with a tip');
    await visibleButton(nadia.page, /^Release €104/).click();
    const release = nadia.page.getByRole('dialog', { name: /^Release €104/ });
    await expect(release).toBeVisible();
    await judge(nadia.page, 'the question before a release');
    await release.getByRole('button', { name: /^Release €104/ }).click();
    await expect(visibleText(nadia.page, 'Nothing to release')).toBeVisible();
    await requireNoViolations(nadia.page, '/my-business');
    await visibleButton(nadia.page, 'Add money').click();
    await expect(nadia.page.getByRole('dialog', { name: 'Add money' })).toBeVisible();
    await judge(nadia.page, 'adding money');
    await nadia.page.goto('/merchant-transaction');
    await nadia.page.getByRole('radio', { name: 'Invoices' }).click();
    await expect(nadia.page.getByRole('heading', { name: 'Pay receipts' })).toBeVisible();
    await judge(nadia.page, 'invoices');
    await requireNoViolations(nadia.page, `/tabs/menu/jobs/engagement/${first.engagementId}`);
    await visibleButton(nadia.page, 'Add a tip or bonus').click();
    await expect(nadia.page.getByRole('dialog', { name: 'Tip for Leila Haddad' })).toBeVisible();
    await judge(nadia.page, 'giving a tip');
  });

  await test.step('an offer with a declined card', async () => {
    await nadia.page.goto(`/job-applicants/${open.id}?applicant=${application.id}`);
    await visibleButton(nadia.page, 'Make an offer').click();
    const sheet = nadia.page.getByRole('dialog', { name: 'Offer to Leila Haddad' });
    await sheet.getByRole('button', { name: 'Add a card' }).click();
    await sheet.getByRole('button', { name: 'Save card' }).click();
    await judge(nadia.page, 'an offer with a card that was refused in the form');
    await saveCard(sheet, cards.declined);
    await sheet.getByRole('button', { name: 'Offer €99' }).click();
    await expect(sheet.getByText(/The bank declined this card/)).toBeVisible();
    await judge(nadia.page, 'an offer whose card was refused');
  });

  await test.step('a withdrawal, and a year', async () => {
    await time.forward({ days: 6 });
    await leila.page.goto('/withdraw');
    await visibleButton(leila.page, /^All €/).click();
    await visibleButton(leila.page, /^Withdraw €/).click();
    const sheet = leila.page.getByRole('dialog', { name: 'Withdraw' });
    await sheet.getByRole('button', { name: /^Withdraw €/ }).click();
    await expect(sheet).toBeHidden();
    await leila.page.getByRole('button', { name: /^To your bank.* 0003/ }).click();
    await expect(leila.page.getByRole('dialog', { name: 'Withdrawal' })).toBeVisible();
    await judge(leila.page, 'a withdrawal');
    await leila.page.goto('/user-transaction');
    await visibleButton(leila.page, 'Year').click();
    await expect(leila.page.getByRole('dialog', { name: 'Your year' })).toBeVisible();
    await judge(leila.page, 'a year');
  });
});
