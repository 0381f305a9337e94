import { applyForJob, exactText, openShift, signedInPerson, visibleButton, visibleText } from './hiring.ts';
import { expect, test } from './moved-time.ts';

test('a business saves workers in a pool, invites the pool and offers one of them a job directly', async ({
  parts,
}) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Weekend barista', daysAhead: 5 });
  const kwame = await signedInPerson(parts, 'Kwame Mensah', 'work');
  const hers = await applyForJob(leila, shift.id);
  const his = await applyForJob(kwame, shift.id);
  const workerOf = async (applicationId: unknown) =>
    ((await nadia.api('GET', `/applicants/${applicationId}`)) as unknown as { worker: { workerId: string } })
      .worker.workerId;

  await nadia.page.goto('/saved-workers');
  await expect(visibleText(nadia.page, 'No saved workers yet')).toBeVisible();

  await nadia.page.goto(`/worker-details/${await workerOf(hers.id)}?application=${hers.id}`);
  await visibleButton(nadia.page, 'Save worker').click();
  const save = nadia.page.getByRole('dialog', { name: 'Save Leila Haddad' });
  await save.getByLabel('Pool name').fill('Baristas I trust');
  await save.getByRole('button', { name: 'Create and add' }).click();
  await expect(save.getByRole('button', { name: /^Added ?: Baristas/ })).toBeVisible();
  await save.getByRole('button', { name: 'Close' }).click();
  await expect(visibleButton(nadia.page, 'Saved')).toBeVisible();

  await nadia.page.goto(`/worker-details/${await workerOf(his.id)}`);
  await visibleButton(nadia.page, 'Save worker').click();
  await nadia.page.getByRole('button', { name: /^Add ?: Baristas/ }).click();
  await expect(nadia.page.getByRole('button', { name: /^Added ?: Baristas/ })).toBeVisible();

  await nadia.page.goto('/saved-workers');
  await visibleButton(nadia.page, 'Leila Haddad').click();
  await nadia.page.getByLabel('New note').fill('Has her own keys');
  await nadia.page.getByRole('button', { name: 'Add note' }).click();
  await expect(nadia.page.getByText('Has her own keys')).toBeVisible();
  await nadia.page.getByLabel('New tag').fill('Latte art');
  await nadia.page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(nadia.page.getByRole('button', { name: 'Remove Latte art' })).toBeVisible();
  await nadia.page.goto('/saved-workers');
  await visibleButton(nadia.page, /^Baristas I trust/).click();
  await visibleButton(nadia.page, /^Remove ?: Kwame/).click();
  await nadia.page.getByRole('button', { name: 'Undo' }).click();
  await expect(visibleText(nadia.page, 'Kwame Mensah')).toBeVisible();

  // The pool is invited to another job, except for those it would not reach.
  const next = await nadia.api('POST', `/jobs/${shift.id}/duplicate`, {});
  const at = (hours: number) =>
    new Date(shift.startsAt.getTime() + 7 * 86_400_000 + hours * 3_600_000).toISOString();
  await nadia.api('PATCH', `/jobs/${next.id}`, {
    version: next.version,
    title: 'Harbour festival',
    headCount: 2,
    startsAt: at(0),
    endsAt: at(6),
  });
  await nadia.api('POST', `/jobs/${next.id}/publish`, {});
  await applyForJob(kwame, String(next.id));
  await nadia.page.goto('/saved-workers');
  await visibleButton(nadia.page, /^Baristas I trust/).click();
  await visibleButton(nadia.page, 'Invite to a job').click();
  await nadia.page.getByRole('radio', { name: /Harbour festival/ }).click();
  await expect(nadia.page.getByText('Already applied')).toBeVisible();
  await visibleButton(nadia.page, 'Invite 1 person').click();
  await expect(visibleText(nadia.page, '1 person invited')).toBeVisible();

  await visibleButton(nadia.page, /^Offer a job ?: Leila/).click();
  await nadia.page.getByRole('radio', { name: /Harbour festival/ }).click();
  await visibleButton(nadia.page, 'Prepare offer').click();
  await visibleButton(nadia.page, /^Offer €/).click();
  await expect(visibleText(nadia.page, 'Offer sent to Leila Haddad')).toBeVisible();

  await leila.page.goto('/notifications');
  await leila.page.getByRole('link', { name: 'View offer' }).click();
  await expect(leila.page.getByRole('heading', { name: 'Kopi and Crumb wants you back' })).toBeVisible();
  await expect(exactText(leila.page, 'Funded').first()).toBeVisible();
  await visibleButton(leila.page, /^Accept for/).click();
  await leila.page.getByRole('button', { name: 'Accept and be booked' }).click();
  await expect(leila.page).toHaveURL(/\/my-work\/engagement\//);
  await expect(visibleText(leila.page, 'Harbour festival')).toBeVisible();
});
