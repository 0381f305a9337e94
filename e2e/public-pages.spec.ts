import { violationsOf } from './axe.ts';
import { openShift } from './hiring.ts';
import { expect, test } from './moved-time.ts';
import { mailedLink, newEmail, password } from './people.ts';

test('a visitor goes from a public page to an application', async ({
  parts,
  browser,
  contextOptions,
  baseURL,
}, { project }) => {
  const { nadia, shift } = await openShift(parts, { title: 'Weekend barista' });
  const options = { ...contextOptions, ...project.use, baseURL };

  const plain = await browser.newContext({ ...options, javaScriptEnabled: false });
  const reader = await plain.newPage();
  await reader.goto('/jobs');
  await reader.getByRole('navigation', { name: 'Towns' }).getByRole('link').first().click();
  await expect(reader.getByRole('heading', { level: 1 })).toContainText('Jobs in');
  await reader.getByRole('link', { name: 'Weekend barista' }).first().click();
  await expect(reader).toHaveURL(/\/j\/weekend-barista-[0-9a-z]{10}$/);
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Weekend barista');
  await expect(reader.getByText('What you need').or(reader.getByText('About the job')).first()).toBeVisible();
  const address = new URL(reader.url()).pathname;
  await plain.close();

  const context = await browser.newContext(options);
  await parts.time.follow(context);
  const page = await context.newPage();
  for (const path of ['/jobs', '/jobs/jordaan', '/j/none']) {
    await page.goto(path);
    expect(await violationsOf(page, path)).toEqual([]);
  }
  await page.goto(`${address}?s=qr`);
  expect(await violationsOf(page, 'a public job')).toEqual([]);
  await page.getByRole('link', { name: 'Apply' }).click();
  await expect(
    page.getByText('Log in or create an account to apply for this job.').filter({ visible: true }),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Create account' }).click();
  const email = newEmail('leila');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'What are you good at?' })).toBeVisible();
  await page.getByRole('link', { name: 'Skip', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Verify your email' })).toBeVisible();
  await page.close();

  const mailed = await context.newPage();
  await mailed.goto(await mailedLink(context.request, email, /\/login\?/));
  await expect(mailed).toHaveURL(new RegExp(`/job-apply-form/${shift.id}\\?s=qr$`));
  await mailed.getByLabel('Your name').fill('Leila Haddad');
  await mailed.getByLabel('Your message').fill('I live around the corner.');
  await mailed.getByRole('button', { name: 'Continue' }).click();
  await mailed.getByRole('button', { name: 'Send application' }).click();
  await expect(mailed).toHaveURL(/\/job-applied-success\//);
  await context.close();

  await nadia.api('POST', `/jobs/${shift.id}/close`);
  await parts.time.forward({ minutes: 1 });
  const gone = await nadia.page.goto(address);
  expect(gone?.status()).toBe(410);
  await expect(nadia.page.getByRole('heading', { level: 1 })).toHaveText('This job is no longer available');
});
