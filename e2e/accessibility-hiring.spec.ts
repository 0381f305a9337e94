import { judge, requireNoViolations, withoutMotion } from './axe.ts';
import {
  applyForJob,
  exactText,
  openShift,
  recordAttendance,
  shiftOf,
  signedInPerson,
  visibleButton,
} from './hiring.ts';
import { expect, test } from './moved-time.ts';
import { password } from './people.ts';

const hourMs = 3_600_000;

test.use(withoutMotion);

test('the flow from applicants to approved hours is accessible in light and dark', async ({
  parts,
  time,
}) => {
  test.setTimeout(420_000);
  const {
    nadia,
    leila,
    business,
    shift: today,
  } = await openShift(parts, { title: 'Weekend barista', daysAhead: 2 });
  const later = await shiftOf(nadia, business.id, time, {
    title: 'Evening bar',
    daysAhead: 9,
    headCount: 2,
  });
  const kwame = await signedInPerson(parts, 'Kwame Mensah', 'work');
  const hired = await applyForJob(leila, today.id);
  const first = await nadia.api('POST', `/applications/${hired.id}/offers`, { message: '' });
  const { engagementId } = await leila.api('POST', `/offers/${first.id}/accept`, {
    version: first.version,
  });
  const hers = await applyForJob(leila, later.id);
  const his = await applyForJob(kwame, later.id);

  await test.step('the pipeline', async () => {
    await requireNoViolations(nadia.page, `/job-applicants/${later.id}`);
    await nadia.page.getByRole('button', { name: 'Actions for Kwame Mensah' }).first().click();
    await expect(nadia.page.getByRole('dialog', { name: 'Kwame Mensah' })).toBeVisible();
    await judge(nadia.page, 'the menu of an applicant');
    await requireNoViolations(nadia.page, `/job-applicants/${later.id}?applicant=${his.id}`);
    await nadia.page
      .getByRole('group', { name: 'Actions', exact: true })
      .getByRole('button', { name: 'Reject' })
      .click();
    await expect(nadia.page.getByRole('dialog')).toBeVisible();
    await judge(nadia.page, 'turning down');
    await requireNoViolations(nadia.page, '/all-job-applicants');
  });

  await test.step('interviews', async () => {
    const seen = await nadia.api('GET', `/applicants/${his.id}`);
    await nadia.api('POST', `/applications/${his.id}/shortlist`, { version: seen.version });
    await requireNoViolations(nadia.page, '/to-interview');
    const interview = await nadia.api('POST', `/applications/${his.id}/interviews`, {
      mode: 'video',
      where: 'https://meet.example/kopi',
      minutes: 30,
      message: 'A short talk about the evening.',
      slots: [30, 54].map((hours) => new Date(time.now().getTime() + hours * hourMs).toISOString()),
    });
    await requireNoViolations(kwame.page, `/interview?id=${interview.id}`);
    await requireNoViolations(kwame.page, '/interview');
    await requireNoViolations(kwame.page, `/tabs/menu/my-work/${his.id}`);
    await requireNoViolations(nadia.page, `/interview?id=${interview.id}`);
  });

  await test.step('an offer, and my work', async () => {
    await requireNoViolations(nadia.page, `/job-applicants/${later.id}?applicant=${hers.id}`);
    await visibleButton(nadia.page, 'Make an offer').click();
    await expect(visibleButton(nadia.page, /^Offer €/)).toBeVisible();
    await judge(nadia.page, 'making an offer');
    await nadia.api('POST', `/applications/${hers.id}/offers`, { message: 'You were good on Saturday.' });
    await requireNoViolations(leila.page, `/tabs/menu/my-work/${hers.id}`);
    await requireNoViolations(leila.page, '/tabs/menu/my-work');
    await requireNoViolations(leila.page, '/tabs/menu/my-work?view=calendar');
  });

  await test.step('booked work', async () => {
    const path = `/tabs/menu/my-work/engagement/${engagementId}`;
    await time.to(new Date(today.startsAt.getTime() - hourMs / 2));
    await requireNoViolations(leila.page, path);
    await visibleButton(leila.page, "I'm running late").click();
    await expect(leila.page.getByRole('dialog', { name: 'Running late' })).toBeVisible();
    await judge(leila.page, 'running late');
    await nadia.page.goto(`/tabs/menu/jobs/engagement/${engagementId}`);
    await visibleButton(nadia.page, 'Record check-in').click();
    await expect(nadia.page.getByRole('dialog', { name: 'Record check-in' })).toBeVisible();
    await judge(nadia.page, 'checking someone in');
    await recordAttendance(leila, engagementId, 'check-in', time.now());
    await requireNoViolations(leila.page, path);
    await requireNoViolations(nadia.page, '/merchant-ongoing-jobs');
    await visibleButton(nadia.page, /^Show code/).click();
    await expect(nadia.page.getByRole('dialog')).toBeVisible();
    await judge(nadia.page, 'the code of the place');
  });

  await test.step('hours', async () => {
    const path = `/tabs/menu/my-work/engagement/${engagementId}`;
    await time.to(new Date(today.endsAt.getTime() + hourMs));
    const left = await recordAttendance(leila, engagementId, 'check-out', time.now());
    await leila.page.goto(path);
    await visibleButton(leila.page, 'Submit hours').click();
    await expect(visibleButton(leila.page, 'Submit these hours')).toBeVisible();
    await judge(leila.page, 'sending hours');
    const sent = await leila.api('POST', `/engagements/${engagementId}/hours`, {
      version: left.version,
      startsAt: today.startsAt.toISOString(),
      endsAt: new Date(today.endsAt.getTime() + hourMs).toISOString(),
      breakMinutes: 30,
      note: 'The last guests stayed.',
    });
    await requireNoViolations(nadia.page, `/tabs/menu/jobs/engagement/${engagementId}`);
    await visibleButton(nadia.page, 'Propose other hours').click();
    await expect(nadia.page.getByRole('dialog', { name: 'Propose other hours' })).toBeVisible();
    await judge(nadia.page, 'proposing other hours');
    await nadia.page.keyboard.press('Escape');
    await visibleButton(nadia.page, 'Open a dispute').click();
    await expect(nadia.page.getByRole('dialog', { name: 'Open a dispute' })).toBeVisible();
    await judge(nadia.page, 'opening a dispute');
    await nadia.page.keyboard.press('Escape');
    const counter = await nadia.api('POST', `/engagements/${engagementId}/counter`, {
      version: sent.version,
      startsAt: today.startsAt.toISOString(),
      endsAt: today.endsAt.toISOString(),
      breakMinutes: 30,
      note: 'We closed at four.',
    });
    await requireNoViolations(leila.page, path);
    await leila.api('POST', `/engagements/${engagementId}/accept-counter`, { version: counter.version });
    await leila.page.goto(path);
    await expect(exactText(leila.page, 'Completed')).toBeVisible();
    await judge(leila.page, 'completed work');
    await requireNoViolations(nadia.page, '/completed-job');
  });

  await test.step('money', async () => {
    await requireNoViolations(leila.page, '/withdraw');
    await visibleButton(leila.page, 'Add a bank account').click();
    await expect(leila.page.getByRole('dialog', { name: 'Add a bank account' })).toBeVisible();
    await judge(leila.page, 'a bank account');
    const answer = await leila.context.request.post('/sandbox/tokens', {
      data: {
        kind: 'bank',
        holderName: leila.name,
        country: 'NL',
        currency: 'EUR',
        iban: 'NL89NRHD0000009000',
      },
    });
    const { token } = (await answer.json()) as { token: string };
    await leila.context.request.post('/api/auth/verify-password', {
      data: { email: leila.email, password },
      headers: { origin: new URL(leila.page.url()).origin },
    });
    await leila.api('POST', '/payout-methods', { token });
    await time.forward({ days: 6 });
    await leila.page.goto('/withdraw');
    await leila.page.getByLabel('Withdraw', { exact: true }).fill('20');
    await visibleButton(leila.page, 'Withdraw €20').click();
    await expect(leila.page.getByRole('dialog', { name: 'Withdraw' })).toBeVisible();
    await judge(leila.page, 'before a withdrawal');
    await visibleButton(leila.page, 'Not now').click();
    await leila.page.getByLabel('Withdraw', { exact: true }).fill('99999');
    await judge(leila.page, 'more than there is');
    await requireNoViolations(leila.page, '/user-transaction');
    await leila.page.locator('.statement-month .li').first().click();
    await expect(leila.page.getByText('Evidence')).toBeVisible();
    await judge(leila.page, 'an entry of a worker');
    await requireNoViolations(nadia.page, '/merchant-transaction');
    const entries = nadia.page.locator('.statement-month .li, .tbl .link');
    await entries.filter({ hasText: 'Release' }).first().click();
    await expect(nadia.page.getByText('Evidence')).toBeVisible();
    await judge(nadia.page, 'an entry of a business');
    await requireNoViolations(nadia.page, '/release-payment');
    await nadia.page.goto('/my-business');
    await expect(nadia.page.getByRole('heading', { name: 'Figures' })).toBeVisible();
    await visibleButton(nadia.page, /^Show table\s*: Spend/).click();
    await judge(nadia.page, 'the figures of a business');
  });
});
