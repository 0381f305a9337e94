import { judge, withoutMotion } from './axe.ts';
import { hoursSent, openShift, signedInPerson } from './hiring.ts';
import { expect, test } from './moved-time.ts';
import { appoint, turnOnSecondStep } from './operators.ts';
import { join, newEmail, password } from './people.ts';
import { dataDirOf, portOfOwnServer } from './server-address.ts';

test.use(withoutMotion);

const ownData = () => dataDirOf(portOfOwnServer(test.info().parallelIndex));

test('an operator gets in with a second step, and confirms it after a pause', async ({
  page,
  browser,
  time,
  baseURL,
}) => {
  const email = newEmail('jonas');
  await join(page, email, 'Jonas Weber', 'Find work');
  await page.goto('/operator');
  await expect(page.getByRole('heading', { name: "This account can't open the console" })).toBeVisible();

  await appoint(ownData(), email);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Set up a second step first' })).toBeVisible({
      timeout: 3_000,
    });
  }).toPass();
  await judge(page, '/operator without a second step');
  await page.getByRole('link', { name: 'Open account settings' }).click();
  await expect(page).toHaveURL(/\/account-settings$/);
  const authenticator = await turnOnSecondStep(page);

  const response = await page.goto('/operator/messages');
  expect(response?.headers()['x-robots-tag']).toBe('noindex, nofollow');
  await expect(page.getByRole('heading', { name: 'Service messages', level: 1 })).toBeVisible();
  const scripts = await page
    .locator('script[src*="/assets/"]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('src')));
  expect(scripts).toEqual([expect.stringMatching(/^\/assets\/operator-/)]);
  await expect(page.getByText('No messages yet')).toBeVisible();
  await judge(page, '/operator/messages');

  await page.getByRole('button', { name: 'Show everyone now' }).click();
  await expect(page.getByText('Write the message.')).toBeVisible();
  await page.getByLabel('Message', { exact: true }).fill('Payments may take an hour longer today.');
  await page.getByRole('button', { name: 'Show everyone now' }).click();
  await expect(page.getByText('Shown now')).toBeVisible();
  const anyone = await (await browser.newContext({ baseURL })).newPage();
  await anyone.goto('/help');
  await expect(anyone.getByText('Payments may take an hour longer today.').first()).toBeVisible();
  await anyone.close();

  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Log in to the console' })).toBeVisible();
  await judge(page, '/operator signed out');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill(await authenticator.next());
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { name: 'Service messages', level: 1 })).toBeVisible();

  await page.getByLabel('Message', { exact: true }).fill('All is well again.');
  await time.forward({ minutes: 16 });
  await expect(page.getByRole('heading', { name: "Confirm it's you" })).toBeVisible();
  await expect(page.getByText('Shown now')).toBeHidden();
  await judge(page, 'confirming again');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The code is not correct. Check it and try again.')).toBeVisible();
  await page.getByLabel('Code', { exact: true }).fill(await authenticator.next());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('All is well again.');
  await page.getByRole('button', { name: 'End now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End message' }).click();
  await expect(page.getByText('Ended', { exact: true })).toBeVisible();
});

test('operators work on the queue: a dispute decided, a request answered', async ({ parts, time }) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Sunday barista', daysAhead: 2 });
  const jonas = await signedInPerson(parts, 'Jonas Weber', 'hire');
  const mila = await signedInPerson(parts, 'Mila Horvat', 'hire');
  await appoint(ownData(), jonas.email);
  await appoint(ownData(), mila.email, 'support', 'trust');
  const { page } = jonas;
  await page.goto('/account-settings');
  const authenticator = await turnOnSecondStep(page);
  // Nobody hands a case to an operator who can't sign in to the console.
  await mila.page.goto('/account-settings');
  await turnOnSecondStep(mila.page);

  const { engagementId, version } = await hoursSent(nadia, leila, shift, time);
  await nadia.api('POST', `/engagements/${engagementId}/dispute`, {
    version,
    reason: 'She left two hours early.',
    amountMinor: 6_000,
  });
  const ticket = await leila.api('POST', '/me/tickets', {
    category: 'payments',
    subject: 'Where did my Sunday pay go?',
    body: 'The shift was on Saturday.',
    refs: [{ kind: 'engagement', id: engagementId }],
  });
  await time.forward({ days: 6 });
  await page.goto('/operator');
  await page.getByLabel('Code', { exact: true }).fill(await authenticator.next());
  await page.getByRole('button', { name: 'Confirm' }).click();

  await expect(page.getByRole('heading', { name: 'Queue', level: 1 })).toBeVisible();
  const rows = page.getByRole('region', { name: 'Cases' }).getByRole('listitem');
  const dispute = rows.filter({ hasText: 'Sunday barista' });
  const request = rows.filter({ hasText: 'Where did my Sunday pay go?' });
  await expect(request).toHaveCount(1);
  await expect(dispute).toContainText('Pay dispute');
  await expect(dispute).toContainText('High');
  await judge(page, '/operator/cases');
  await page.getByRole('button', { name: /^Mine/ }).click();
  await expect(page.getByText('No cases match')).toBeVisible();
  await page.getByRole('button', { name: 'Show all cases' }).click();
  await page.getByLabel('Kind').selectOption('dispute');
  await expect(request).toHaveCount(0);
  await expect(dispute).toHaveCount(1);

  await test.step('a claim opens the case, with both sides and what each decision does', async () => {
    await page.keyboard.press('j');
    await expect(rows.first().getByRole('link')).toBeFocused();
    await dispute.getByRole('link').focus();
    await page.keyboard.press('c');
    await expect(page.getByRole('heading', { name: 'Sunday barista', level: 1 })).toBeVisible();
    const sides = page.getByRole('region', { name: 'What both sides say' });
    await expect(sides.getByText('She left two hours early.')).toBeVisible();
    await expect(sides.getByText('€60', { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Evidence' }).getByText('Check in')).toBeVisible();
    await page.getByLabel('New note').fill('The check-out is at the end of the shift.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'The check-out is at the end' })).toBeVisible();
    await page.getByRole('button', { name: /^Decide/ }).click();
    await expect(page.getByText('Write the reason.')).toBeVisible();
    await page.getByRole('button', { name: 'Leila Haddad: €99' }).click();
    const effect = page.locator('.c-effect');
    await expect(effect).toContainText('Leila Haddad receives');
    await judge(page, 'a dispute');
    await page.getByLabel('Total pay for the work').fill('80');
    await expect(effect).toContainText('€80');
    await page.getByLabel('Start from a template').selectOption({ index: 1 });
    await expect(page.getByLabel('Reason', { exact: true })).toHaveValue(/check-in and check-out/);
    await page.getByRole('button', { name: /^Decide the dispute: Leila Haddad gets €/ }).click();
    await expect(page.getByText('Dispute decided')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Queue', level: 1 })).toBeVisible();
    await leila.page.goto(`/tabs/menu/my-work/engagement/${engagementId}`);
    await expect(leila.page.getByText('Nearhand decided the dispute').first()).toBeVisible();
  });

  await test.step('a request is answered, word for word', async () => {
    await request.getByRole('link').click();
    await page.getByRole('button', { name: 'Claim the case' }).click();
    await page.getByRole('button', { name: 'Hand over' }).click();
    const sheet = page.getByRole('dialog', { name: 'Hand over the case' });
    const others = sheet.getByLabel('To');
    await others.selectOption({ label: 'Mila Horvat (support, trust)' });
    await expect(sheet.getByRole('button', { name: 'Hand over to Mila Horvat' })).toBeVisible();
    await judge(page, 'handing over');
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: /^Answer/ }).check();
    await page
      .getByRole('textbox', { name: 'Your answer' })
      .fill('Your pay was decided today and is on its way.');
    await judge(page, 'a request');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await expect(page.getByRole('heading', { name: 'Queue', level: 1 })).toBeVisible();
    await expect(request).toHaveCount(0);
    await leila.page.goto(`/tabs/menu/request/${ticket.id}`);
    await expect(leila.page.getByText('Your pay was decided today and is on its way.')).toBeVisible();
  });

  await test.step('the figures of the platform', async () => {
    await page.goto('/operator/health');
    await expect(page.getByRole('heading', { name: 'Health', level: 1 })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Spots filled per day' })).toBeVisible();
    await expect(page.getByText('No task has failed for good.')).toBeVisible();
    await judge(page, '/operator/health');
  });

  await test.step('the log has what was opened, with its case', async () => {
    await page.goto('/operator/log');
    const calls = page.getByRole('region', { name: 'Calls' }).getByRole('listitem');
    const decision = calls.filter({ hasText: 'decided a pay dispute of' });
    await expect(decision).toHaveCount(1);
    await decision.getByRole('button', { name: 'Kopi and Crumb' }).click();
    await expect(calls.filter({ hasText: 'answered a request' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Check the log' }).click();
    await expect(page.getByText(/^All \d+ rows are as they were written/)).toBeVisible();
    await judge(page, '/operator/log');
  });
});
