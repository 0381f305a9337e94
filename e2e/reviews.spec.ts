import type { Page } from '@playwright/test';
import { judge, withoutMotion } from './axe.ts';
import { hoursSent, openShift, visibleButton, visibleText } from './hiring.ts';
import { expect, test } from './moved-time.ts';

test.use(withoutMotion);

async function openReview(page: Page, path: string, name: string) {
  await page.goto(path);
  await visibleButton(page, /^Write a review/).click();
  return page.getByRole('dialog', { name: `How was ${name}?` });
}

test('both sides review finished work, and see nothing of the other until both did', async ({
  parts,
  time,
}) => {
  const { nadia, leila, business, shift } = await openShift(parts, { title: 'Weekend barista' });
  const { engagementId, version } = await hoursSent(nadia, leila, shift, time);
  await nadia.api('POST', `/engagements/${engagementId}/approve`, { version });
  const toRead = `/business-review?business=${business.id}`;

  await test.step('the worker writes, and changes it while it is hidden', async () => {
    const form = await openReview(leila.page, '/rating-review', 'Kopi and Crumb');
    await expect(form.getByText(/^Hidden until both of you have written/)).toBeVisible();
    await form.getByRole('button', { name: 'Send review' }).click();
    await expect(form.getByText('Choose one to five stars.')).toBeVisible();
    await judge(leila.page, 'a refused review');
    await form.getByRole('radio', { name: 'OK, 3 of 5' }).check();
    await form.getByRole('button', { name: 'Paid as agreed' }).click();
    await form.getByLabel('In your words').fill('A busy morning, and a kind team.');
    await form.getByRole('button', { name: 'Send review' }).click();
    await expect(visibleText(leila.page, "Review sent. It's hidden for now.")).toBeVisible();
    await expect(visibleText(leila.page, 'Nothing to review')).toBeVisible();

    await leila.page.getByRole('radio', { name: 'Given' }).click();
    await expect(visibleText(leila.page, /^Hidden until/)).toBeVisible();
    await judge(leila.page, 'a given review');
    await visibleButton(leila.page, /^Edit/).click();
    const edit = leila.page.getByRole('dialog', { name: 'How was Kopi and Crumb?' });
    await edit.getByRole('radio', { name: 'Good, 4 of 5' }).check();
    await edit.getByRole('button', { name: 'Save changes' }).click();
    await expect(visibleText(leila.page, 'Review changed')).toBeVisible();
  });

  await test.step('the business sees nothing of it, and writes its own', async () => {
    await nadia.page.goto(toRead);
    await expect(visibleText(nadia.page, 'No reviews yet')).toBeVisible();
    await nadia.page.goto('/notifications');
    await expect(visibleText(nadia.page, /Weekend barista/)).toBeVisible();
    await expect(nadia.page.getByText('Leila Haddad reviewed Kopi and Crumb')).toHaveCount(0);
    const form = await openReview(nadia.page, '/business-review?part=to-write', 'Leila Haddad');
    await expect(nadia.page.getByText(/A busy morning/)).toHaveCount(0);
    await form.getByRole('radio', { name: 'Excellent, 5 of 5' }).check();
    await form.getByRole('button', { name: 'Punctual' }).click();
    await form.getByRole('button', { name: 'Send review' }).click();
    await expect(visibleText(nadia.page, 'Both reviews are published')).toBeVisible();
  });

  await test.step('now both are published, and each side replies once at most', async () => {
    await nadia.page.goto('/notifications');
    await expect(visibleText(nadia.page, 'Leila Haddad reviewed Kopi and Crumb')).toBeVisible();
    await nadia.page.goto(toRead);
    await expect(visibleText(nadia.page, 'A busy morning, and a kind team.')).toBeVisible();
    await expect(visibleText(nadia.page, '1 review')).toBeVisible();
    await judge(nadia.page, 'reviews of a business');
    await visibleButton(nadia.page, /^Reply/).click();
    const reply = nadia.page.getByRole('dialog', { name: 'Reply in public' });
    await reply.getByLabel(/^Your reply to Leila/).fill('Thank you, Leila. Come again.');
    await reply.getByRole('button', { name: 'Publish reply' }).click();
    await expect(visibleText(nadia.page, 'Thank you, Leila. Come again.')).toBeVisible();
    await expect(visibleButton(nadia.page, /^Reply/)).toHaveCount(0);

    await leila.page.goto('/rating-review?part=received');
    await expect(leila.page.getByRole('img', { name: 'Excellent, 5 of 5' })).toBeVisible();
    await leila.page.goto('/rating-review?part=given');
    await expect(visibleText(leila.page, /^Published/)).toBeVisible();
    await expect(visibleText(leila.page, 'Thank you, Leila. Come again.')).toBeVisible();
    await expect(visibleButton(leila.page, /^Edit/)).toHaveCount(0);
  });
});
