import { applyForJob, exactText, openShift, signedInPerson, visibleButton, visibleText } from './hiring.ts';
import { expect, test } from './moved-time.ts';

test('someone on the waitlist is offered the spot that a hired worker cancels in time', async ({ parts }) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Weekend barista', daysAhead: 5 });
  const kwame = await signedInPerson(parts, 'Kwame Mensah', 'work');
  const hers = await applyForJob(leila, shift.id);
  const his = await applyForJob(kwame, shift.id);
  const offer = await nadia.api('POST', `/applications/${hers.id}/offers`, { message: '' });
  const accepted = await leila.api('POST', `/offers/${offer.id}/accept`, { version: offer.version });

  await kwame.page.goto(`/tabs/menu/my-work/${his.id}`);
  // The task runner notifies the other applicants of a filled job, and an open page updates.
  await expect(visibleButton(kwame.page, 'Join the waitlist')).toBeVisible();
  await visibleButton(kwame.page, 'Join the waitlist').click();
  await expect(visibleText(kwame.page, "You're number 1 on the waitlist")).toBeVisible();

  await leila.page.goto(`/tabs/menu/my-work/engagement/${accepted.engagementId}`);
  await leila.page.getByRole('link', { name: "Can't make it?" }).click();
  await visibleButton(leila.page, 'Cancel booking').click();
  const sheet = leila.page.getByRole('dialog', { name: 'Cancel this job?' });
  await expect(sheet.getByText(/reliability isn't affected/)).toBeVisible();
  await sheet.getByLabel('Reason for Kopi and Crumb').fill('My exam was moved to that day.');
  await sheet.getByRole('button', { name: 'Cancel booking' }).click();
  await expect(visibleText(leila.page, 'You cancelled')).toBeVisible();

  // The spot is offered to the first on the waitlist without any action of the business.
  await expect(visibleButton(kwame.page, /^Accept for/)).toBeVisible();
  await expect(exactText(kwame.page, 'Funded')).toBeVisible();
  await visibleButton(kwame.page, /^Accept for/).click();
  await kwame.page.getByRole('button', { name: 'Accept and be booked' }).click();
  await expect(kwame.page).toHaveURL(/\/my-work\/engagement\//);
  await expect(visibleButton(kwame.page, "Confirm I'll be there")).toBeVisible();

  await nadia.page.goto('/merchant-ongoing-jobs');
  await expect(visibleText(nadia.page, 'Kwame Mensah')).toBeVisible();
});

test('the first to apply for an instant-hire job sees that they are hired, the next that it is filled', async ({
  parts,
}) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Rush hour barista', instantHire: true });
  const kwame = await signedInPerson(parts, 'Kwame Mensah', 'work');

  // Its pay is set aside on publishing, before anyone has applied.
  await nadia.page.goto('/my-business');
  const wallet = nadia.page.getByRole('region', { name: 'Balance' });
  await expect(wallet.getByText('€1,891.10')).toBeVisible();
  await expect(wallet.getByText('€108.90')).toBeVisible();

  for (const { page } of [leila, kwame]) {
    await page.goto(`/job-desc/${shift.id}`);
    await expect(visibleText(page, 'Instant hire')).toBeVisible();
    await expect(exactText(page, 'Funded')).toBeVisible();
    await page.getByRole('link', { name: 'Book this shift' }).click();
    await expect(visibleButton(page, 'Book this shift for €99')).toBeVisible();
  }
  // Kwame presses before his page has updated: an updated page removes the form (below).
  await kwame.page.route(`**/api/jobs/${shift.id}`, () => {});
  await visibleButton(leila.page, 'Book this shift for €99').click();
  await expect(
    leila.page.getByRole('heading', { name: "You're hired" }).filter({ visible: true }).first(),
  ).toBeVisible();
  await leila.page.getByRole('link', { name: 'View booked job' }).click();
  await expect(visibleButton(leila.page, "Confirm I'll be there")).toBeVisible();
  await expect(visibleText(leila.page, '€99 is secured for you')).toBeVisible();

  await visibleButton(kwame.page, 'Book this shift for €99').click();
  await expect(visibleText(kwame.page, 'The last spot was just taken.')).toBeVisible();

  await kwame.page.unroute(`**/api/jobs/${shift.id}`);
  await kwame.page.reload();
  await expect(visibleText(kwame.page, "This job isn't accepting applications")).toBeVisible();
});
