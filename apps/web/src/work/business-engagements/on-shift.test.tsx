import { engagementPath } from '@nearhand/contract/app-paths';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { EngagementCard, WorkingPerson } from '@nearhand/contract/work/engagements';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press, setOnline, signal } from '../../../test/device.ts';
import { type Handlers, never, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { sampleJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { sampleHold } from '../../money/holds/holds.fixtures.ts';
import { sampleCharge } from '../../money/wallet/wallet.fixtures.ts';
import { sampleEngagement, sampleTerms, sampleWork } from '../engagements/engagements.fixtures.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const none = { due: 0, late: 0, here: 0, to_approve: 0, unsettled: 0, no_show: 0, ended: 0 };
const terms = sampleTerms({ startsAt: '2026-11-21T08:00:00Z', endsAt: '2026-11-21T14:00:00Z' });
const here = sampleWork({
  side: 'business',
  status: 'in_progress',
  checkedInAt: '2026-11-21T07:55:00Z',
  terms,
  actions: [],
});
const late = sampleWork({
  id: id('e2'),
  side: 'business',
  status: 'confirmed',
  terms,
  actions: ['report-no-show'],
  worker: { id: id('a3'), name: 'Omar Said', photoPath: null },
});

function open(
  groups: Partial<Record<string, EngagementCard[]>>,
  api: Handlers = {},
  path = '/merchant-ongoing-jobs',
  width = 390,
) {
  const counts = { ...none };
  for (const [group, work] of Object.entries(groups))
    if (group in counts) counts[group as keyof typeof counts] = work?.length ?? 0;
  return renderApp(path, {
    session: 'business',
    width,
    now: '2026-11-21T08:30:00Z',
    api: {
      'engagements.forBusiness': ({ group }) => ({
        items: groups[group ?? ''] ?? [],
        nextCursor: null,
        counts,
      }),
      'engagements.get': ({ engagementId }) =>
        sampleEngagement([here, late].find((card) => card.id === engagementId) ?? here),
      'interviews.mine': never,
      ...api,
    },
  });
}

describe('who is working now', () => {
  it('lists everyone of all businesses by branch, with their state, and filters by it', async () => {
    const person = (end: string, change: Partial<WorkingPerson>): WorkingPerson => ({
      engagementId: id(end),
      status: 'confirmed',
      name: `Worker ${end}`,
      title: 'Barista',
      startsAt: '2026-11-21T08:00:00Z',
      endsAt: '2026-11-21T14:00:00Z',
      timeZone: 'Europe/Amsterdam',
      checkedInAt: null,
      business: { id: id('b1'), name: 'Café Zilverlinde' },
      branch: { id: id('c1'), name: 'Jordaan' },
      ...change,
    });
    const people = [
      person('e1', { status: 'completed' }),
      person('e2', { status: 'checked_in' }),
      person('e3', {}),
      person('e4', { branch: null, startsAt: '2026-11-21T12:00:00Z', status: 'booked' }),
    ];
    open({}, { 'engagements.workingNow': { people, more: false } }, '/working-now');
    const jordaan = await screen.findByRole('region', { name: 'Café Zilverlinde, Jordaan' });
    expect(
      within(jordaan)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^Worker e3Barista.*09:00.*15:00.*Late$/),
      expect.stringMatching(/^Worker e2.*On site$/),
      expect.stringMatching(/^Worker e1.*Completed$/),
    ]);
    expect(within(jordaan).getAllByRole('link')[0]?.getAttribute('href')).toBe(
      engagementPath(id('e3'), 'business'),
    );
    await press('Upcoming 1');
    expect(screen.getAllByRole('region').map((place) => place.getAttribute('aria-label'))).toEqual([
      'Café Zilverlinde',
    ]);
  });
});

describe('who is working now, without businesses that can be read', () => {
  const show = (api: Handlers) => open({}, { 'engagements.workingNow': never, ...api }, '/working-now');

  it('offers to register one if there is none', async () => {
    show({ 'businesses.mine': [], 'team.removals': [] });
    expect(await screen.findByText('Register a business to see who is working for it.')).toBeTruthy();
  });

  it('says that they could not be read', async () => {
    show({
      'businesses.mine': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load your business")).toBeTruthy();
  });
});

describe('hours to approve', () => {
  const waiting = (end: string, change: Partial<EngagementCard>) =>
    sampleWork({
      id: id(end),
      side: 'business',
      status: 'submitted',
      checkedInAt: '2026-11-21T08:00:00Z',
      checkedOutAt: '2026-11-21T14:00:00Z',
      terms,
      actions: ['approve'],
      worker: { id: id(`a${end.at(-1)}`), name: `Worker ${end}`, photoPath: null },
      ...change,
    });
  const planned = ['e3', 'e4'].map((end) => waiting(end, { asPlanned: true }));
  const above = waiting('e5', { claimFlags: ['beyond_record'] });

  it('are approved together where they are as planned, and never in one press above the record', async () => {
    open({ to_approve: [...planned, above] });
    expect(await screen.findByText('2 worked as planned, €216 in total')).toBeTruthy();
    expect(screen.getByText(/^Not Worker e5: hours that differ/)).toBeTruthy();
    expect(screen.getByText('More than recorded')).toBeTruthy();
    expect(screen.getAllByRole('button', { name: /^Approve €108/ })).toHaveLength(2);
    expect(screen.getByRole('link', { name: /^Review hours.*Worker e5/ }).getAttribute('href')).toBe(
      `/release-payment?engagement=${above.id}`,
    );
  });
});

describe('who is on shift', () => {
  it('starts with the late', async () => {
    const { api } = open({ here: [here], late: [late] });
    expect(await screen.findByText('Omar Said')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Late 1' }).getAttribute('aria-pressed')).toBe('true');
    expect(api.inputs('engagements.forBusiness').at(-1)?.group).toBe('late');
  });

  it("shows the address's group, and that it is empty", async () => {
    open({ here: [here] }, {}, '/merchant-ongoing-jobs?group=late');
    expect(await screen.findByText('No one is late.')).toBeTruthy();
    await press('Started 1');
    expect(await screen.findByText('Leila Haddad')).toBeTruthy();
  });

  it('keeps the chosen group and person in the address', async () => {
    open({ here: [here], late: [late] }, {}, `/merchant-ongoing-jobs?engagement=${late.id}`, 1280);
    expect(await screen.findByText(/to Omar Said$/)).toBeTruthy();
    await press('Late 1');
    await waitFor(() => expect(location.search).toBe(`?group=late&engagement=${late.id}`));
    await press('Started 1');
    expect(await screen.findByText(/to Leila Haddad$/)).toBeTruthy();
    expect(location.search).toBe(`?group=here&engagement=${here.id}`);
  });

  it('lists no empty group, and follows a report that emptied one', async () => {
    const reported = sampleEngagement({ ...late, status: 'no_show_reported', actions: [] });
    const { api } = renderApp('/merchant-ongoing-jobs?group=late', {
      session: 'business',
      width: 1280,
      now: '2026-11-21T08:30:00Z',
      api: {
        'engagements.forBusiness': { items: [late], nextCursor: null, counts: { ...none, late: 1 } },
        'engagements.get': sampleEngagement(late),
        'interviews.mine': never,
      },
    });
    expect(await screen.findByRole('button', { name: 'Late 1' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Upcoming/ })).toBeNull();
    await screen.findByText(/^€\d+ to Omar Said/);
    api.on({
      'engagements.forBusiness': ({ group }) => ({
        items: group === 'no_show' ? [reported] : [],
        nextCursor: null,
        counts: { ...none, no_show: 1 },
      }),
      'engagements.get': reported,
    });
    signal({ kind: 'record', record: 'engagement', id: late.id });
    const group = await screen.findByRole('button', { name: 'No-shows 1' });
    await waitFor(() => expect(group.getAttribute('aria-pressed')).toBe('true'));
    expect(screen.queryByText(/to Omar Said$/)).toBeNull();
  });

  it('links to the applicants if nobody was ever hired', async () => {
    open({});
    expect(await screen.findByText('No one hired yet')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See your applicants' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Late/ })).toBeNull();
  });

  it('shows roles without access what they lack, without a retry', async () => {
    open({}, { 'businesses.mine': [sampleBusiness({ role: 'finance' })] });
    expect(await screen.findByText("Your role doesn't include this")).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('follows a check-in live', async () => {
    const { api } = open({ late: [late] });
    await screen.findByText('Omar Said');
    api.on({
      'engagements.forBusiness': { items: [], nextCursor: null, counts: { ...none, here: 1 } },
    });
    signal({ kind: 'record', record: 'engagement', id: late.id });
    await waitFor(() => expect(screen.queryByText('Omar Said')).toBeNull());
    expect(await screen.findByRole('button', { name: 'Started 1' })).toBeTruthy();
  });

  const search = {
    engagementId: late.id,
    jobId: id('b9'),
    giveawayId: null,
    state: 'looking' as const,
    invitedCount: 3,
    answerCount: 1,
    publicAt: '2026-11-21T17:00:00Z',
    startsAt: '2026-11-21T19:00:00Z',
    timeZone: 'Europe/Amsterdam',
  };
  it('reports a no-show once, with its consequences', async () => {
    const { api } = open({ late: [late] });
    await screen.findByText('Omar Said');
    await press(/^Report no-show/);
    const dialog = within(await screen.findByRole('dialog'));
    const reported = sampleEngagement({ ...late, status: 'no_show_reported', actions: [] });
    api.on({
      'engagements.reportNoShow': reported,
      'engagements.get': reported,
      'replacements.find': { ...search, publicAt: null },
    });
    const [send] = dialog.getAllByRole('button', { name: /^Report/ }).slice(-1);
    fireEvent.click(send as HTMLElement);
    fireEvent.click(send as HTMLElement);
    await waitFor(() => expect(api.calls('engagements.reportNoShow')).toHaveLength(1));
  });

  const words = /^Looking: 3 asked, 1 answered, public from 18:00/;

  it.each([
    [() => ({ ...search, publicAt: null }), /^Reported\. .* looking for a replacement\.$/],
    [
      () => {
        throw refuse('job/open-limit', { limit: 3, dates: 7 });
      },
      /^Reported, and Omar Said is notified\. The search .* didn't start: \S/,
    ],
  ])(
    'looks for a replacement in the press that reports a no-show, and names both results',
    async (find, text) => {
      const reported = sampleEngagement({ ...late, status: 'no_show_reported', actions: [] });
      const { api } = open(
        { late: [late] },
        { 'engagements.reportNoShow': reported, 'replacements.find': find },
      );
      await press(/^Report no-show/);
      const form = within(await screen.findByRole('dialog'));
      expect((form.getByRole('checkbox', { name: /^Find a replacement/ }) as HTMLInputElement).checked).toBe(
        true,
      );
      fireEvent.click(form.getByRole('button', { name: 'Report no-show' }));
      expect(await screen.findByText(text)).toBeTruthy();
      expect(api.inputs('replacements.find')).toEqual([{ engagementId: late.id }]);
      expect(screen.queryByText(/You can't do this any more/)).toBeNull();
    },
  );

  it('says in the list how the search for a replacement is going', async () => {
    open({ late: [late] }, { 'replacements.list': { items: [search], publicAfterMinutes: 60 } });
    expect(await screen.findByText(words)).toBeTruthy();
  });

  const openCancelled = async (api: Handlers, job: Partial<Job> = {}) => {
    const cancelled = sampleEngagement({
      ...late,
      terms: sampleTerms({ startsAt: '2026-11-21T19:00:00Z', endsAt: '2026-11-21T23:00:00Z' }),
      status: 'cancelled_by_worker',
      actions: [],
      cancelled: { late: true, compensationMinor: 0, reason: 'Ill' },
    });
    const page = open(
      {},
      { 'engagements.get': cancelled, 'jobs.get': sampleJob({ instantHire: false, ...job }), ...api },
      engagementPath(late.id, 'business'),
    );
    return { ...page, card: within(await screen.findByRole('region', { name: 'Replacement' })) };
  };

  it('begins a search on a cancelled booking, after the time of the business, and leads on from there', async () => {
    const { api, card } = await openCancelled({}, { status: 'open', spotsLeft: 1 });
    const choices = await card.findByLabelText<HTMLSelectElement>('Show it to everyone');
    expect([...choices.options].map(({ value }) => value)).toEqual(['0', '30', '60', '120', '240', '315']);
    fireEvent.change(choices, { target: { value: '240' } });
    api.on({
      'replacements.find': search,
      'replacements.list': { items: [search], publicAfterMinutes: 240 },
    });
    fireEvent.click(card.getByRole('button', { name: 'Find a replacement' }));
    expect(await card.findByText(words)).toBeTruthy();
    expect(api.inputs('replacements.find')).toEqual([{ engagementId: late.id, publicAfterMinutes: 240 }]);
    expect(card.getByRole('link', { name: 'Find workers' }).getAttribute('href')).toBe(
      `/find-workers?job=${search.jobId}`,
    );
    expect(card.getByRole('link', { name: 'See applicants' })).toBeTruthy();
  });

  it.each([
    { status: 'open' as const, spotsLeft: 2 },
    { status: 'open' as const, spotsLeft: 1, instantHire: true },
  ])('asks for no time until everyone sees a spot that can’t be hidden', async (job) => {
    const { api, card } = await openCancelled({}, job);
    await waitFor(() => expect(api.calls('jobs.get').length).toBeGreaterThan(0));
    expect(await card.findByRole('button', { name: 'Find a replacement' })).toBeTruthy();
    expect(card.queryByLabelText('Show it to everyone')).toBeNull();
  });

  it('shows that a replacement couldn’t be loaded, and reads it again', async () => {
    const { api, card } = await openCancelled({
      'replacements.list': () => {
        throw refuse('business/not-allowed');
      },
    });
    expect(await card.findByText("We couldn't load the replacement")).toBeTruthy();
    api.on({ 'replacements.list': { items: [search], publicAfterMinutes: 60 } });
    fireEvent.click(card.getByRole('button', { name: 'Try again' }));
    expect(await card.findByText(words)).toBeTruthy();
  });

  it('leads to applicants and saved workers when a shift is too short for a search', async () => {
    const short = sampleTerms({ startsAt: '2026-11-21T07:00:00Z', endsAt: '2026-11-21T09:45:00Z' });
    const reported = sampleEngagement({ ...late, terms: short, status: 'no_show_reported', actions: [] });
    const { card } = await openCancelled({ 'engagements.get': reported });
    expect(await card.findByRole('link', { name: 'Saved workers' })).toBeTruthy();
    expect(card.getByRole('link', { name: 'See applicants' })).toBeTruthy();
    expect(card.queryByRole('button')).toBeNull();
  });

  it('doesn’t say that nobody can come before anyone was asked', async () => {
    const inReview = { ...search, state: 'in_review' as const, invitedCount: 0, answerCount: 0 };
    const { card } = await openCancelled({
      'replacements.list': { items: [inReview], publicAfterMinutes: 60 },
    });
    expect(await card.findByText('In review before we ask anyone')).toBeTruthy();
    expect(card.queryByText(/^Nobody/)).toBeNull();
    expect(card.queryByRole('button')).toBeNull();
  });

  it('keeps the reason and “sending home early” of a form that was closed', async () => {
    const working = { ...here, status: 'checked_in' as const, actions: ['check-out-for' as const] };
    const { api } = open(
      {},
      { 'engagements.get': sampleEngagement(working) },
      engagementPath(working.id, 'business'),
    );
    const openForm = async () => {
      await press('Record check-out');
      return within(await screen.findByRole('dialog'));
    };
    const form = await openForm();
    fireEvent.change(await form.findByLabelText(/^Reason/), { target: { value: 'No guests' } });
    fireEvent.click(form.getByRole('checkbox', { name: /home early/ }));
    fireEvent.click(form.getByRole('button', { name: 'Not now' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await openForm();
    api.on({
      'attendance.checkOutFor': sampleEngagement({ ...working, status: 'checked_out', actions: [] }),
    });
    await press(/^Check Leila Haddad out now/);
    await waitFor(() =>
      expect(api.inputs('attendance.checkOutFor')).toMatchObject([{ reason: 'No guests', sentHome: true }]),
    );
  });

  it('shows what cancelling costs once it isn’t free any more, and sends what it showed', async () => {
    const booked = { ...late, actions: ['cancel' as const] };
    const costs = { late: true, compensationMinor: 5_250 };
    const read = (freeUntil: string | null) =>
      sampleEngagement({ ...booked, cancelling: { ...costs, freeUntil, setAsideAgain: false } });
    const { api } = open(
      {},
      { 'engagements.get': read('2026-11-21T08:31:00Z') },
      engagementPath(booked.id, 'business'),
    );
    await press('Cancel booking');
    const form = within(await screen.findByRole('dialog'));
    expect(await form.findByText(/until 09:31 cancelling is free/)).toBeTruthy();
    fireEvent.change(form.getByLabelText(/^Reason/), { target: { value: 'Closed' } });
    api.on({
      'engagements.get': read(null),
      'engagements.cancel': () => {
        throw refuse('engagement/costs-more', costs);
      },
    });
    fireEvent.click(form.getByRole('button', { name: 'Cancel booking' }));
    expect(await form.findByText(/By now it’s a late cancellation/)).toBeTruthy();
    fireEvent.click(await form.findByRole('button', { name: 'Cancel booking and pay €52.50' }));
    await waitFor(() =>
      expect(api.inputs('engagements.cancel').map(({ expects }) => expects)).toEqual([
        { late: false, compensationMinor: 0 },
        costs,
      ]),
    );
  });

  it.each([
    ['is here', 'in_progress', '2026-11-21T14:00:00Z', 1],
    ['has left', 'checked_out', '2026-11-21T14:00:00Z', 1],
    ['has left at the end', 'checked_out', '2026-11-21T08:20:00Z', 0],
  ] as const)(
    'shows the code while a worker who %s can check in again',
    async (_, status, endsAt, buttons) => {
      open({ here: [sampleWork({ ...here, status, terms: { ...terms, endsAt } })] });
      await screen.findByText('Leila Haddad');
      expect(screen.queryAllByRole('button', { name: /^Show code/ })).toHaveLength(buttons);
    },
  );

  it('shows the payment that a bank must confirm for pay set aside later', async () => {
    const planned = { at: '2026-11-20T08:00:00Z', by: '2026-11-25T08:00:00Z' };
    const actionUrl = 'https://bank.example/confirm';
    open(
      {},
      {
        'engagements.get': sampleEngagement({
          ...late,
          status: 'booked',
          funding: 'planned',
          plannedHoldId: id('b1'),
          terms: sampleTerms({ plannedFunding: planned }),
        }),
        'holds.get': sampleHold({
          fundAt: planned.at,
          fundBy: planned.by,
          engagementId: late.id,
          charge: sampleCharge({ status: 'requires_action', actionUrl }),
        }),
        'charges.get': sampleCharge({ status: 'requires_action', actionUrl }),
      },
      engagementPath(late.id, 'business'),
    );
    const link = await screen.findByRole('link', { name: 'Confirm with your bank' });
    expect(link.getAttribute('href')).toBe(actionUrl);
    expect(screen.getByText(/If the money hasn’t arrived by .*25 Nov/)).toBeTruthy();
  });

  it("shows a job's code, and loads the next one when it ends", async () => {
    const booked = sampleWork({ ...late, id: id('e5') });
    const { api } = open(
      { late: [booked] },
      { 'attendance.siteCode': { code: '123456', validUntil: '2026-11-21T08:31:00Z', ahead: ['234567'] } },
    );
    await press(/^Show code/);
    const sheet = within(await screen.findByRole('dialog', { name: 'Check-in code' }));
    expect(await sheet.findByText(/123.?456/)).toBeTruthy();
    expect(api.inputs('attendance.siteCode')).toEqual([{ jobId: booked.jobId }]);
  });

  const booked = sampleWork({ ...late, id: id('e5') });
  const code = { code: '123456', validUntil: '2026-11-21T08:31:00Z', ahead: ['234567'] };
  const isMarked = (name: RegExp) =>
    within(screen.getByRole('button', { name })).queryByText('Needs a connection') !== null;

  it('shows without a network only a code that this device has', async () => {
    const { api } = open({ late: [booked] }, { 'attendance.siteCode': code });
    await screen.findByRole('button', { name: /^Show code/ });
    setOnline(api, false);
    expect(isMarked(/^Show code/)).toBe(true);
    await press(/^Show code/);
    expect(screen.queryByRole('dialog')).toBeNull();
    setOnline(api, true);
    expect(isMarked(/^Show code/)).toBe(false);
    await press(/^Show code/);
    const sheet = within(await screen.findByRole('dialog', { name: 'Check-in code' }));
    await sheet.findByText(/123.?456/);
    setOnline(api, false);
    expect(isMarked(/^Show code/)).toBe(false);
    expect(sheet.getByText(/The code keeps changing and works/)).toBeTruthy();
    expect(sheet.getByRole('button', { name: 'Show full screen' })).toBeTruthy();
  });

  it('shows why there is no code when the network dropped before it loaded, without full screen', async () => {
    const { api } = open({ late: [booked] }, { 'attendance.siteCode': never });
    await press(/^Show code/);
    const sheet = within(await screen.findByRole('dialog', { name: 'Check-in code' }));
    setOnline(api, false);
    expect(sheet.getByText(/this code isn't on this device yet/)).toBeTruthy();
    expect(sheet.queryByRole('button', { name: 'Show full screen' })).toBeNull();
    expect(sheet.queryByText(/can type or scan this code/)).toBeNull();
  });

  it('shows when the codes are used up', async () => {
    const { api } = open({ late: [booked] }, { 'attendance.siteCode': { ...code, ahead: [] } });
    await press(/^Show code/);
    const sheet = within(await screen.findByRole('dialog', { name: 'Check-in code' }));
    await sheet.findByText(/123.?456/);
    setOnline(api, false);
    vi.setSystemTime(new Date('2026-11-21T08:31:01Z'));
    expect(await sheet.findByText(/the codes on this device are used up/)).toBeTruthy();
    expect(sheet.queryByRole('button', { name: 'Show full screen' })).toBeNull();
  });
});
