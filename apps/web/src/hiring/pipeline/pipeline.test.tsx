import { engagementPath } from '@nearhand/contract/app-paths';
import type { Applicant, ApplicantGroup, Stage } from '@nearhand/contract/hiring/applicants';
import { groupHas } from '@nearhand/contract/hiring/applications.rules';
import type { Board } from '@nearhand/contract/hiring/pipeline';
import { onlineManager } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deviceZone, press, signal } from '../../../test/device.ts';
import { type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { sampleOffer } from '../../../test/offers.fixtures.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { address, goBack, renderApp } from '../../../test/render-app.tsx';
import { sampleWallet } from '../../money/wallet/wallet.fixtures.ts';
import { sampleEngagement, sampleTerms } from '../../work/engagements/engagements.fixtures.ts';
import { sampleJob } from '../jobs/jobs.fixtures.ts';
import { sampleApplicant } from './pipeline.fixtures.ts';

// Set before the sample shift, because a shift that has started is no longer paused.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const job = sampleJob({ actions: ['edit', 'see-applicants'] });
const leila = sampleApplicant({ actions: ['shortlist', 'reject', 'propose-interview', 'offer', 'view'] });
const omar = sampleApplicant({
  id: id('c2'),
  stage: 'shortlisted',
  status: 'shortlisted',
  actions: ['unshortlist', 'reject', 'offer'],
  worker: { ...leila.worker, workerId: id('d2'), name: 'Omar Said' },
});
const board = (stages: Partial<Board['stages']>, change: Partial<Board> = {}): Board => ({
  stages: { new: 0, shortlisted: 0, interviewing: 0, offered: 0, hired: 0, done: 0, ended: 0, ...stages },
  job: null,
  waiting: { count: 0, unopened: 0, firstDecideBy: null },
  ...change,
});

function open(applicants: Applicant[], api: Handlers = {}, options: { width?: number; path?: string } = {}) {
  const byId = new Map(applicants.map((applicant) => [applicant.id, applicant]));
  const move = (applicationId: string, change: Partial<Applicant>): Applicant => {
    const before = byId.get(applicationId) ?? leila;
    const after = { ...before, ...change, version: before.version + 1 };
    byId.set(applicationId, after);
    return after;
  };
  const list = ({ stage, group }: { stage?: Stage; group?: ApplicantGroup }) => ({
    items: [...byId.values()].filter(
      (applicant) => (stage === undefined || applicant.stage === stage) && groupHas(group, applicant.stage),
    ),
    nextCursor: null,
  });
  const rendered = renderApp(options.path ?? `/job-applicants/${job.id}`, {
    session: 'business',
    width: options.width ?? 390,
    api: {
      'jobs.get': job,
      'jobs.listed': { items: [], counts: {}, total: 0, nextCursor: null },
      'engagements.forBusiness': never,
      'interviews.mine': never,
      'invitations.candidates': never,
      'reliability.ofWorker': never,
      'applicants.ofWorker': [],
      'pipeline.tags': [],
      'pools.ofWorker': ({ workerId }) => ({ workerId, pools: [], tags: [], notes: 0 }),
      'pipeline.notes': { items: [], nextCursor: null },
      'pipeline.board': () => {
        const stages: Partial<Record<Stage, number>> = {};
        for (const { stage } of byId.values()) stages[stage] = (stages[stage] ?? 0) + 1;
        return board(stages);
      },
      'applicants.ofJob': list,
      'applicants.get': ({ applicationId }) => byId.get(applicationId) ?? leila,
      'applicants.view': ({ applicationId }) => move(applicationId, { viewedAt: '2026-11-21T09:00:00Z' }),
      'applicants.shortlist': ({ applicationId }) =>
        move(applicationId, {
          stage: 'shortlisted',
          status: 'shortlisted',
          actions: ['unshortlist', 'reject'],
        }),
      'applicants.unshortlist': ({ applicationId }) =>
        move(applicationId, { stage: 'new', status: 'viewed', actions: ['shortlist', 'reject'] }),
      'applicants.reject': ({ applicationId }) =>
        move(applicationId, { stage: 'ended', status: 'rejected', actions: [] }),
      ...api,
    },
  });
  return { ...rendered, byId };
}
const lane = (name: string) => screen.findByRole('region', { name });
const namesIn = (element: HTMLElement) =>
  within(element)
    .queryAllByRole('heading', { level: 3 })
    .map((heading) => heading.textContent?.replace('New', ''));

describe('applicants on a phone', () => {
  it('are counted by stage, one stage at a time', async () => {
    open([leila, omar]);
    expect(await screen.findByRole('heading', { name: '2 applicants' })).toBeTruthy();
    expect(await screen.findByRole('link', { name: 'Omar Said' })).toBeTruthy();
    await press('Shortlisted 1');
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Leila Haddad' })).toBeNull());
    expect(screen.getByRole('link', { name: 'Omar Said' })).toBeTruthy();
    await press('Interview 0');
    expect(await screen.findByText('No one here right now')).toBeTruthy();
  });

  it('are selected on a phone, and rejected together', async () => {
    open([leila, omar]);
    await screen.findByRole('link', { name: 'Omar Said' });
    await press('Select');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Omar Said' }));
    expect(await screen.findByText('1 selected')).toBeTruthy();
    await press('Select all 2');
    expect(await screen.findByText('2 selected')).toBeTruthy();
    await press('Done selecting');
    expect(screen.queryByRole('checkbox', { name: 'Select Omar Said' })).toBeNull();
    expect(screen.queryByText('2 selected')).toBeNull();
  });

  it('separates finished and cancelled hires from upcoming ones', async () => {
    const hire = (end: string, name: string, change: Partial<Applicant>): Applicant => ({
      ...omar,
      id: id(end),
      status: 'hired',
      worker: { ...omar.worker, workerId: id(`d${end[1]}`), name },
      ...change,
    });
    open([
      leila,
      hire('c5', 'Noor Bakker', { stage: 'done', workEnding: 'done' }),
      hire('c6', 'Jan Visser', { stage: 'ended', workEnding: 'cancelled' }),
    ]);
    expect(await screen.findByRole('heading', { name: '1 applicant' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Hired 0' })).toBeTruthy();
    await press('Done 1');
    expect(await screen.findByText('Work finished')).toBeTruthy();
    await press('Ended 1');
    expect(await screen.findByText('Booking cancelled')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Noor Bakker' })).toBeNull();
  });

  it('opens on those waiting for a reply, not on hires', async () => {
    open([leila, { ...omar, stage: 'hired', status: 'hired' }], {
      'pipeline.board': board(
        { new: 1, hired: 1 },
        { waiting: { count: 1, unopened: 0, firstDecideBy: null } },
      ),
    });
    expect(await screen.findByRole('link', { name: 'Leila Haddad' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Omar Said' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Waiting 1' }).getAttribute('aria-pressed')).toBe('true');
    await press('All 2');
    expect(await screen.findByRole('link', { name: 'Omar Said' })).toBeTruthy();
  });

  it('lists every open job, those with new applicants first, and names the current one', async () => {
    const listed = (end: string, title: string, newApplicants: number) => ({
      ...job,
      id: id(end),
      title,
      branch: null,
      expiresAt: null,
      applicants: newApplicants,
      seriesId: null,
      newApplicants,
      hired: 0,
      offered: 0,
      seriesTotals: null,
    });
    open([leila], {
      'jobs.listed': ({ status, cursor }) =>
        status !== 'open'
          ? { items: [], counts: {}, total: 0, nextCursor: null }
          : cursor
            ? { items: [listed('a3', 'Festival barista', 17)], counts: {}, total: 0, nextCursor: null }
            : { items: [listed('a2', 'Baker', 0)], counts: {}, total: 0, nextCursor: 'more' },
    });
    await press(`Job: ${job.title}`);
    const sheet = await screen.findByRole('dialog', { name: 'Job' });
    await within(sheet).findByRole('button', { name: /^Festival barista.*17 applied/ });
    expect(
      within(sheet)
        .getAllByRole('button')
        .flatMap(
          ({ textContent }) =>
            textContent?.match(/^(All jobs|Weekend barista|Festival barista|Baker)/)?.[0] ?? [],
        ),
    ).toEqual(['All jobs', job.title, 'Festival barista', 'Baker']);
  });

  it("shows businesses' ratings, from the first review on", async () => {
    const rated = (applicant: typeof leila, count: number, averageTenths: number | null) => ({
      ...applicant,
      worker: { ...applicant.worker, rating: { count, averageTenths } },
    });
    open([rated(leila, 12, 48), rated({ ...omar, stage: 'new' }, 2, null)]);
    expect(await screen.findByText(/^4\.8 from 12 reviews · /)).toBeTruthy();
    expect(screen.getByText(/^2 reviews · /)).toBeTruthy();
  });

  it('shows how many wait, and the first deadline', async () => {
    const { api } = open([leila], {
      'pipeline.board': board(
        { new: 1 },
        { waiting: { count: 3, unopened: 1, firstDecideBy: '2026-12-03T17:40:00Z' } },
      ),
    });
    const waiting = await screen.findByRole('button', {
      name: /^3 waiting, 1 not opened\. First deadline .*3\sDec/,
    });
    fireEvent.click(waiting);
    expect(await screen.findByRole('button', { name: 'Soonest deadline first' })).toBeTruthy();
    await waitFor(() => expect(api.inputs('applicants.ofJob').at(-1)?.sort).toBe('deadline'));
  });

  it.each([
    ['open', 'Share the job', "We'll let you know when the first application arrives", '/share-job?job='],
    ['paused', 'Review the job', "The job isn't open right now", '/edit-job/'],
  ] as const)('without applicants shows what an %s job can do', async (status, link, text, to) => {
    open([], { 'jobs.get': { ...job, status } });
    expect(await screen.findByText(new RegExp(text))).toBeTruthy();
    expect(screen.getByRole('link', { name: link }).getAttribute('href')).toBe(`${to}${job.id}`);
  });

  it('says while a search for a replacement asks people when everyone sees the job', async () => {
    const search = {
      engagementId: job.id,
      jobId: job.id,
      giveawayId: null,
      state: 'looking' as const,
      invitedCount: 1,
      answerCount: 0,
      publicAt: '2026-12-05T17:00:00Z',
      startsAt: '2026-12-05T19:00:00Z',
      timeZone: 'Europe/Amsterdam',
    };
    open([], {
      'jobs.get': { ...job, status: 'paused' },
      'replacements.list': { items: [search], publicAfterMinutes: 60 },
    });
    expect(await screen.findByText(/asking your pools first.*Everyone sees it from .*18:00/)).toBeTruthy();
    expect(screen.queryByText(/Reopen it/)).toBeNull();
  });

  it('moves at once, and can be undone', async () => {
    const { api } = open([leila], { 'applicants.shortlist': never });
    await press('Shortlist: Leila Haddad');
    expect(await screen.findByRole('button', { name: 'Shortlisted 0' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Shortlist: Leila Haddad' })).toBeNull());
    expect(api.inputs('applicants.shortlist')).toEqual([{ applicationId: leila.id, version: 2 }]);
  });

  it('offers to undo a move, once', async () => {
    const { api } = open([leila]);
    await press('Shortlist: Leila Haddad');
    await screen.findByText('Leila Haddad moved to “Shortlisted”');
    await press('Undo');
    await screen.findByText('Leila Haddad moved to “New”');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(api.inputs('applicants.unshortlist')).toEqual([{ applicationId: leila.id, version: 3 }]);
  });

  it('reverts a move that someone else made first, and shows who', async () => {
    const { byId } = open([leila], {
      'applicants.shortlist': () => {
        byId.set(leila.id, { ...leila, version: 3, stage: 'ended', status: 'rejected', actions: [] });
        throw refuse('application/stale', { status: 'rejected', by: 'Aylin Demir', version: 3 });
      },
    });
    await press('Shortlist: Leila Haddad');
    expect(await screen.findByText(/Aylin Demir changed this first: Leila Haddad is now/)).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Leila Haddad' })).toBeNull());
    await press('Close');
    expect(screen.queryByText(/changed this first/)).toBeNull();
  });

  it("reverts what didn't reach the server", async () => {
    open([leila], {
      'applicants.shortlist': () => {
        throw networkError();
      },
    });
    await press('Shortlist: Leila Haddad');
    expect(await screen.findByRole('button', { name: 'Shortlist: Leila Haddad' })).toBeTruthy();
    expect(await screen.findByText(/connection|reach/i)).toBeTruthy();
  });

  it('rejects with a reason, and keeps the text of a failed attempt', async () => {
    let fails = true;
    const { api } = open([leila], {
      'applicants.reject': ({ applicationId }) => {
        if (fails) throw refuse('request/internal');
        return { ...leila, id: applicationId, stage: 'ended', status: 'rejected', actions: [] };
      },
    });
    await press('Actions for Leila Haddad');
    await press(/^Reject/);
    const sheet = await screen.findByRole('dialog', { name: 'Reject Leila Haddad' });
    const send = () => fireEvent.click(within(sheet).getByRole('button', { name: 'Reject' }));
    send();
    expect(await within(sheet).findByText('Choose a reason.')).toBeTruthy();
    const [reason] = within(sheet).getAllByRole('radio');
    fireEvent.click(reason as HTMLElement);
    fireEvent.change(within(sheet).getByRole('textbox'), { target: { value: 'Thank you for coming by' } });
    send();
    expect(await within(sheet).findByRole('alert')).toBeTruthy();
    expect(within(sheet).getByRole<HTMLTextAreaElement>('textbox').value).toBe('Thank you for coming by');
    fails = false;
    send();
    expect(await screen.findByText('Leila Haddad has been notified')).toBeTruthy();
    expect(api.inputs('applicants.reject').map(({ note, version }) => [note, version])).toEqual([
      ['Thank you for coming by', 2],
      ['Thank you for coming by', 2],
    ]);
  });

  it('sends one rejection for several presses', async () => {
    const { api } = open([leila]);
    await press('Actions for Leila Haddad');
    await press(/^Reject/);
    const sheet = await screen.findByRole('dialog', { name: 'Reject Leila Haddad' });
    fireEvent.click(within(sheet).getAllByRole('radio')[0] as HTMLElement);
    const form = sheet.querySelector('form') as HTMLFormElement;
    fireEvent.submit(form);
    fireEvent.submit(form);
    await screen.findByText('Leila Haddad has been notified');
    expect(api.calls('applicants.reject')).toHaveLength(1);
  });

  it("opens no applicant of another business's job", async () => {
    open([], {
      'pipeline.board': () => {
        throw refuse('job/not-allowed');
      },
      'jobs.get': () => {
        throw refuse('job/not-found');
      },
    });
    expect(await screen.findByText("We can't find these applicants")).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See your jobs' })).toBeTruthy();
  });

  it('shows an error and reloads', async () => {
    const { api } = open([], {
      'applicants.ofJob': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load applicants")).toBeTruthy();
    api.on({ 'applicants.ofJob': { items: [leila], nextCursor: null } });
    await press('Try again');
    expect(await screen.findByRole('link', { name: 'Leila Haddad' })).toBeTruthy();
  });

  it("shows a new applicant on the server's signal", async () => {
    const { byId } = open([leila]);
    await screen.findByRole('link', { name: 'Leila Haddad' });
    byId.set(omar.id, omar);
    signal({ kind: 'record', record: 'application', id: omar.id, jobId: job.id });
    expect(await screen.findByRole('link', { name: 'Omar Said' })).toBeTruthy();
    expect(await screen.findByRole('heading', { name: '2 applicants' })).toBeTruthy();
  });
});

describe("a worker's page", () => {
  it('shows when the shift is from the application', async () => {
    open(
      [],
      {
        'profiles.worker': { ...leila.worker, photoPath: null, memberSince: null } as never,
        'applicants.ofWorker': [leila, { ...omar, jobId: id('a2'), jobTitle: 'Brunch' }],
      },
      { path: `/worker-details/${leila.worker.workerId}` },
    );
    const application = within(await screen.findByRole('article', { name: leila.jobTitle }));
    expect(application.getByText(/^Sat 28 Nov, 08:00/)).toBeTruthy();
    expect(application.getByText(/^Applied Thu 19 Nov/)).toBeTruthy();
  });
});

describe('applicants on a desktop', () => {
  const wide = { width: 1280 };

  it('appear in their lanes, and empty lanes show what would fill them', async () => {
    open([leila, omar], {}, wide);
    await waitFor(async () => expect(namesIn(await lane('New'))).toEqual(['Leila Haddad']));
    await waitFor(async () => expect(namesIn(await lane('Shortlisted'))).toEqual(['Omar Said']));
    expect((await lane('Offered')).textContent).toMatch(/They'll have 48 hours to reply/);
  });

  it('of a full instant hire show no way to apply or offer, and the menu of a hire leads to the booking', async () => {
    const work = sampleEngagement({ side: 'business', status: 'booked', actions: ['cancel'] });
    const hire: Applicant = { ...leila, stage: 'hired', status: 'hired', actions: [], engagementId: work.id };
    open(
      [hire],
      { 'jobs.get': { ...job, instantHire: true, status: 'filled' }, 'engagements.get': work },
      wide,
    );
    expect((await lane('New')).textContent).toMatch(/people who apply appear under Hired/);
    expect((await lane('Offered')).textContent).toMatch(/Every spot is filled/);
    const card = within(await lane('Hired'));
    await waitFor(() => expect(card.getByRole('heading', { name: 'Leila Haddad' })).toBeTruthy());
    expect(card.queryByRole('list', { name: /match/i })).toBeNull();
    await press('Actions for Leila Haddad');
    const menu = within(await screen.findByRole('dialog', { name: 'Leila Haddad' }));
    expect(menu.getByRole('link', { name: 'View booked job' }).getAttribute('href')).toBe(
      engagementPath(work.id, 'business'),
    );
    fireEvent.click(await menu.findByRole('button', { name: 'Cancel booking' }));
    expect(await screen.findByRole('dialog', { name: 'Cancel booking' })).toBeTruthy();
  });

  it('shows what to do for a job without applicants, but still opens one whose application has ended', async () => {
    open([], {}, wide);
    expect(await screen.findByRole('link', { name: 'Share the job' })).toBeTruthy();
    cleanup();
    const ended = { ...leila, stage: 'ended', status: 'offer_declined', actions: [] } satisfies Applicant;
    open([ended], {}, { ...wide, path: `/job-applicants/${job.id}?applicant=${leila.id}` });
    expect(await screen.findByText('Offer declined')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Share the job' })).toBeNull();
  });

  it('are listed as sortable rows, with the order in the address', async () => {
    const { api } = open([leila, omar], {}, wide);
    await press('Rows');
    const table = await screen.findByRole('table');
    expect(within(table).getAllByRole('rowheader')).toHaveLength(2);
    // The deadline takes precedence over text that doesn't fit a narrow desktop.
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Name', 'Stage', 'Decide by', 'Match', 'Distance', 'Applied']);
    fireEvent.click(within(table).getByRole('button', { name: 'Decide by' }));
    await waitFor(() => expect(address()).toBe(`/job-applicants/${job.id}?view=list&sort=deadline`));
    expect(api.inputs('applicants.ofJob').at(-1)).toMatchObject({ group: 'waiting', sort: 'deadline' });
    fireEvent.click(within(table).getByRole('button', { name: 'Omar Said' }));
    expect(await screen.findByRole('complementary', { name: 'Applicant details' })).toBeTruthy();
    expect(address()).toContain('view=list&sort=deadline&applicant=');
    cleanup();
    open(
      [leila, omar],
      {},
      { ...wide, path: `/job-applicants/${job.id}?view=list&stage=shortlisted&sort=x` },
    );
    expect(within(await screen.findByRole('table')).getAllByRole('rowheader')).toHaveLength(1);
  });

  it.each([
    ['proposed', 'worker', 'Waiting for them to pick a time'],
    ['proposed', 'business', 'They suggested other times'],
    ['reschedule_requested', 'worker', 'Another time requested'],
  ] as const)('show in their lane what a %s interview needs from the %s', async (status, awaits, words) => {
    const interview = {
      id: id('e1'),
      status,
      mode: 'video',
      startsAt: null,
      answerBy: null,
      awaits,
    } as const;
    open([{ ...leila, stage: 'interviewing', status: 'interviewing', interview }], {}, wide);
    expect(await within(await lane('Interview')).findByText(words)).toBeTruthy();
  });

  it('are selected all at once in a column and in the list', async () => {
    const nora = { ...leila, id: id('c3'), worker: { ...leila.worker, workerId: id('d3'), name: 'Nora' } };
    open([leila, nora, omar], {}, wide);
    const inNew = await lane('New');
    fireEvent.click(await within(inNew).findByRole('button', { name: 'Select all' }));
    expect(await screen.findByText('2 selected')).toBeTruthy();
    fireEvent.click(within(inNew).getByRole('button', { name: 'Deselect all' }));
    await waitFor(() => expect(screen.queryByText('2 selected')).toBeNull());
    await press('Rows');
    fireEvent.click(
      await within(await screen.findByRole('table')).findByRole('button', { name: 'Select all' }),
    );
    expect(await screen.findByText('3 selected')).toBeTruthy();
  });

  it('shows an offer in the panel and its lane before they reload', async () => {
    let isOffered = false;
    const { byId } = open(
      [leila],
      {
        'wallet.get': sampleWallet({ availableMinor: 9_000_000 }),
        'offers.preview': {
          terms: sampleTerms(),
          spotsFree: 1,
          expiresAt: '2100-01-01T00:00:00Z',
          workerBooked: false,
        },
        'offers.make': () => {
          isOffered = true;
          return sampleOffer({ side: 'business', actions: ['withdraw'] });
        },
        'offers.get': sampleOffer({ side: 'business', actions: ['withdraw'] }),
        'applicants.get': ({ applicationId }) => (isOffered ? never() : (byId.get(applicationId) ?? leila)),
        'applicants.ofJob': ({ stage }) =>
          isOffered ? never() : { items: stage === leila.stage ? [leila] : [], nextCursor: null },
        'pipeline.board': () => (isOffered ? never() : board({ new: 1 })),
      },
      { ...wide, path: `/job-applicants/${job.id}?applicant=${leila.id}` },
    );
    const panel = await screen.findByRole('complementary', { name: 'Applicant details' });
    fireEvent.click(await within(panel).findByRole('button', { name: 'Make an offer' }));
    await screen.findByRole('radio', { name: /balance/i });
    await press(/^Offer €/);
    expect(await within(panel).findByText(/^Offer sent/)).toBeTruthy();
    expect(within(panel).queryByRole('button', { name: 'Make an offer' })).toBeNull();
    await waitFor(async () => expect(namesIn(await lane('Offered'))).toEqual(['Leila Haddad']));
  });

  it('show their age while the device is offline', async () => {
    open([leila, omar], {}, wide);
    await screen.findByText(omar.worker.name);
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.getByText("You're offline.")).toBeDefined();
    onLine.mockRestore();
    act(() => void window.dispatchEvent(new Event('online')));
    expect(screen.queryByText("You're offline.")).toBeNull();
  });

  it('reloads one failed lane and leaves the others alone', async () => {
    const { api } = open(
      [leila],
      {
        'applicants.ofJob': ({ stage }) => {
          if (stage === 'shortlisted') throw refuse('request/internal');
          return { items: stage === 'new' ? [leila] : [], nextCursor: null };
        },
      },
      wide,
    );
    const failed = within(await lane('Shortlisted'));
    await failed.findByRole('alert');
    expect(namesIn(await lane('New'))).toEqual(['Leila Haddad']);
    const before = api.calls('applicants.ofJob').length;
    api.on({ 'applicants.ofJob': { items: [omar], nextCursor: null } });
    fireEvent.click(failed.getByRole('button', { name: 'Try again' }));
    await waitFor(async () => expect(namesIn(await lane('Shortlisted'))).toEqual(['Omar Said']));
    expect(api.calls('applicants.ofJob')).toHaveLength(before + 1);
  });

  it('marks an application as viewed when it is opened, once, and Back closes it', async () => {
    const { api } = open([{ ...leila, viewedAt: null }], {}, wide);
    const card = within(await lane('New'));
    expect(api.calls('applicants.view')).toEqual([]);
    fireEvent.click(await card.findByRole('button', { name: /^Leila Haddad/ }));
    await waitFor(() => expect(api.calls('applicants.view')).toHaveLength(1));
    expect(address()).toBe(`/job-applicants/${job.id}?applicant=${leila.id}`);
    await goBack();
    expect(address()).toBe(`/job-applicants/${job.id}`);
    fireEvent.click(await card.findByRole('button', { name: /^Leila Haddad/ }));
    await waitFor(() => expect(address()).toContain(leila.id));
    expect(api.calls('applicants.view')).toHaveLength(1);
  });

  it.each(['', '?view=list'])(
    'keeps filters and a typed name over Back and a link, from "%s"',
    async (query) => {
      open([leila, omar], {}, { ...wide, path: `/job-applicants/${job.id}${query}` });
      const page = `/job-applicants/${job.id}`;
      const filtered = query === '' ? '?sort=newest' : `${query}&sort=newest`;
      const name = () => screen.getByRole<HTMLInputElement>('searchbox').value;
      const openCard = async (worker: RegExp) =>
        fireEvent.click((await screen.findAllByRole('button', { name: worker }))[0] as HTMLElement);
      const panel = () => screen.queryByRole('complementary', { name: 'Applicant details' });
      await openCard(/^Leila Haddad/);
      await waitFor(() => expect(panel()).toBeTruthy());
      await press('Best match first');
      fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'a' } });
      await waitFor(() => expect(address()).toBe(`${page}${filtered}&applicant=${leila.id}`));
      await goBack();
      await waitFor(() => expect(address()).toBe(`${page}${filtered}`));
      expect(name()).toBe('a');
      await openCard(/^Omar Said/);
      await waitFor(() => expect(address()).toBe(`${page}${filtered}&applicant=${omar.id}`));
      expect(name()).toBe('a');
      await press('Best match first');
      const closed = new Promise((done) => window.addEventListener('popstate', done, { once: true }));
      fireEvent.click(within(panel() as HTMLElement).getByRole('button', { name: 'Close applicant' }));
      await act(() => closed);
      await waitFor(() => expect(address()).toBe(page + query));
      expect(name()).toBe('a');
      await press('Best match first');
      act(() => {
        window.history.pushState({ key: 'a notice', idx: 1 }, '', `${page}?applicant=${leila.id}`);
        window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }));
      });
      await waitFor(() => expect(address()).toBe(`${page}${filtered}&applicant=${leila.id}`));
      expect(name()).toBe('a');
    },
  );

  it("shows events in the reader's time, and deadlines in the place's with its name", async () => {
    deviceZone('America/New_York');
    open([leila], {}, { ...wide, path: `/job-applicants/${job.id}?applicant=${leila.id}` });
    await waitFor(() =>
      expect(document.querySelector('time[datetime="2026-11-19T17:40:00Z"]')?.textContent).toMatch(
        /12:40|5:40/,
      ),
    );
    expect(document.querySelector('.pipe-panel')?.textContent).toMatch(
      /Dec, (18:40|6:40\sPM) \(Amsterdam\stime\)/,
    );
  });

  it('moves by key when the server allows it', async () => {
    const { api } = open([leila, sampleApplicant({ ...omar, actions: [] })], {}, wide);
    const first = await within(await lane('New')).findByRole('button', { name: /^Leila Haddad/ });
    first.focus();
    fireEvent.keyDown(first, { key: 's' });
    await waitFor(async () => expect(namesIn(await lane('Shortlisted'))).toContain('Leila Haddad'));
    const second = await within(await lane('Shortlisted')).findByRole('button', { name: /^Omar Said/ });
    second.focus();
    fireEvent.keyDown(second, { key: 's' });
    expect(await screen.findByText("Omar Said can't be moved there right now")).toBeTruthy();
    expect(api.calls('applicants.shortlist')).toHaveLength(1);
    expect(api.calls('applicants.unshortlist')).toEqual([]);
  });

  it('shows an unloaded lane as offline, and loads it with a network', async () => {
    let reaches = false;
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    onlineManager.setOnline(false);
    open(
      [leila],
      {
        'applicants.ofJob': ({ stage }) => {
          if (!reaches) throw networkError();
          return { items: stage === 'new' ? [leila] : [], nextCursor: null };
        },
      },
      wide,
    );
    const shortlisted = await lane('Shortlisted');
    await waitFor(() => expect(shortlisted.textContent).toContain("You're offline."));
    expect(shortlisted.querySelector('.loading')).toBeNull();
    reaches = true;
    onLine.mockRestore();
    onlineManager.setOnline(true);
    await waitFor(async () => expect(namesIn(await lane('New'))).toContain('Leila Haddad'));
    expect((await lane('Shortlisted')).textContent).not.toContain("You're offline.");
  });

  it('moves nobody by key or by dragging without a network, and shows why', async () => {
    const { api } = open([leila], {}, wide);
    const first = await within(await lane('New')).findByRole('button', { name: /^Leila Haddad/ });
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    first.focus();
    fireEvent.keyDown(first, { key: 's' });
    expect(await screen.findByText(/^You're offline/, { selector: '.toast span' })).toBeTruthy();
    const card = first.closest('[data-applicant]') as HTMLElement;
    fireEvent.pointerDown(card, { button: 0, pointerType: 'mouse', clientX: 10, clientY: 10 });
    fireEvent.pointerMove(document, { clientX: 200, clientY: 40 });
    expect(document.querySelector('.ghost')).toBeNull();
    fireEvent.pointerUp(document, { clientX: 200, clientY: 40 });
    expect(namesIn(await lane('New'))).toContain('Leila Haddad');
    expect(api.calls('applicants.shortlist')).toEqual([]);
    onLine.mockRestore();
  });

  it("moves selected applicants together, once, and names those that couldn't move", async () => {
    const { api } = open(
      [leila, sampleApplicant({ ...omar, stage: 'new', status: 'viewed', actions: ['shortlist', 'reject'] })],
      {
        'applicants.bulk': ({ items }) => ({
          results: items.map(({ applicationId }) =>
            applicationId === leila.id
              ? { applicationId, ok: true, code: null, status: 'shortlisted', by: null }
              : { applicationId, ok: false, code: 'application/stale', status: 'rejected', by: 'Aylin' },
          ),
        }),
      },
      wide,
    );
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Leila Haddad' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Omar Said' }));
    const bar = within(screen.getByRole('region', { name: 'Selected applicants' }));
    expect(bar.getByText('2 selected')).toBeTruthy();
    const shortlist = bar.getByRole('button', { name: 'Shortlist' });
    fireEvent.click(shortlist);
    fireEvent.click(shortlist);
    expect(await screen.findByText(/^1 applicant shortlisted\. .*Omar Said/)).toBeTruthy();
    expect(api.calls('applicants.bulk')).toHaveLength(1);
    expect(screen.queryByRole('region', { name: 'Selected applicants' })).toBeNull();
  });

  it('compares applicants by the job that each applied for', async () => {
    open(
      [leila, sampleApplicant({ ...omar, stage: 'new', jobTitle: 'Brunch', jobStartsAt: null })],
      {},
      wide,
    );
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Leila Haddad' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Omar Said' }));
    await press('Compare');
    const row = within(await screen.findByRole('row', { name: /^Job / }));
    expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Weekend barista, .*08:00/),
      'Brunch',
    ]);
  });

  it("keeps a selection that couldn't be sent", async () => {
    open(
      [leila],
      {
        'applicants.bulk': () => {
          throw networkError();
        },
      },
      wide,
    );
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Leila Haddad' }));
    const bar = within(screen.getByRole('region', { name: 'Selected applicants' }));
    fireEvent.click(bar.getByRole('button', { name: 'Shortlist' }));
    expect(await screen.findByText(/connection|reach/i)).toBeTruthy();
    expect(bar.getByText('1 selected')).toBeTruthy();
  });

  it('applies a filter to every lane, and shows when the filter matches nobody', async () => {
    const { api } = open(
      [leila],
      { 'applicants.ofJob': ({ rehire }) => ({ items: rehire ? [] : [leila], nextCursor: null }) },
      wide,
    );
    await press('Worked for you before');
    const shortlisted = await lane('Shortlisted');
    await waitFor(() => expect(shortlisted.textContent).toContain('No one matches these filters.'));
    expect(api.inputs('applicants.ofJob').filter(({ rehire }) => rehire)).toHaveLength(5);
  });
});

describe('applicants of all jobs', () => {
  const jobs = ['Breakfast', 'Dinner', 'Brunch'].map((jobTitle, index) => ({
    ...leila,
    id: id(`e${index}`),
    jobTitle,
  }));
  const api: Handlers = {
    'businesses.mine': [sampleBusiness()],
    'pipeline.boardOfBusiness': board({ new: 4 }),
    'applicants.ofBusiness': ({ stage }) => ({
      items: stage === undefined || stage === 'new' ? [...jobs, { ...omar, stage: 'new' as const }] : [],
      nextCursor: null,
    }),
  };
  const path = '/all-job-applicants';

  it('show one card per worker, which expands to their jobs', async () => {
    open([], api, { path });
    const more = await screen.findByRole('button', { name: 'Applied to 3 jobs' });
    expect(screen.getAllByRole('link', { name: 'Leila Haddad' })).toHaveLength(1);
    expect(screen.getByText('Breakfast')).toBeTruthy();
    expect(screen.queryByText('Dinner')).toBeNull();
    fireEvent.click(more);
    expect(screen.getAllByRole('link', { name: 'Leila Haddad' })).toHaveLength(3);
    expect(screen.getByText('Brunch')).toBeTruthy();
    fireEvent.click(more);
    expect(screen.getAllByRole('link', { name: 'Leila Haddad' })).toHaveLength(1);
  });

  it('show the soonest shift of a series first', async () => {
    const shifts = ['Breakfast', 'Dinner', 'Brunch'].map((jobTitle, index) => ({
      ...leila,
      id: id(`e${index}`),
      jobTitle,
      seriesId: index === 1 ? null : id('51'),
      jobStartsAt: `2026-12-0${9 - index}T08:00:00Z`,
    }));
    open([], { ...api, 'applicants.ofBusiness': { items: shifts, nextCursor: null } }, { path });
    fireEvent.click(await screen.findByRole('button', { name: /^Applied (to|for) 3/ }));
    const titles = screen.getAllByText(/^(Breakfast|Dinner|Brunch)$/).map(({ textContent }) => textContent);
    expect(titles).toEqual(['Brunch', 'Dinner', 'Breakfast']);
  });

  it('show one card per worker on the board, and the open one', async () => {
    open([], { ...api, 'applicants.get': jobs[2] }, { path: `${path}?applicant=${id('e2')}`, width: 1280 });
    const cards = async () =>
      within(await lane('New'))
        .queryAllByRole('button', { name: 'Leila Haddad' })
        .map((card) => card.getAttribute('aria-pressed'));
    await waitFor(async () => expect(await cards()).toEqual(['false', 'false', 'true']));
    await press('Close applicant');
    await waitFor(async () => expect(await cards()).toEqual(['false']));
  });

  it('are those of the selected business', async () => {
    const other = sampleBusiness({ id: id('b2'), name: 'Bakkerij Noord' });
    const { api } = open(
      [],
      {
        'businesses.mine': [sampleBusiness(), other],
        'pipeline.boardOfBusiness': board({}),
        'applicants.ofBusiness': ({ businessId }) => ({
          items: businessId === other.id ? [omar] : [leila],
          nextCursor: null,
        }),
      },
      { path: '/all-job-applicants' },
    );
    await screen.findByRole('link', { name: 'Leila Haddad' });
    await press(/^Business/);
    await press(/Bakkerij Noord/);
    expect(await screen.findByRole('link', { name: 'Omar Said' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Leila Haddad' })).toBeNull();
    expect(api.inputs('applicants.ofBusiness').at(-1)?.businessId).toBe(other.id);
  });
});
