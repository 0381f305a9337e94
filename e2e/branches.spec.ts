import { judge } from './axe.ts';
import { openShift, visibleButton, visibleText } from './hiring.ts';
import { expect, test } from './moved-time.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('branches: an owner adds one, posts a job at it, and lists its jobs', async ({ parts }) => {
  const { nadia } = await openShift(parts, { title: 'Weekend barista', moneyMinor: 0 });
  const { page } = nadia;
  await page.goto('/edit-business?part=branches');
  await expect(visibleText(page, 'No branches yet')).toBeVisible();
  await judge(page, 'branches');
  await visibleButton(page, 'Add a branch').click();
  const sheet = page.getByRole('dialog').first();
  await sheet.getByLabel('Name', { exact: true }).fill('Noord');
  await sheet.getByRole('button', { name: /Pin on the map/ }).click();
  const picker = page.getByRole('dialog', { name: "Where's the entrance?" });
  await picker.getByRole('button', { name: 'Use my location' }).click();
  await expect(picker).toBeHidden();
  await sheet.getByLabel('Street and number').fill('NDSM-Plein 8');
  await sheet.getByLabel('Town or neighbourhood').fill('Amsterdam-Noord');
  await sheet.getByLabel('Contact person').fill('Joris Bakker');
  await sheet.getByLabel('Opening notes').fill('Use the side door before nine.');
  await judge(page, 'branch sheet');
  await sheet.getByRole('button', { name: 'Add branch' }).click();
  await expect(visibleText(page, 'Branch added')).toBeVisible();
  await expect(visibleText(page, /NDSM-Plein 8/)).toBeVisible();
  await judge(page, 'branches with one');

  await page.goto('/create-job');
  await page.getByLabel('Title').fill('Baker in the north');
  await page.getByLabel('Category').selectOption('hospitality');
  await page.getByLabel('Description').fill('Bread from four in the morning.');
  await visibleButton(page, 'Continue').click();
  await page.getByRole('radio', { name: /^Noord/ }).check();
  await judge(page, 'where');
  await visibleButton(page, 'Save draft').click();
  await expect(visibleText(page, 'Draft saved')).toBeVisible();

  await page.goto('/listed-job');
  await expect(visibleText(page, 'Weekend barista')).toBeVisible();
  await visibleButton(page, /Branch: /).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Noord/ })
    .click();
  await expect(visibleText(page, 'Baker in the north')).toBeVisible();
  await expect(page.getByText('Weekend barista').filter({ visible: true })).toHaveCount(0);
  await judge(page, 'jobs of a branch');
});
