import type { FindableWorker } from '@nearhand/contract/hiring/invitations';
import type { ListedJob } from '@nearhand/contract/hiring/jobs';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press } from '../../../test/device.ts';
import type { Handlers } from '../../../test/fake-api.ts';
import { leila, nadia, sampleAccount, sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { sampleCard, sampleJob } from '../jobs/jobs.fixtures.ts';

const business = sampleBusiness();
const job: ListedJob = {
  ...sampleCard(),
  version: 1,
  status: 'open',
  expiresAt: null,
  applicants: 0,
  seriesId: null,
  newApplicants: 0,
  hired: 0,
  offered: 0,
  branch: null,
  seriesTotals: null,
  actions: ['edit'],
};
const named: FindableWorker = {
  workerId: leila.id,
  name: 'Leila Haddad',
  languages: [{ code: 'nl', level: 'native' }],
  availability: [{ day: 'sat', part: 'evening' }],
  weekHoursMax: null,
  weekMinutes: null,
  missedAt: null,
  skills: [{ skill: 'barista', level: 'expert', years: 3 }],
  rating: { count: 12, averageTenths: 48 },
  identityChecked: true,
  distanceM: 1_500,
  reliabilityPercent: 98,
  timesWorked: 5,
  outcome: null,
};
const unnamed: FindableWorker = {
  ...named,
  workerId: '0193aaaa-0000-7000-8000-0000000000f7',
  name: null,
  rating: { count: 0, averageTenths: null },
  reliabilityPercent: null,
  timesWorked: 0,
};

function open(path = '/find-workers', api: Handlers = {}) {
  return renderApp(path, {
    session: 'business',
    now: '2026-11-21T10:00:00Z',
    api: {
      'accounts.me': sampleAccount(nadia, [business]),
      'businesses.mine': [business],
      'branches.list': { branches: [], canCreate: true },
      'jobs.get': sampleJob(),
      'jobs.listed': { items: [job], nextCursor: null, counts: { open: 1 }, total: 1 },
      'invitations.find': [named, unnamed],
      ...api,
    },
  });
}

describe('finding workers', () => {
  it('says that a closed business finds nobody, without asking the server', async () => {
    const { api } = open('/find-workers', { 'businesses.mine': [{ ...business, status: 'closed' }] });
    expect(await screen.findByText('This business is closed')).toBeTruthy();
    expect(api.inputs('invitations.find')).toEqual([]);
  });

  it('describes each worker, with the name only if they allow it', async () => {
    open();
    expect(await screen.findByText('Leila Haddad')).toBeTruthy();
    expect(screen.getByText('Worked here 5 times')).toBeTruthy();
    expect(
      screen.getByText(/^4\.8 from 12 reviews, 98% reliable, Identity checked, about 1\.5.km away$/),
    ).toBeTruthy();
    expect(screen.getByText('Name shown once they apply or write')).toBeTruthy();
    expect(screen.getByRole('checkbox', { name: 'Choose Barista' })).toBeTruthy();
  });

  it("searches with the filters, starting with the link's job and its first skill", async () => {
    const { api } = open(`/find-workers?job=${job.id}`);
    await screen.findByText('Leila Haddad');
    expect(screen.getByText('2 people, usually free at that time first')).toBeTruthy();
    expect(screen.getByLabelText<HTMLSelectElement>('Skill').value).toBe('barista');
    expect(api.inputs('invitations.find')).toMatchObject([{ jobId: job.id, skill: 'barista' }]);
    fireEvent.change(screen.getByLabelText('Skill'), { target: { value: 'cook' } });
    fireEvent.change(screen.getByLabelText('Usually free'), { target: { value: 'sat' } });
    await press('4.5 or better');
    await press('95% reliable');
    await waitFor(() =>
      expect(api.inputs('invitations.find').at(-1)).toMatchObject({
        businessId: business.id,
        jobId: job.id,
        skill: 'cook',
        day: 'sat',
        ratingTenths: 45,
        reliabilityPercent: 95,
      }),
    );
  });

  it('invites the selected workers to the job, except unreachable ones', async () => {
    const { api } = open(`/find-workers?job=${job.id}`, {
      'invitations.find': [
        { ...named, outcome: 'ready' },
        { ...unnamed, outcome: 'invited' },
      ],
      'invitations.sendAll': { results: [{ workerId: named.workerId, sent: true, outcome: 'ready' }] },
    });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose Leila Haddad' }));
    expect(screen.getByText('Already invited')).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Choose Barista' }).disabled).toBe(true);
    await press('Invite 1 person');
    fireEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Invite 1 person' }),
    );
    await waitFor(() =>
      expect(api.inputs('invitations.sendAll')).toEqual([
        { jobId: job.id, workerIds: [named.workerId], message: '' },
      ]),
    );
    expect(await screen.findByText('1 person invited')).toBeTruthy();
  });

  it('invites to a job that only invited people see', async () => {
    const hidden = sampleJob({ id: '0193aaaa-0000-7000-8000-0000000000b9', status: 'paused' });
    open(`/find-workers?job=${hidden.id}`, {
      'jobs.get': hidden,
      'jobs.listed': { items: [], nextCursor: null, counts: {}, total: 0 },
    });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose Leila Haddad' }));
    await press('Invite 1 person');
    const sheet = within(await screen.findByRole('dialog'));
    expect(sheet.getByLabelText<HTMLSelectElement>('Which job?').value).toBe(hidden.id);
  });

  it('asks for the job before it invites', async () => {
    const { api } = open();
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Choose Leila Haddad' }));
    await press('Invite 1 person');
    const sheet = within(await screen.findByRole('dialog'));
    fireEvent.click(sheet.getByRole('button', { name: 'Invite 1 person' }));
    expect(await sheet.findByText('Choose a job to invite them to.')).toBeTruthy();
    expect(api.calls('invitations.sendAll')).toEqual([]);
  });

  it('suggests how to widen an empty search', async () => {
    open('/find-workers', { 'invitations.find': [] });
    expect(await screen.findByText('Nobody found')).toBeTruthy();
  });
});
