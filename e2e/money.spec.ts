import type { Page } from '@playwright/test';
import {
  applyForJob,
  clockOf,
  exactText,
  hoursSent,
  openShift,
  type Person,
  recordAttendance,
  visibleButton,
  visibleText,
} from './hiring.ts';
import {
  bankThatReturns,
  cards,
  euro,
  requireShown,
  saveCard,
  savedCsv,
  soundStatement,
  sum,
} from './money.ts';
import { expect, test } from './moved-time.ts';
import { confirmPassword } from './people.ts';

const minuteMs = 60_000;
const later = (instant: Date, minutes: number) => new Date(instant.getTime() + minutes * minuteMs);

type Balance = { availableMinor: number; pendingMinor: number; reservedMinor: number };

async function requireBalance(page: Page, { availableMinor, pendingMinor, reservedMinor }: Balance) {
  const part = (name: string) =>
    page.getByRole('region', { name: 'Balance' }).getByText(name, { exact: true }).locator('..');
  await expect(part('Available')).toHaveText(`Available${euro(availableMinor)}`);
  await expect(part('Pending')).toHaveText(`Pending${euro(pendingMinor)}`);
  await expect(part('On its way to your bank')).toHaveText(`On its way to your bank${euro(reservedMinor)}`);
}

const balanceOf = async (worker: Person) =>
  ((await worker.api('GET', '/balance')) as unknown as { balances: Balance[] }).balances[0];

// With Stripe, `stripe.spec.ts` covers the same journey on its pages.
test.use({ payments: 'sandbox' });

test('a hire from a declined card to pay that a bank returns, and both statements agree with the ledger', {
  tag: '@nightly',
}, async ({ parts, time }) => {
  test.setTimeout(420_000);
  const { nadia, leila, business, shift } = await openShift(parts, {
    title: 'Weekend barista',
    daysAhead: 2,
    moneyMinor: 0,
  });
  const application = await applyForJob(leila, shift.id);

  await test.step('a card is declined, another pays in time', async () => {
    await nadia.page.goto(`/job-applicants/${shift.id}?applicant=${application.id}`);
    await visibleButton(nadia.page, 'Make an offer').click();
    const sheet = nadia.page.getByRole('dialog', { name: 'Offer to Leila Haddad' });
    await expect(sheet.getByRole('radio', { name: 'Balance, €0' })).toBeDisabled();
    await sheet.getByRole('button', { name: 'Add a card' }).click();
    await saveCard(sheet, cards.declined);
    await expect(sheet.getByRole('radio', { name: /Visa .* 0002/ })).toBeChecked();
    await sheet.getByRole('button', { name: 'Offer €99' }).click();
    await expect(sheet.getByText(/The bank declined this card. You weren't charged./)).toBeVisible();
    await expect(sheet.getByText(/^1[45] minutes left to pay$/)).toBeVisible();

    await leila.page.goto(`/tabs/menu/my-work/${application.id}`);
    await expect(
      leila.page.getByRole('heading', { name: "They've seen your application" }).filter({ visible: true }),
    ).toBeVisible();

    await time.forward({ minutes: 10 });
    await expect(sheet.getByText(/^[345] minutes left to pay$/)).toBeVisible();
    await sheet.getByRole('button', { name: 'Add a card' }).click();
    await saveCard(sheet, cards.works);
    await expect(sheet.getByRole('radio', { name: /Visa .* 4242/ })).toBeChecked();
    await Promise.all([
      visibleText(nadia.page, 'Funded: €108.90 is set aside.').waitFor(),
      sheet.getByRole('button', { name: 'Pay €108.90' }).click(),
    ]);
    await expect(sheet).toBeHidden();
  });

  await test.step('the worker sees that it is funded, and accepts', async () => {
    await leila.page.reload();
    await expect(exactText(leila.page, 'Funded')).toBeVisible();
    await expect(visibleText(leila.page, 'Your pay is secured')).toBeVisible();
    await visibleButton(leila.page, 'Accept for €99').click();
    await leila.page.getByRole('button', { name: 'Accept and be booked' }).click();
    await expect(leila.page).toHaveURL(/\/my-work\/engagement\//);
  });
  const work = new URL(leila.page.url()).pathname;
  const engagementId = work.split('/').at(-1);

  const sendHours = async (title: 'Your hours' | 'Propose other hours', endsAt: Date) => {
    const form = leila.page.getByRole('dialog', { name: title });
    await form.getByLabel('From', { exact: true }).fill(clockOf(shift.startsAt));
    await form.getByLabel('To', { exact: true }).fill(clockOf(endsAt));
    await form.getByLabel('Break', { exact: true }).fill('30');
    await form.getByRole('button', { name: 'Submit these hours' }).click();
    await expect(form).toBeHidden();
    await expect(exactText(leila.page, 'Hours submitted')).toBeVisible();
  };

  await test.step('the worker works and submits the hours', async () => {
    await time.to(later(shift.startsAt, -10));
    await recordAttendance(leila, engagementId, 'check-in', time.now());
    await time.to(later(shift.endsAt, 5));
    await recordAttendance(leila, engagementId, 'check-out', time.now());
    await leila.page.goto(work);
    await visibleButton(leila.page, 'Submit hours').click();
    await sendHours('Your hours', shift.endsAt);
  });

  await test.step('the business proposes less, and the agreed part is paid at once', async () => {
    await nadia.page.goto('/release-payment');
    await visibleButton(nadia.page, 'Propose other hours').click();
    const form = nadia.page.getByRole('dialog', { name: 'Propose other hours' });
    await form.getByLabel('From', { exact: true }).fill(clockOf(shift.startsAt));
    await form.getByLabel('To', { exact: true }).fill(clockOf(later(shift.endsAt, -60)));
    await form.getByLabel('Break', { exact: true }).fill('30');
    await form.getByLabel('Reason').fill('We closed at three.');
    await form.getByRole('button', { name: 'Propose €81' }).click();
    await expect(form).toBeHidden();

    await leila.page.goto('/withdraw');
    await requireBalance(leila.page, { availableMinor: 0, pendingMinor: 8_100, reservedMinor: 0 });
    await expect(visibleText(leila.page, /€81 clears on/)).toBeVisible();
  });

  await test.step('the worker verifies their identity, and counters with hours in between', async () => {
    await visibleButton(leila.page, 'Verify your identity').click();
    const form = leila.page.getByRole('dialog', { name: 'Identity for payouts' });
    await form.getByLabel('Legal name').fill('Leila Haddad');
    await form.getByLabel('Date of birth').fill('1901-01-01');
    await form.getByLabel('Country').selectOption('NL');
    await form.getByLabel('Address').fill('Egelantiersgracht 8, Amsterdam');
    await form.getByRole('button', { name: 'Send for verification' }).click();
    await expect(form).toBeHidden();
    await expect(visibleButton(leila.page, 'Verify your identity')).toBeHidden();

    await leila.page.goto(work);
    await expect(visibleText(leila.page, 'We closed at three.')).toBeVisible();
    await visibleButton(leila.page, 'Other hours').click();
    await sendHours('Propose other hours', later(shift.endsAt, -30));
  });

  await test.step('the business releases the rest, with a tip', async () => {
    await nadia.page.goto('/release-payment');
    await expect(visibleText(nadia.page, 'Already paid, undisputed')).toBeVisible();
    await expect(visibleText(nadia.page, 'Back to your balance')).toBeVisible();
    await expect(exactText(nadia.page, '€9.90')).toBeVisible();
    await visibleButton(nadia.page, '€5').click();
    await visibleButton(nadia.page, 'Release €14 to Leila').click();
    const sheet = nadia.page.getByRole('dialog', { name: 'Release €14 to Leila?' });
    await sheet.getByRole('button', { name: 'Release €14' }).click();
    await expect(visibleText(nadia.page, 'Nothing to release')).toBeVisible();
    await nadia.page.goto('/completed-job');
    await expect(visibleText(nadia.page, '€90 of €99 agreed')).toBeVisible();
  });

  await test.step('pay to a verified worker clears at once', async () => {
    await leila.page.goto('/withdraw');
    await requireBalance(leila.page, { availableMinor: 1_400, pendingMinor: 8_100, reservedMinor: 0 });
  });

  await test.step('a new bank account has to wait, and so does earlier pay', async () => {
    await visibleButton(leila.page, 'Add a bank account').click();
    const form = leila.page.getByRole('dialog', { name: 'Add a bank account' });
    await form.getByLabel('Account holder').fill('Leila Haddad');
    await form.getByLabel('IBAN').fill(bankThatReturns);
    await form.getByRole('button', { name: 'Add account' }).click();
    await confirmPassword(leila.page);
    await expect(form).toBeHidden();
    await expect(visibleText(leila.page, /For your safety, you can use this new account from/)).toBeVisible();
    await expect(visibleButton(leila.page, /^Withdraw/)).toBeDisabled();

    await time.forward({ days: 3, minutes: 5 });
    await leila.page.reload();
    await expect(visibleButton(leila.page, 'All €14')).toBeVisible();
    await expect(visibleText(leila.page, /you can use this new account/)).toBeHidden();
    await time.forward({ days: 2 });
    await leila.page.reload();
    await requireBalance(leila.page, { availableMinor: 9_500, pendingMinor: 0, reservedMinor: 0 });
    await expect(visibleText(leila.page, 'New pay is available right away.')).toBeVisible();
  });

  const withdrawals = async () =>
    (
      (await leila.api('GET', '/withdrawals')) as unknown as {
        items: { status: string; arrivesOn: string }[];
      }
    ).items;
  const withdrawal = () => leila.page.getByRole('button', { name: /^To your bank.* 0003/ });

  await test.step('the worker withdraws everything, and sees when it arrives and that it did', async () => {
    await visibleButton(leila.page, 'All €95').click();
    await visibleButton(leila.page, 'Withdraw €95').click();
    const sheet = leila.page.getByRole('dialog', { name: 'Withdraw' });
    await sheet.getByRole('button', { name: 'Withdraw €95' }).click();
    await expect(sheet).toBeHidden();
    await requireBalance(leila.page, { availableMinor: 0, pendingMinor: 0, reservedMinor: 9_500 });
    await expect(withdrawal()).toContainText('Not sent yet');

    await time.forward({ minutes: 11 });
    await leila.page.reload();
    await expect(withdrawal()).toContainText('In transit');
    const arrivesOn = (await withdrawals())[0]?.arrivesOn ?? '';
    const day = new Date(`${arrivesOn}T12:00:00Z`).toLocaleDateString('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
    });
    await expect(withdrawal()).toContainText(`Arrives ${day.replace(',', '')}`);

    await time.to(new Date(`${arrivesOn}T09:05:00Z`));
    await leila.page.reload();
    await expect(withdrawal()).toContainText('Arrived');
    await requireBalance(leila.page, { availableMinor: 0, pendingMinor: 0, reservedMinor: 0 });
  });

  await test.step('two days later the bank returns it, with a reason', async () => {
    await time.forward({ days: 2, minutes: 5 });
    await leila.page.reload();
    await expect(withdrawal()).toContainText('Returned by the bank');
    await requireBalance(leila.page, { availableMinor: 9_500, pendingMinor: 0, reservedMinor: 0 });
    await withdrawal().click();
    const sheet = leila.page.getByRole('dialog', { name: 'Withdrawal' });
    await expect(
      sheet.getByText(/The bank rejected the payment\..*The money is back in your balance\./),
    ).toBeVisible();
  });

  await test.step("the worker's statement agrees with the ledger, on screen and as a file", async () => {
    const statement = await soundStatement(leila, '/statement');
    expect(statement.totals).toMatchObject({
      openingMinor: 0,
      closingMinor: 9_500,
      earnedMinor: 9_000,
      tipsMinor: 500,
      feesMinor: 0,
      withdrawnMinor: 0,
    });
    expect(await balanceOf(leila)).toMatchObject({
      availableMinor: 9_500,
      pendingMinor: 0,
      reservedMinor: 0,
    });
    await leila.page.goto('/user-transaction');
    await requireShown(leila.page, statement, { Pay: 9_000, Tips: 500, Withdrawn: 0, Balance: 9_500 });
    const rows = await savedCsv(leila.page);
    expect(rows.map((row) => row.Amount)).toEqual(statement.items.map((line) => line.amountMinor).reverse());
    expect(rows.at(-1)?.Balance).toBe(9_500);
  });

  await test.step("so does the business's, and what it paid is what the worker got plus fees", async () => {
    const path = `/businesses/${business.id}/statement`;
    const statement = await soundStatement(nadia, path);
    const { totals } = statement;
    expect(totals).toMatchObject({ openingMinor: 0, closingMinor: 490, balanceMinor: 490, heldMinor: 0 });
    expect(totals).toMatchObject({ paidMinor: 9_500, feesMinor: 900 });
    const wallet = (await nadia.api('GET', `/businesses/${business.id}/wallet`)) as unknown as {
      balances: { availableMinor: number; heldMinor: number; owedMinor: number }[];
    };
    expect(wallet.balances).toMatchObject([{ availableMinor: 490, heldMinor: 0, owedMinor: 0 }]);
    // The card's charge equals the worker's pay, our fees and the rest.
    const { totals: hers } = await soundStatement(leila, '/statement');
    expect(hers.earnedMinor + hers.tipsMinor + totals.feesMinor + totals.closingMinor).toBe(10_890);
    expect(totals.paidMinor).toBe(hers.earnedMinor + hers.tipsMinor);
    await nadia.page.goto('/merchant-transaction');
    await requireShown(nadia.page, statement, {
      Balance: 490,
      Held: 0,
      'Paid to workers': 9_500,
      'Nearhand fees': 900,
    });
    const rows = await savedCsv(nadia.page);
    expect(rows.map((row) => row.Amount)).toEqual(statement.items.map((line) => line.amountMinor).reverse());
    // A line's gross amount, including the fee, is the screen's figure for a release.
    expect(rows.map((row) => row.Gross)).toEqual(statement.items.map((line) => line.grossMinor).reverse());
    expect(sum(rows.map((row) => row.Fee))).toBe(900);
    expect(rows.at(-1)?.Balance).toBe(490);
  });
});

test('a card that needs confirmation, a card that settles late, and a tip that a double click gives once', {
  tag: '@nightly',
}, async ({ parts, time }) => {
  test.setTimeout(300_000);
  const { nadia, leila, business, shift } = await openShift(parts, {
    title: 'Weekend barista',
    daysAhead: 1,
    moneyMinor: 0,
  });

  const addMoney = async (amount: string, newCard?: string) => {
    await nadia.page.goto('/my-business');
    await visibleButton(nadia.page, 'Add money').click();
    const sheet = nadia.page.getByRole('dialog', { name: 'Add money' });
    await sheet.getByLabel('Amount').fill(amount);
    if (newCard) {
      const another = sheet.getByRole('button', { name: 'Add a card' });
      await expect(sheet.getByLabel('Card number').or(another)).toBeVisible();
      if (await another.isVisible()) await another.click();
      // Saving a new card adds the money too.
      await saveCard(sheet, newCard);
    } else await sheet.getByRole('button', { name: `Add €${amount}` }).click();
    return sheet;
  };
  const requireFigure = async (label: string, minor: number) => {
    await nadia.page.goto('/merchant-transaction');
    await expect(
      nadia.page
        .getByLabel('Totals', { exact: true })
        .locator('> div')
        .filter({ hasText: new RegExp(`^${label}`) }),
    ).toHaveText(`${label}${euro(minor)}`);
  };

  await test.step('the cardholder refuses at the bank: nothing is charged, and they are notified', async () => {
    const sheet = await addMoney('250', cards.asks);
    await sheet.getByRole('link', { name: 'Confirm with your bank' }).click();
    await expect(nadia.page.getByRole('heading', { name: 'Confirm this payment' })).toBeVisible();
    await expect(nadia.page.getByText('250.00 EUR')).toBeVisible();
    await nadia.page.getByRole('button', { name: 'Refuse' }).click();
    await expect(nadia.page).toHaveURL(/\/my-business$/);
    await nadia.page.goto('/notifications');
    await expect(visibleText(nadia.page, '€250. Pay with another card or from your balance.')).toBeVisible();
    await requireFigure('Balance', 0);
  });

  await test.step('then they approve, and the money arrives', async () => {
    const sheet = await addMoney('250');
    await sheet.getByRole('link', { name: 'Confirm with your bank' }).click();
    await nadia.page.getByRole('button', { name: 'Approve' }).click();
    await expect(visibleText(nadia.page, '€250 added to your balance')).toBeVisible();
    await expect(nadia.page).toHaveURL(/\/my-business$/);
    await requireFigure('Balance', 25_000);
  });

  await test.step('a card that takes two minutes', async () => {
    const sheet = await addMoney('100', cards.succeedsLate);
    await expect(sheet.getByText('Charging €100 to the card ending in 0077')).toBeVisible();
    // The two minutes begin when a task that is due now calls the provider; moving the clock runs it.
    await time.forward({ minutes: 1 });
    await Promise.all([
      visibleText(nadia.page, '€100 added to the balance').waitFor(),
      time.forward({ minutes: 3 }),
    ]);
    await expect(sheet).toBeHidden();
    await expect(exactText(nadia.page, '€350')).toBeVisible();
  });

  await test.step('a double-clicked tip is one tip', async () => {
    const { engagementId, version } = await hoursSent(nadia, leila, shift, time);
    await nadia.api('POST', `/engagements/${engagementId}/approve`, { version });

    await nadia.page.goto(`/tabs/menu/jobs/engagement/${engagementId}`);
    await visibleButton(nadia.page, 'Add a tip or bonus').click();
    const sheet = nadia.page.getByRole('dialog', { name: 'Tip for Leila Haddad' });
    await sheet.getByRole('button', { name: '€10', exact: true }).click();
    await sheet.getByRole('button', { name: 'Give €10' }).dblclick();
    await expect(sheet).toBeHidden();
    await expect(visibleText(nadia.page, /^Tip, /)).toBeVisible();

    const hers = await soundStatement(leila, '/statement');
    expect(hers.items.filter(({ kind }) => kind === 'tip').map((line) => line.amountMinor)).toEqual([1_000]);
    const theirs = await soundStatement(nadia, `/businesses/${business.id}/statement`);
    expect(theirs.totals).toMatchObject({ closingMinor: 35_000 - 10_890 - 1_000, paidMinor: 10_900 });
    await requireFigure('Balance', 23_110);
  });
});
