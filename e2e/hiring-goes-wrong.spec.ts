import {
  applyForJob,
  clockOf,
  doorPosition,
  exactText,
  openShift,
  type Person,
  type Shift,
  visibleButton,
  visibleText,
} from './hiring.ts';
import { expect, type Parts, type Time, test } from './moved-time.ts';

const hourMs = 3_600_000;

async function applied(parts: Parts) {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Weekend barista' });
  const { id: applicationId } = await applyForJob(leila, shift.id);
  return { nadia, leila, shift, applicationId };
}

async function booked(parts: Parts) {
  const all = await applied(parts);
  const offer = await offered(all.nadia, all.applicationId);
  const { engagementId } = await all.leila.api('POST', `/offers/${offer.id}/accept`, {
    version: offer.version,
  });
  return {
    ...all,
    hers: `/tabs/menu/my-work/engagement/${engagementId}`,
    theirs: `/tabs/menu/jobs/engagement/${engagementId}`,
  };
}

const offered = (nadia: Person, applicationId: string) =>
  nadia.api('POST', `/applications/${applicationId}/offers`, { message: '' });

const openAsNoticed = (nadia: Person, shift: Shift, applicationId: string) =>
  nadia.page.goto(`/job-applicants/${shift.id}?applicant=${applicationId}`);

const hoursBefore = (shift: Shift, hours: number) => new Date(shift.startsAt.getTime() - hours * hourMs);

const toStart = (time: Time, shift: Shift, minutes: number) =>
  time.to(new Date(shift.startsAt.getTime() + minutes * 60_000));

async function moneyIsBack(nadia: Person) {
  await nadia.page.goto('/my-business');
  const wallet = nadia.page.getByRole('region', { name: 'Balance' });
  await expect(wallet.getByText('€2,000', { exact: true })).toBeVisible();
  await expect(wallet.getByText(/^Held for 0 /).locator('..')).toHaveText(/€0$/);
}

test('an offer is declined, and the business sees the reason', async ({ parts }) => {
  const { nadia, leila, shift, applicationId } = await applied(parts);
  await offered(nadia, applicationId);

  await leila.page.goto(`/tabs/menu/my-work/${applicationId}`);
  await visibleButton(leila.page, 'Decline').click();
  const sheet = leila.page.getByRole('dialog', { name: 'Decline this offer?' });
  await sheet.getByLabel('Reason').fill('I found work closer to home.');
  await sheet.getByRole('button', { name: 'Decline offer' }).click();
  await expect(sheet).toBeHidden();
  await expect(
    leila.page.getByRole('heading', { name: 'You declined the offer' }).filter({ visible: true }).first(),
  ).toBeVisible();

  await openAsNoticed(nadia, shift, applicationId);
  await expect(visibleText(nadia.page, 'Offer declined')).toBeVisible();
  await expect(visibleText(nadia.page, 'I found work closer to home.')).toBeVisible();
  await moneyIsBack(nadia);
});

test('an unanswered offer expires after 48 hours, for both', async ({ parts, time }) => {
  const { nadia, leila, shift, applicationId } = await applied(parts);
  await offered(nadia, applicationId);
  await leila.page.goto(`/tabs/menu/my-work/${applicationId}`);
  await expect(visibleButton(leila.page, 'Accept for €99')).toBeVisible();

  // A deadline at night moves to the morning, which may be that of the shift.
  const in48Hours = new Date(time.now().getTime() + 48 * hourMs + 60_000);
  await time.to(new Date(Math.max(in48Hours.getTime(), hoursBefore(shift, 1).getTime())));
  await leila.page.reload();
  await expect(
    leila.page.getByRole('heading', { name: 'The offer expired' }).filter({ visible: true }).first(),
  ).toBeVisible();
  await expect(visibleButton(leila.page, 'Accept for €99')).toBeHidden();

  await openAsNoticed(nadia, shift, applicationId);
  await expect(visibleText(nadia.page, 'Offer expired')).toBeVisible();
  await moneyIsBack(nadia);
});

test('a worker sees what a late cancellation means before it, and the business sees that it was late', async ({
  parts,
  time,
}) => {
  const { nadia, leila, shift, hers, theirs } = await booked(parts);
  await time.to(hoursBefore(shift, 10));
  await leila.page.goto(hers);
  await leila.page.getByRole('link', { name: "Can't make it?" }).click();
  await visibleButton(leila.page, 'Cancel booking').click();
  const sheet = leila.page.getByRole('dialog', { name: 'Cancel this job?' });
  await expect(sheet.getByText('This is a late cancellation.')).toBeVisible();
  await expect(sheet.getByText(/Cancelling now lowers your reliability/)).toBeVisible();
  await sheet.getByLabel('Reason for Kopi and Crumb').fill('I have a fever.');
  await sheet.getByRole('button', { name: 'Cancel booking' }).click();
  await expect(sheet).toBeHidden();
  await expect(visibleText(leila.page, 'You cancelled')).toBeVisible();

  await nadia.page.goto(theirs);
  await expect(visibleText(nadia.page, 'Cancelled late, less than 24 hours before the start')).toBeVisible();
  await expect(visibleText(nadia.page, 'I have a fever.')).toBeVisible();
});

test('a no-show is reported, and the worker contests it', async ({ parts, time }) => {
  const { nadia, leila, shift, hers, theirs } = await booked(parts);
  await toStart(time, shift, 61);
  await nadia.page.goto('/merchant-ongoing-jobs');
  await visibleButton(nadia.page, /^Report no-show/).click();
  const report = nadia.page.getByRole('dialog', { name: 'Report no-show' });
  await expect(report.getByText(/has 24\s+hours to contest the report/)).toBeVisible();
  await report.getByRole('button', { name: 'Report no-show' }).click();
  await expect(report).toBeHidden();

  await leila.page.goto(hers);
  await expect(visibleText(leila.page, /Kopi and Crumb reported that you didn't show up/)).toBeVisible();
  await visibleButton(leila.page, 'Contest report').click();
  const contest = leila.page.getByRole('dialog', { name: 'You were there' });
  await contest.getByLabel('What happened').fill('I rang at the door at ten and nobody opened.');
  await contest.getByRole('button', { name: 'Contest report' }).click();
  await expect(contest).toBeHidden();
  await expect(visibleText(leila.page, "We're reviewing what happened")).toBeVisible();

  await nadia.page.goto(theirs);
  await expect(visibleText(nadia.page, 'I rang at the door at ten and nobody opened.')).toBeVisible();
});

test('of two people deciding about one applicant at once, the second is told', async ({ parts }) => {
  const { nadia, shift, leila } = await applied(parts);
  const openHere = async (page: Person['page']) => {
    await page.goto(`/job-applicants/${shift.id}`);
    await page.getByRole('heading', { name: leila.name }).filter({ visible: true }).first().click();
    const actions = page.getByRole('group', { name: 'Actions', exact: true }).filter({ visible: true });
    await expect(actions.first()).toBeVisible();
    return actions.first();
  };
  // Colleagues can't be invited yet, so the owner uses two devices.
  const atTheTill = await nadia.elsewhere();
  // Signals would remove the buttons before the second press: this device gets none.
  await atTheTill.routeWebSocket(/\/api\/realtime/, (socket) => void socket.close());
  const here = await openHere(nadia.page);
  const there = await openHere(atTheTill);

  await here.getByRole('button', { name: 'Reject' }).click();
  const sheet = nadia.page.getByRole('dialog');
  await sheet.getByRole('radio').first().check();
  await sheet.getByRole('button', { name: /^Reject/ }).click();
  await expect(sheet).toBeHidden();

  await there.getByRole('button', { name: 'Shortlist' }).click();
  await expect(visibleText(atTheTill, /changed this first|now says|is now/)).toBeVisible();
});

test('an offline check-in stays on the device, survives a reload and is sent once', async ({
  parts,
  time,
}) => {
  const { nadia, leila, shift, hers, theirs } = await booked(parts);
  await toStart(time, shift, -20);
  await leila.context.setGeolocation(doorPosition);
  await leila.page.goto(hers);
  await expect(visibleButton(leila.page, 'Check in')).toBeVisible();

  await time.forward({ minutes: 5 });
  let sent = 0;
  leila.page.on('response', (response) => {
    if (response.url().endsWith('/check-in') && response.ok()) sent += 1;
  });
  await leila.context.setOffline(true);
  // The device's own clock, which may be seconds away from the test's.
  const deviceTime = async () => new Date(await leila.page.evaluate(() => Date.now()));
  const pressed = [await deviceTime()];
  await visibleButton(leila.page, 'Check in').click();
  const waiting = visibleText(leila.page, "Saved on this device. We'll send it when you're online.");
  await expect(waiting).toBeVisible();
  pressed.push(await deviceTime());

  // The page needs the network to load, so that returns first; the API does not respond yet.
  await leila.context.route('**/api/**', (route) => route.abort('connectionfailed'));
  await leila.context.setOffline(false);
  await leila.page.reload();
  await expect(waiting).toBeVisible();
  expect(sent).toBe(0);

  // The time of the press counts. The clocks move while nothing can be sent, or the press would appear
  // younger.
  await time.forward({ minutes: 31 });
  await leila.context.setOffline(true);
  await leila.context.unroute('**/api/**');
  await leila.context.setOffline(false);
  await expect(waiting).toBeHidden();
  await expect(exactText(leila.page, 'Checked in')).toBeVisible();
  await time.forward({ minutes: 1 });
  await leila.page.reload();
  await expect(exactText(leila.page, 'Checked in')).toBeVisible();
  expect(sent).toBe(1);

  await nadia.page.goto(theirs);
  await expect(
    visibleText(nadia.page, new RegExp(`Check-in (${pressed.map(clockOf).join('|')})`)),
  ).toBeVisible();
  await expect(visibleText(nadia.page, 'sent later')).toBeVisible();
});
