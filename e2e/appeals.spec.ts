import type { Page } from '@playwright/test';
import { openShift, signedInPerson, visibleButton, visibleText } from './hiring.ts';
import { expect, test } from './moved-time.ts';
import { type Authenticator, appoint, turnOnSecondStep } from './operators.ts';
import { dataDirOf, portOfOwnServer } from './server-address.ts';

const ownData = () => dataDirOf(portOfOwnServer(test.info().parallelIndex));

async function claim(page: Page, authenticator: Authenticator, title: string): Promise<void> {
  await page.goto('/operator');
  const code = page.getByLabel('Code', { exact: true });
  const queue = page.getByRole('heading', { name: 'Queue', level: 1 });
  await expect(code.or(queue)).toBeVisible();
  if (await code.isVisible()) {
    await code.fill(await authenticator.next());
    await page.getByRole('button', { name: 'Confirm' }).click();
  }
  await page.getByRole('region', { name: 'Cases' }).getByRole('link', { name: title }).click();
  await page.getByRole('button', { name: /^Claim/ }).click();
}

test('a reported job is hidden, appealed, and restored by another operator', async ({ parts }) => {
  test.slow();
  const { nadia, leila, shift } = await openShift(parts, { title: 'Reported barista', daysAhead: 5 });
  const jonas = await signedInPerson(parts, 'Jonas Weber', 'hire');
  const mila = await signedInPerson(parts, 'Mila Horvat', 'hire');
  const codes = new Map<Page, Authenticator>();
  for (const { page, email } of [jonas, mila]) {
    await appoint(ownData(), email);
    await page.goto('/account-settings');
    codes.set(page, await turnOnSecondStep(page));
  }
  const codesOf = (page: Page) => codes.get(page) as Authenticator;

  await test.step('Leila reports the job from its page', async () => {
    await leila.page.goto(`/job-desc/${shift.id}`);
    await leila.page.getByRole('link', { name: 'Report this job' }).click();
    await expect(leila.page.getByRole('heading', { name: 'Report this job' })).toBeVisible();
    await visibleButton(leila.page, 'Send report').click();
    await expect(leila.page.getByText('Choose the best match.')).toBeVisible();
    await leila.page.getByRole('radio', { name: /^Asks for money/ }).click();
    await leila.page.getByLabel(/^What happened/).fill('They want €40 for a uniform: +31 6 1234 5678.');
    await visibleButton(leila.page, 'Send report').click();
    await expect(leila.page.getByRole('heading', { name: 'Thank you for reporting it' })).toBeVisible();
  });

  await test.step('an operator hides it, with reasons', async () => {
    const { page } = jonas;
    await claim(page, codesOf(page), 'Reported barista');
    await expect(page.getByText('They want €40 for a uniform')).toBeVisible();
    await page.getByRole('radio', { name: /^Hide the job/ }).click();
    await page.getByLabel('Which rule?').selectOption('no-fees');
    await page.getByLabel('Facts').fill('The job asks applicants to pay for a uniform.');
    await page.getByLabel('Answer', { exact: true }).fill('Thank you. We hid the job.');
    await page.getByRole('button', { name: 'Hide the job' }).click();
    await expect(visibleText(page, 'Job hidden')).toBeVisible();
  });

  await test.step('Leila gets the answer, and the job is gone', async () => {
    await leila.page.goto('/tabs/menu/decisions?show=reports');
    await expect(leila.page.getByText('Thank you. We hid the job.')).toBeVisible();
    await leila.page.goto(`/job-desc/${shift.id}`);
    await expect(leila.page.getByRole('heading', { name: 'This job is no longer available' })).toBeVisible();
  });

  await test.step('the business reads the reasons and appeals', async () => {
    await nadia.page.goto('/tabs/menu/decisions');
    await nadia.page.getByRole('link', { name: /Your job is hidden/ }).click();
    await expect(visibleText(nadia.page, 'The job asks applicants to pay for a uniform.')).toBeVisible();
    await expect(nadia.page.getByText('Leila')).toHaveCount(0);
    await nadia.page.getByLabel("Why it's wrong").fill('The uniform is free.');
    await visibleButton(nadia.page, 'Send appeal').click();
    await expect(visibleText(nadia.page, 'In review')).toBeVisible();
  });

  await test.step('another operator reverses the decision, and the job is back', async () => {
    const { page } = mila;
    await claim(page, codesOf(page), 'Reported barista');
    await expect(page.getByText('The uniform is free.')).toBeVisible();
    await page.getByRole('radio', { name: /^Reverse the decision/ }).click();
    await page.getByLabel('Reason', { exact: true }).fill('We called the café: the uniform is free.');
    await page.getByRole('button', { name: 'Reverse the decision' }).click();
    await expect(visibleText(page, 'Decision reversed')).toBeVisible();
    await nadia.page.reload();
    await expect(visibleText(nadia.page, 'We called the café: the uniform is free.')).toBeVisible();
    await leila.page.reload();
    await expect(leila.page.getByRole('heading', { name: 'Reported barista' }).first()).toBeVisible();
  });
});
