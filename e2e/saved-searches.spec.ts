import { openShift, shiftOf, signedInPerson, visibleButton, visibleText } from './hiring.ts';
import { expect, test, worded } from './moved-time.ts';
import { password } from './people.ts';

const around = 'lat=52.3791&lng=4.8831&at=Jordaan';

test('someone saves a search without results, and is told once when a job opens', async ({ parts }, {
  project,
}) => {
  const { nadia, leila, business } = await openShift(parts, { title: 'Weekend barista' });
  const { page } = leila;
  const wide = project.name === 'desktop';

  await page.goto(`/tabs/menu/explore?q=sommelier&${around}`);
  await visibleButton(page, 'Tell me when there is one').click();
  const sheet = page.getByRole('dialog', { name: 'Save this search' });
  await expect(sheet.getByLabel('Name')).toHaveValue(worded(/^Sommelier near Jordaan, /));
  await sheet.getByLabel('Name').fill('');
  await sheet.getByRole('button', { name: 'Save search' }).click();
  await expect(sheet.getByText('Enter a name.')).toBeVisible();
  await sheet.getByLabel('Name').fill('Wine near home');
  await sheet.getByRole('button', { name: 'Save search' }).click();
  await expect(page.getByText('Search saved').first()).toBeVisible();

  const job = await shiftOf(nadia, business.id, parts.time, { title: 'Sommelier for Friday', daysAhead: 6 });
  await parts.time.forward({ minutes: 6 });
  await page.goto('/notifications');
  await expect(page.getByText('New for “Wine near home”: Sommelier for Friday')).toHaveCount(1);
  await page.getByText('New for “Wine near home”: Sommelier for Friday').click();
  await expect(page).toHaveURL(new RegExp(`/job-desc/${job.id}$`));

  // The next job is also by a followed business, so it is announced once: as that business's.
  await visibleButton(page, 'Follow Kopi and Crumb').click();
  await expect(page.getByRole('button', { name: 'Follow Kopi and Crumb', pressed: true })).toBeVisible();
  await shiftOf(nadia, business.id, parts.time, { title: 'Sommelier for Sunday', daysAhead: 8 });
  await parts.time.forward({ minutes: 6 });
  await page.goto('/notifications');
  await expect(page.getByText('Kopi and Crumb has a new job: Sommelier for Sunday')).toHaveCount(1);
  await expect(page.getByText(/New for “Wine near home”/)).toHaveCount(1);

  await page.goto('/favorite?part=searches');
  await expect(page.getByRole('link', { name: 'Wine near home' })).toBeVisible();
  await visibleButton(page, /Alerts right away/).click();
  const edit = page.getByRole('dialog', { name: 'Edit search' });
  await edit.getByRole('radio', { name: /Once a day/ }).check();
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await expect(visibleButton(page, /Daily summary/)).toBeVisible();
  await visibleButton(page, 'Remove Wine near home').click();
  await expect(visibleText(page, 'No saved searches yet')).toBeVisible();
  await visibleButton(page, 'Undo').click();
  await expect(visibleButton(page, /Daily summary/)).toBeVisible();

  if (!wide) await page.getByRole('radio', { name: 'Businesses' }).click();
  await expect(visibleText(page, 'Kopi and Crumb')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sommelier for Sunday' })).toBeVisible();
});

test('a guest who saves a search signs in first, and continues where they were', async ({ parts }) => {
  const kwame = await signedInPerson(parts, 'Kwame Mensah', 'work');
  const context = await parts.browser.newContext();
  const page = await context.newPage();
  await page.goto(`/tabs/menu/explore?q=forklift&${around}`);
  await visibleButton(page, 'Save search').click();
  await expect(page).toHaveURL(/\/getting-started\?next=/);
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Email').fill(kwame.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  const sheet = page.getByRole('dialog', { name: 'Save this search' });
  await expect(sheet.getByLabel('Name')).toHaveValue(worded(/^Forklift near Jordaan, /));
  await sheet.getByRole('button', { name: 'Save search' }).click();
  await expect(visibleButton(page, 'Search saved')).toBeVisible();
  expect(await kwame.api('GET', '/me/saved-searches')).toMatchObject([{ q: 'forklift', alert: 'at_once' }]);
  await context.close();
});
