import { stripeCards } from '../apps/api/test/stripe-double/stripe-double.ts';
import { businessOf, signedInPerson, visibleText } from './hiring.ts';
import { cards, soundStatement } from './money.ts';
import { expect, test } from './moved-time.ts';
import { appoint, turnOnSecondStep } from './operators.ts';
import { join, newEmail } from './people.ts';
import { dataDirOf, portOfOwnServer } from './server-address.ts';

test('a chargeback takes its money, is answered from its case if the bank takes answers, and is lost', async ({
  parts,
  page,
  time,
  ownServer: { stripe },
}) => {
  test.setTimeout(300_000);
  const email = newEmail('jonas');
  await join(page, email, 'Jonas Weber', 'Find work');
  const nadia = await signedInPerson(parts, 'Nadia Berger', 'hire');
  const business = await businessOf(nadia, 'Bar Noord', 0);
  const sandboxToken = async () => {
    const data = { kind: 'card', number: cards.chargedBack, expiresMonth: 12, expiresYear: 2040, cvc: '123' };
    const response = await nadia.context.request.post('/sandbox/tokens', { data });
    return ((await response.json()) as { token: string }).token;
  };
  const token = stripe ? stripe.saveCard(business.id, stripeCards.pays) : await sandboxToken();
  const card = await nadia.api('POST', `/businesses/${business.id}/cards`, { token });
  const topUp = { amountMinor: 12_500, currency: 'EUR', cardId: card.id };
  await nadia.api('POST', `/businesses/${business.id}/top-ups`, topUp);
  const balance = async () => {
    const { balances } = await nadia.api('GET', `/businesses/${business.id}/wallet`);
    return (balances as { availableMinor: number }[])[0]?.availableMinor ?? 0;
  };
  await expect.poll(balance).toBe(12_500);

  const intent = stripe?.all('payment_intent').find(({ amount }) => amount === 12_500);
  const dispute = stripe?.dispute(intent?.id);
  await stripe?.delivered();
  // The sandbox charges back after two days.
  if (!stripe) await time.forward({ days: 2, hours: 1 });
  await expect.poll(balance).toBe(0);
  await nadia.page.goto('/merchant-transaction');
  await expect(visibleText(nadia.page, /charged back|chargeback/i)).toBeVisible();

  await appoint(dataDirOf(portOfOwnServer(test.info().parallelIndex)), email, 'finance');
  await page.goto('/account-settings');
  await turnOnSecondStep(page);

  await page.goto('/operator/cases');
  await page.getByRole('link', { name: /Nearhand balance/ }).click();
  await page.getByRole('button', { name: 'Claim the case' }).click();
  if (stripe && dispute) {
    const draft = page.getByLabel('Answer', { exact: true });
    await expect(draft).toHaveValue(/Paid by the business Bar Noord B\.V\./);
    await draft.fill(`The business ordered this itself.\n${await draft.inputValue()}`);
    await page.getByRole('button', { name: 'Send to the bank' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send to the bank' }).click();
    await expect.poll(() => stripe.object(dispute.id).evidence_details.submission_count).toBe(1);
    expect(stripe.object(dispute.id).evidence.uncategorized_text).toMatch(
      /^The business ordered this itself\./,
    );
    await page.reload();
    await expect(page.getByText(/^Sent to the bank\. Its decision will appear here\./)).toBeVisible();
    stripe.closeDispute(dispute.id, 'lost');
    await stripe.delivered();
  } else {
    await expect(page.getByText(/^Answer it at the payment provider\./)).toBeVisible();
    await time.forward({ days: 5 });
  }

  const topics = async () => {
    const { items } = await nadia.api('GET', '/notifications');
    return (items as { topic: string }[]).map(({ topic }) => topic);
  };
  await expect.poll(topics).toContain('chargeback-closed');
  const { totals } = await soundStatement(nadia, `/businesses/${business.id}/statement`);
  expect(totals).toMatchObject({ closingMinor: 0, balanceMinor: 0 });
});
