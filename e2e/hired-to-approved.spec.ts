import type { Page } from '@playwright/test';
import {
  clockOf,
  doorPosition,
  exactText,
  farAway,
  openShift,
  type Shift,
  visibleButton,
  visibleText,
} from './hiring.ts';
import { expect, test } from './moved-time.ts';

const minuteMs = 60_000;

/** A day in a date field's format, in Amsterdam, the browsers' zone. */
const dayOf = (instant: Date) => instant.toLocaleDateString('sv-SE', { timeZone: 'Europe/Amsterdam' });

async function openApplicant(page: Page, shift: Shift, name: string) {
  await page.goto(`/job-applicants/${shift.id}`);
  await page.getByRole('heading', { name }).filter({ visible: true }).first().click();
  const actions = page.getByRole('group', { name: 'Actions', exact: true }).filter({ visible: true }).first();
  return { do: (what: string) => actions.getByRole('button', { name: what }).click() };
}

async function addTime(page: Page, at: Date) {
  const form = page.getByRole('dialog');
  await form.getByLabel('Day').fill(dayOf(at));
  await form.getByLabel('Time', { exact: true }).fill(clockOf(at));
  await form.getByRole('button', { name: 'Add', exact: true }).click();
}

test('from an application to approved hours, with a rescheduled interview and disputed hours', async ({
  parts,
  time,
}) => {
  const { nadia, leila, shift } = await openShift(parts, { title: 'Weekend barista', daysAhead: 5 });
  const daysBefore = (days: number, hours = 0) =>
    new Date(shift.startsAt.getTime() - (days * 24 - hours) * 60 * minuteMs);
  const hers = (page: Page, path: string) => page.goto(`/tabs/menu/my-work/${path}`);

  await test.step('the worker applies', async () => {
    await leila.page.goto(`/job-desc/${shift.id}`);
    await leila.page.getByRole('link', { name: 'Apply for this job' }).click();
    await leila.page.getByLabel('Your message').fill('I have worked a bar for three years.');
    await visibleButton(leila.page, 'Continue').click();
    await visibleButton(leila.page, 'Send application').click();
    await expect(visibleText(leila.page, 'Application sent')).toBeVisible();
    await leila.page.getByRole('link', { name: 'See my application' }).click();
    await expect(leila.page).toHaveURL(/\/my-work\/[0-9a-f-]{36}$/);
  });
  const applicationId = leila.page.url().split('/').at(-1) ?? '';

  await test.step('the business shortlists and proposes an interview', async () => {
    const applicant = await openApplicant(nadia.page, shift, leila.name);
    await applicant.do('Shortlist');
    await expect(visibleText(nadia.page, 'Leila Haddad moved to “Shortlisted”')).toBeVisible();
    await applicant.do('Propose an interview');
    const form = nadia.page.getByRole('dialog', { name: 'Propose an interview to Leila Haddad' });
    await form.getByLabel('Meeting link').fill('https://meet.example/kopi');
    await addTime(nadia.page, daysBefore(3));
    await addTime(nadia.page, daysBefore(3, 2));
    await form.getByRole('button', { name: 'Propose 2 times' }).click();
    await expect(form).toBeHidden();
  });

  await test.step('the worker picks a time, then asks to reschedule', async () => {
    await hers(leila.page, applicationId);
    await leila.page.getByRole('link', { name: 'Pick a time' }).click();
    await expect(leila.page).toHaveURL(/\/interview\?id=/);
    await leila.page.getByRole('radio', { name: new RegExp(clockOf(daysBefore(3))) }).check();
    await visibleButton(leila.page, /^(Pick|Accept) /).click();
    await expect(exactText(leila.page, 'Scheduled')).toBeVisible();
    await visibleButton(leila.page, 'Request another time').click();
    await addTime(leila.page, daysBefore(3, 4));
    await addTime(leila.page, daysBefore(2));
    const form = leila.page.getByRole('dialog', { name: 'Request another time' });
    await form.getByLabel('Reason for Kopi and Crumb').fill('My train leaves at that time.');
    await form.getByRole('button', { name: 'Ask to reschedule' }).click();
    await expect(form).toBeHidden();
    await expect(exactText(leila.page, 'You asked to reschedule')).toBeVisible();
  });
  const interview = new URL(leila.page.url()).pathname + new URL(leila.page.url()).search;

  await test.step('the business picks one of the new times, and later enters the outcome', async () => {
    await nadia.page.goto(interview);
    await expect(visibleText(nadia.page, 'My train leaves at that time.')).toBeVisible();
    await nadia.page.getByRole('radio', { name: new RegExp(clockOf(daysBefore(3, 4))) }).check();
    await visibleButton(nadia.page, /^(Pick|Accept) /).click();
    await expect(exactText(nadia.page, 'Scheduled')).toBeVisible();

    await time.to(new Date(daysBefore(3, 4).getTime() + 20 * minuteMs));
    await nadia.page.goto(interview);
    await nadia.page.getByRole('radio', { name: /Move to offer/ }).check();
    await nadia.page.getByLabel('Private notes').fill('Calm under pressure.');
    await visibleButton(nadia.page, 'Save outcome').click();
    await expect(exactText(nadia.page, 'Completed')).toBeVisible();
  });

  await test.step('the business makes an offer, paid from the balance', async () => {
    const applicant = await openApplicant(nadia.page, shift, leila.name);
    await applicant.do('Make an offer');
    const form = nadia.page.getByRole('dialog', { name: 'Offer to Leila Haddad' });
    await expect(form.getByText('€108.90 will be set aside')).toBeVisible();
    await expect(form.getByRole('radio', { name: 'Balance, €2,000' })).toBeChecked();
    await form.getByRole('button', { name: 'Offer €99' }).click();
    await expect(form).toBeHidden();
  });

  await test.step('the worker sees that it is funded, accepts and confirms', async () => {
    await hers(leila.page, applicationId);
    await expect(exactText(leila.page, 'Funded')).toBeVisible();
    await expect(visibleText(leila.page, 'Your pay is secured')).toBeVisible();
    await visibleButton(leila.page, 'Accept for €99').click();
    await leila.page.getByRole('button', { name: 'Accept and be booked' }).click();
    await expect(leila.page).toHaveURL(/\/my-work\/engagement\//);
    await visibleButton(leila.page, "Confirm I'll be there").click();
    await expect(exactText(leila.page, 'Confirmed')).toBeVisible();
  });
  const work = new URL(leila.page.url()).pathname;

  await test.step('the worker checks in on site, not from afar', async () => {
    await time.to(new Date(shift.startsAt.getTime() - 15 * minuteMs));
    await leila.context.setGeolocation(farAway);
    await leila.page.goto(work);
    await visibleButton(leila.page, 'Check in').click();
    await expect(
      visibleText(leila.page, /^You're .+ from the site, too far away to check in\./),
    ).toBeVisible();
    await leila.context.setGeolocation(doorPosition);
    await expect(async () => {
      // The device may still report its previous position.
      const checkIn = visibleButton(leila.page, 'Check in');
      if (await checkIn.isVisible()) await checkIn.click({ timeout: 4_000 });
      await expect(exactText(leila.page, 'Checked in')).toBeVisible({ timeout: 4_000 });
    }).toPass({ timeout: 60_000 });
  });

  await test.step('the worker takes a break, checks out and submits the hours', async () => {
    await time.to(new Date(shift.startsAt.getTime() + 150 * minuteMs));
    await visibleButton(leila.page, 'Start break').click();
    await expect(exactText(leila.page, 'On break')).toBeVisible();
    await time.forward({ minutes: 30 });
    await visibleButton(leila.page, 'End break').click();
    await expect(visibleButton(leila.page, 'Start break')).toBeVisible();
    await time.to(new Date(shift.endsAt.getTime() + 31 * minuteMs));
    await visibleButton(leila.page, 'Check out').click();
    await visibleButton(leila.page, 'Submit hours').click();
    const form = leila.page.getByRole('dialog', { name: 'Your hours' });
    await form.getByLabel('From', { exact: true }).fill(clockOf(shift.startsAt));
    await form
      .getByLabel('To', { exact: true })
      .fill(clockOf(new Date(shift.endsAt.getTime() + 30 * minuteMs)));
    await form.getByLabel('Break', { exact: true }).fill('30');
    await form.getByRole('button', { name: 'Submit these hours' }).click();
    await expect(form).toBeHidden();
    await expect(exactText(leila.page, 'Hours submitted')).toBeVisible();
  });

  await test.step('the business proposes fewer hours', async () => {
    await nadia.page.goto('/merchant-ongoing-jobs');
    await nadia.page.getByText(leila.name).filter({ visible: true }).first().click();
    await visibleButton(nadia.page, 'Propose other hours').click();
    const form = nadia.page.getByRole('dialog', { name: 'Propose other hours' });
    await form.getByLabel('From', { exact: true }).fill(clockOf(shift.startsAt));
    await form.getByLabel('To', { exact: true }).fill(clockOf(shift.endsAt));
    await form.getByLabel('Break', { exact: true }).fill('30');
    await form.getByLabel('Reason').fill('We closed at four.');
    await form.getByRole('button', { name: 'Propose €99' }).click();
    await expect(form).toBeHidden();
  });

  await test.step('the worker counters with hours in between', async () => {
    await leila.page.goto(work);
    await expect(visibleText(leila.page, 'Kopi and Crumb proposed other hours')).toBeVisible();
    await expect(visibleText(leila.page, 'We closed at four.')).toBeVisible();
    await visibleButton(leila.page, 'Other hours').click();
    const form = leila.page.getByRole('dialog', { name: 'Propose other hours' });
    await form.getByLabel('From', { exact: true }).fill(clockOf(shift.startsAt));
    await form
      .getByLabel('To', { exact: true })
      .fill(clockOf(new Date(shift.endsAt.getTime() + 15 * minuteMs)));
    await form.getByLabel('Break', { exact: true }).fill('30');
    await form.getByLabel('Note').fill('I cleaned up for a quarter of an hour.');
    await form.getByRole('button', { name: 'Submit these hours' }).click();
    await expect(form).toBeHidden();
    await expect(exactText(leila.page, 'Hours submitted')).toBeVisible();
  });

  await test.step('the business adds what the hold lacks for overtime, and releases the rest', async () => {
    await nadia.page.goto('/merchant-ongoing-jobs');
    await nadia.page.getByText(leila.name).filter({ visible: true }).first().click();
    await expect(visibleText(nadia.page, 'I cleaned up for a quarter of an hour.')).toBeVisible();
    await nadia.page.getByRole('link', { name: 'Release €103.50' }).filter({ visible: true }).first().click();
    await expect(nadia.page).toHaveURL(/\/release-payment/);
    await expect(visibleText(nadia.page, /^The hold is €4.95 short/)).toBeVisible();
    await visibleButton(nadia.page, 'Add €4.95 and release €4.50').click();
    const question = nadia.page.getByRole('dialog', { name: 'Release €4.50 to Leila?' });
    await question.getByRole('button', { name: 'Release €4.50' }).click();
    await expect(visibleText(nadia.page, 'Nothing to release')).toBeVisible();
  });

  await test.step('both see the work completed, and the worker sees the pay in their balance', async () => {
    await nadia.page.goto('/completed-job');
    await expect(visibleText(nadia.page, 'Leila Haddad')).toBeVisible();
    await expect(visibleText(nadia.page, '€103.50 of €99 agreed')).toBeVisible();
    await leila.page.goto(work);
    await expect(exactText(leila.page, 'Completed')).toBeVisible();
    await expect(exactText(leila.page, 'Paid to your balance')).toBeVisible();
    await leila.page.goto('/withdraw');
    await expect(exactText(leila.page, '€103.50')).toBeVisible();
  });
});
