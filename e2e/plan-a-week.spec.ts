import { counting } from './counting.ts';
import {
  applyForJob,
  businessOf,
  hoursSent,
  openJob,
  openShift,
  shiftOf,
  signedInPerson,
  visibleButton,
  visibleText,
} from './hiring.ts';
import { expect, test } from './moved-time.ts';

test('the same shift is posted on five weekdays in 6 clicks and 1 field', async ({ parts }) => {
  const nadia = await signedInPerson(parts, 'Nadia Rahmani', 'hire');
  const business = await businessOf(nadia, 'Kopi and Crumb', 0);
  const shift = await shiftOf(nadia, business.id, parts.time, { title: 'Weekend barista' });
  await nadia.api('POST', `/jobs/${shift.id}/template`, { name: 'Barista' });
  const now = parts.time.now();
  // This week contains the template's shift: the app would warn about two similar shifts.
  const monday = new Date(now.getTime() + (15 - (now.getUTCDay() || 7)) * 86_400_000);

  const counted = await counting(nadia.page);
  await nadia.page.goto('/tabs/menu/jobs');
  await visibleButton(nadia.page, 'Use a template').click();
  const sheet = nadia.page.getByRole('dialog');
  await sheet.getByLabel('Day', { exact: true }).fill(monday.toISOString().slice(0, 10));
  for (let day = 1; day < 5; day += 1)
    await sheet.locator('.also-on [aria-pressed="true"] + [aria-pressed="false"]').click();
  await visibleButton(nadia.page, 'Post 5 shifts').click();
  await expect(visibleText(nadia.page, 'Weekend barista published on 5 days')).toBeVisible();
  expect([counted.taps, counted.fields.size], [...counted.fields].join('\n')).toEqual([6, 1]);
});

test('a crew of three is booked again from the roster in 3 clicks', async ({ parts }) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Harbour festival', headCount: 3 });
  const others = [
    await signedInPerson(parts, 'Kwame Mensah', 'work'),
    await signedInPerson(parts, 'Noor Bakker', 'work'),
  ];
  for (const worker of [leila, ...others]) {
    const application = await applyForJob(worker, shift.id);
    const offer = await nadia.api('POST', `/applications/${application.id}/offers`, { message: '' });
    await worker.api('POST', `/offers/${offer.id}/accept`, { version: offer.version });
  }

  const counted = await counting(nadia.page);
  await nadia.page.goto(`/roster?week=${shift.startsAt.toISOString().slice(0, 10)}`);
  await visibleButton(nadia.page, /^Actions for Harbour festival/).click();
  await visibleButton(nadia.page, /^Book the same crew/).click();
  await visibleButton(nadia.page, 'Send 3 offers').click();
  await expect(visibleText(nadia.page, '3 of 3 offers sent')).toBeVisible();
  expect([counted.taps, counted.fields.size], [...counted.fields].join('\n')).toEqual([3, 0]);

  // The window of a small laptop has room for the whole menu.
  await nadia.page.setViewportSize({ width: 1366, height: 650 });
  const menu = nadia.page.getByRole('navigation', { name: 'Menu', exact: true });
  await expect.poll(() => menu.evaluate((nav) => nav.scrollHeight - nav.clientHeight)).toBe(0);
});

test('20 timesheets as planned are approved in 2 clicks, and one that differs is left to look at', {
  tag: '@nightly',
}, async ({ parts }) => {
  test.slow();
  const [nadia, leila] = await Promise.all([
    signedInPerson(parts, 'Nadia Rahmani', 'hire'),
    signedInPerson(parts, 'Leila Haddad', 'work'),
  ]);
  const business = await businessOf(nadia, 'Kopi and Crumb');
  const hourMs = 3_600_000;
  const first = parts.time.now().getTime() + 3 * hourMs;
  for (let index = 0; index < 21; index += 1) {
    const startsAt = new Date(first + index * 1.5 * hourMs);
    const endsAt = new Date(startsAt.getTime() + hourMs);
    const shift = await openJob(nadia, business.id, { title: `Till ${index + 1}`, startsAt, endsAt });
    await hoursSent(nadia, leila, shift, parts.time, index === 20 ? 0 : 30);
  }

  const counted = await counting(nadia.page);
  await nadia.page.goto('/release-payment');
  await expect(visibleText(nadia.page, /^20 worked as planned, /)).toBeVisible();
  await expect(visibleText(nadia.page, /^Not .*: hours that differ from the plan/)).toBeVisible();
  await visibleButton(nadia.page, 'Approve all as planned').click();
  await visibleButton(nadia.page, /^Release .* for 20 shifts$/).click();
  await expect(visibleText(nadia.page, 'Pay released: 20 of 20')).toBeVisible();
  expect([counted.taps, counted.fields.size], [...counted.fields].join('\n')).toEqual([2, 0]);
  await expect(visibleText(nadia.page, '1 waiting')).toBeVisible();
});
