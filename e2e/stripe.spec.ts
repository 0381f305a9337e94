import type { Locator, Page } from '@playwright/test';
import { stripeCards } from '../apps/api/test/stripe-double/stripe-double.ts';
import { applyForJob, exactText, openShift, recordAttendance, visibleButton, visibleText } from './hiring.ts';
import { soundStatement } from './money.ts';
import { expect, test } from './moved-time.ts';
import { confirmPassword } from './people.ts';

test.use({ payments: 'stripe' });

/** A Stripe page, served by its stand-in. */
async function onStripe(page: Page, what: 'Continue' | 'Cancel', card?: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Stripe stand-in' })).toBeVisible();
  if (card) await page.getByLabel('Card number').fill(card);
  await page.getByRole('button', { name: what }).click();
}

test('a hire from posted to withdrawn with Stripe: card, money and bank account on its own pages', async ({
  parts,
  time,
  stripe,
}) => {
  test.setTimeout(420_000);
  const { nadia, leila, business, shift } = await openShift(parts, {
    title: 'Weekend barista',
    daysAhead: 2,
    moneyMinor: 0,
  });
  const application = await applyForJob(leila, shift.id);
  const offer = nadia.page.getByRole('dialog', { name: 'Offer to Leila Haddad' });
  const addCard = async (sheet: Locator, card: string, what: 'Continue' | 'Cancel' = 'Continue') => {
    await sheet.getByRole('button', { name: 'Add a card' }).click();
    await sheet.getByRole('button', { name: 'Continue to the payment provider' }).click();
    await onStripe(nadia.page, what, card);
  };

  await test.step('a card that is declined, saved on the page of Stripe, which leads back to the offer', async () => {
    await nadia.page.goto(`/job-applicants/${shift.id}?applicant=${application.id}`);
    await visibleButton(nadia.page, 'Make an offer').click();
    await addCard(offer, stripeCards.declined, 'Cancel');
    await visibleButton(nadia.page, 'Make an offer').click();
    await addCard(offer, stripeCards.declined);
    await expect(visibleText(nadia.page, 'Card saved')).toBeVisible();
    await visibleButton(nadia.page, 'Make an offer').click();
    await expect(offer.getByRole('radio', { name: /Visa .* 0341/ })).toBeChecked();
    await offer.getByRole('button', { name: 'Offer €99' }).click();
    await expect(offer.getByText(/The bank declined this card. You weren't charged./)).toBeVisible();
  });

  await test.step('another card asks its owner at the bank, and funds the offer', async () => {
    await addCard(offer, stripeCards.confirm);
    await expect(visibleText(nadia.page, 'Card saved')).toBeVisible();
    const payment = nadia.page.getByRole('region', { name: 'Pay for the offer' });
    await expect(payment.getByRole('radio', { name: /Visa .* 3184/ })).toBeChecked();
    await payment.getByRole('button', { name: 'Pay €108.90' }).click();
    await expect(payment.getByRole('link', { name: 'Confirm with your bank' })).toBeVisible();
    await payment.getByRole('link', { name: 'Confirm with your bank' }).click();
    await onStripe(nadia.page, 'Continue');
  });

  await test.step('the worker accepts and works', async () => {
    await leila.page.goto(`/tabs/menu/my-work/${application.id}`);
    await expect(exactText(leila.page, 'Funded')).toBeVisible();
    await visibleButton(leila.page, 'Accept for €99').click();
    await leila.page.getByRole('button', { name: 'Accept and be booked' }).click();
    await expect(leila.page).toHaveURL(/\/my-work\/engagement\//);
    const engagementId = new URL(leila.page.url()).pathname.split('/').at(-1);
    await time.to(new Date(shift.startsAt.getTime() - 300_000));
    await recordAttendance(leila, engagementId, 'check-in', time.now());
    await time.to(new Date(shift.endsAt.getTime() + 300_000));
    const { version } = await recordAttendance(leila, engagementId, 'check-out', time.now());
    const sent = await leila.api('POST', `/engagements/${engagementId}/hours`, {
      version,
      startsAt: shift.startsAt.toISOString(),
      endsAt: shift.endsAt.toISOString(),
      breakMinutes: 30,
      note: '',
    });
    await nadia.api('POST', `/engagements/${engagementId}/approve`, { version: sent.version });
  });

  await test.step('money on the balance, by a card saved before', async () => {
    await nadia.page.goto('/my-business');
    await visibleButton(nadia.page, 'Add money').click();
    const sheet = nadia.page.getByRole('dialog', { name: 'Add money' });
    await sheet.getByLabel('Amount').fill('100');
    await addCard(sheet, stripeCards.pays);
    await expect(visibleText(nadia.page, 'Card saved')).toBeVisible();
    await visibleButton(nadia.page, 'Add money').click();
    await sheet.getByLabel('Amount').fill('100');
    await sheet.getByRole('radio', { name: /Visa .* 4242/ }).check();
    await sheet.getByRole('button', { name: 'Add €100' }).click();
    await expect(visibleText(nadia.page, '€100 added to the balance')).toBeVisible();
  });

  await test.step('the worker sets up the payout account on the page of Stripe', async () => {
    await leila.page.goto('/withdraw');
    await visibleButton(leila.page, 'Set up payouts').click();
    const form = leila.page.getByRole('dialog', { name: 'Identity for payouts' });
    await form.getByLabel('Legal name').fill('Leila Haddad');
    await form.getByLabel('Date of birth').fill('1990-05-05');
    await form.getByLabel('Country').selectOption('NL');
    await form.getByLabel('Address').fill('Egelantiersgracht 8, Amsterdam');
    await form.getByRole('button', { name: 'Send for verification' }).click();
    const page = leila.page.getByRole('dialog', { name: 'Add a bank account' });
    await page.getByRole('button', { name: 'Continue to the payment provider' }).click();
    await confirmPassword(leila.page);
    await onStripe(leila.page, 'Cancel');
    await expect(visibleText(leila.page, 'Not finished yet. You can continue at any time.')).toBeVisible();
    await expect(visibleText(leila.page, '1 of 3')).toBeVisible();
    await visibleButton(leila.page, 'Add your ID').click();
    await onStripe(leila.page, 'Continue');
    await expect(visibleText(leila.page, 'Account added')).toBeVisible();
    await time.forward({ days: 6 });
    await leila.page.reload();
  });

  const [account] = stripe.all('v2.core.account');
  const documents = 'identity.individual.documents';
  await test.step('Stripe wants more by a day, then pauses payouts', async () => {
    const dueBy = new Date(time.now().getTime() + 9 * 86_400_000).toISOString();
    await stripe.askFor(account?.id, [`${documents}.secondary_verification`], dueBy);
    await time.forward({ minutes: 1 });
    await leila.page.reload();
    await expect(leila.page.getByRole('heading', { name: /^Proof of address by/ })).toBeVisible();
    await stripe.askFor(account?.id, [`${documents}.secondary_verification`]);
    await time.forward({ minutes: 1 });
    await leila.page.reload();
    await expect(leila.page.getByRole('heading', { name: 'Payouts are paused' })).toBeVisible();
  });

  await test.step('the worker withdraws, and it arrives', async () => {
    await visibleButton(leila.page, 'All €99').click();
    await visibleButton(leila.page, 'Withdraw €99').click();
    const sheet = leila.page.getByRole('dialog', { name: 'Withdraw' });
    await sheet.getByRole('button', { name: 'Withdraw €99' }).click();
    await expect(sheet).toBeHidden();
    await time.forward({ minutes: 11 });
    await leila.page.reload();
    const withdrawal = leila.page.getByRole('button', { name: /^To your bank/ });
    await expect(withdrawal).toContainText('Waiting');
    await withdrawal.click();
    await expect(visibleText(leila.page, 'It goes out by itself.')).toBeVisible();
    await stripe.onboard(account?.id);
    await time.forward({ minutes: 1 });
    await leila.page.reload();
    await expect(withdrawal).toContainText('In transit');
    const [payout] = stripe.all('payout');
    stripe.movePayout(payout?.id, 'paid');
    await stripe.delivered();
    await time.forward({ minutes: 1 });
    await leila.page.reload();
    await expect(withdrawal).toContainText('Arrived');
    await withdrawal.click();
  });

  await test.step('both statements agree with the ledger, and Stripe holds the rest', async () => {
    const hers = await soundStatement(leila, '/statement');
    expect(hers.totals).toMatchObject({ earnedMinor: 9_900, withdrawnMinor: 9_900, closingMinor: 0 });
    const theirs = await soundStatement(nadia, `/businesses/${business.id}/statement`);
    expect(theirs.totals).toMatchObject({ closingMinor: 10_000, feesMinor: 990, paidMinor: 9_900 });
    // Payments less payouts and Stripe's fees.
    expect(stripe.total()).toBe(10_890 + 10_000 - 9_900 - stripe.fees());
  });
});
