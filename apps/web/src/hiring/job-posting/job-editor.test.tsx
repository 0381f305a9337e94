import type { Job, PlannedShift } from '@nearhand/contract/hiring/jobs';
import { mapTexts } from '@nearhand/contract/hiring/jobs.rules';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, problemAt, type } from '../../../test/typing.ts';
import { sampleJob, samplePlannedShift } from '../jobs/jobs.fixtures.ts';
import { JobEditor } from './job-editor.tsx';

const business = sampleBusiness();
const member = {
  applicants: 3,
  newApplicants: 1,
  hired: 0,
  offered: 0,
  renewable: false,
  branch: null,
  review: null,
  privateAddress: false,
  address: business.address,
  area: business.area,
  ...mapTexts(() => null),
};
const job = (change: Partial<Job> = {}): Job =>
  sampleJob({
    version: 4,
    actions: ['edit'],
    place: { label: business.area, lat: business.lat, lng: business.lng, blurred: false },
    member,
    ...change,
  });

const open = (own: Job, api: Handlers = {}, search = '') =>
  renderPart(<JobEditor job={own} business={business} />, {
    path: `/edit-job/${own.id}${search}`,
    session: 'business',
    now: '2026-11-21T09:00:00Z',
    width: 1280,
    api: { 'jobs.get': own, 'jobs.listed': { items: [], nextCursor: null, counts: {}, total: 0 }, ...api },
  });

describe('an open job', () => {
  it('rejects a damaged photo when it is chosen, attaches others, and removes one', async () => {
    const storedId = '0193aaaa-0000-7000-8000-00000000000a';
    const addedId = '0193aaaa-0000-7000-8000-00000000000b';
    const opens = vi.fn().mockRejectedValue(new DOMException('broken'));
    vi.stubGlobal('createImageBitmap', opens);
    const { api } = open(job({ photoIds: [storedId] }), {
      'files.upload': {
        id: addedId,
        purpose: 'photo',
        name: 'wall.webp',
        mediaType: 'image/webp',
        bytes: 9,
        path: `/files/${addedId}/content`,
      },
      'jobs.update': ({ photoIds = [] }) => job({ version: 5, photoIds }),
    });
    const choose = () =>
      fireEvent.change(screen.getByTestId('job-photos'), {
        target: { files: [new File(['x'], 'wall.png', { type: 'image/png' })] },
      });
    choose();
    expect(await screen.findByText(/^wall.png: This picture can't be opened/)).toBeTruthy();
    expect(api.calls('files.upload')).toHaveLength(0);
    opens.mockResolvedValue({ close: vi.fn() });
    choose();
    await screen.findByRole('button', { name: 'Remove photo 2' });
    vi.unstubAllGlobals();
    await press('Remove photo 1');
    await press('Save changes');
    await screen.findByText('Changes saved');
    expect(api.inputs('jobs.update')).toEqual([{ jobId: job().id, version: 4, photoIds: [addedId] }]);
  });

  it('sends only the changes, with the version it was opened with', async () => {
    const { api } = open(job(), { 'jobs.update': job({ version: 5, description: 'Bring dark shoes.' }) });
    expect(screen.getByRole('button', { name: 'Nothing to save yet' }).hasAttribute('disabled')).toBe(true);
    type('Description', 'Bring dark shoes.');
    await press('Save changes');
    expect(await screen.findByText('Changes saved')).toBeTruthy();
    expect(api.inputs('jobs.update')).toEqual([
      { jobId: job().id, version: 4, description: 'Bring dark shoes.' },
    ]);
    expect(screen.getByRole('button', { name: 'Nothing to save yet' })).toBeTruthy();
  });

  it('saves the next change with the version of the last save', async () => {
    let version = 4;
    const { api } = open(job(), {
      'jobs.update': ({ description = '' }) => {
        version += 1;
        return job({ version, description });
      },
    });
    type('Description', 'The first words.');
    await press('Save changes');
    await screen.findByRole('button', { name: 'Nothing to save yet' });
    type('Description', 'The second words.');
    await press('Save changes');
    await waitFor(() => expect(api.inputs('jobs.update').map((input) => input.version)).toEqual([4, 5]));
  });

  it('is saved once by Enter and the button together', async () => {
    const saved = later<Job>();
    const { api } = open(job(), { 'jobs.update': () => saved.answer });
    type('Title', 'Sunday barista');
    await pressEnter('Title');
    await pressEnter('Title');
    fireEvent.click(screen.getByRole('button', { name: 'Save changes' }));
    await saved.give(job({ version: 5, title: 'Sunday barista' }));
    expect(await screen.findByText('Changes saved')).toBeTruthy();
    expect(api.calls('jobs.update')).toHaveLength(1);
  });

  it('keeps typed text during a save', async () => {
    const saved = later<Job>();
    const { api } = open(job(), { 'jobs.update': () => saved.answer });
    type('Title', 'Sunday barista');
    await press('Save changes');
    await waitFor(() => expect(api.calls('jobs.update')).toHaveLength(1));
    type('Description', 'Typed in the meantime.');
    await saved.give(job({ version: 5, title: 'Sunday barista' }));
    expect(await screen.findByText('Changes saved')).toBeTruthy();
    expect(field('Description').value).toBe('Typed in the meantime.');
    expect(field('Title').value).toBe('Sunday barista');
    expect(screen.getByRole('button', { name: 'Save changes' })).toBeTruthy();
  });

  it("can't remove what workers see", async () => {
    const { api } = open(job());
    type('Description', '');
    type('Pay per hour', 'much');
    await press('Save changes');
    await waitFor(() => expect(problemAt('Description')).toBe('Describe the work in a sentence or two.'));
    expect(problemAt('Pay per hour')).toBe('Enter the pay as a number, for example 18 or 18.50.');
    expect(api.calls('jobs.update')).toHaveLength(0);
  });

  it('confirms before notifying applicants, and saves nothing on cancel', async () => {
    const { api } = open(job(), { 'jobs.update': job({ version: 5 }) });
    type('Pay per hour', '20');
    expect(screen.getByText('Applicants will be notified when you save.')).toBeTruthy();
    await press('Save changes');
    fireEvent.click(await screen.findByRole('button', { name: 'Go back' }));
    await waitFor(() => expect(screen.queryByText('Notify applicants?')).toBeNull());
    expect(api.calls('jobs.update')).toHaveLength(0);
    expect(field('Pay per hour').value).toBe('20');
    await press('Save changes');
    await press('Save and notify');
    expect(await screen.findByText('Saved. Applicants have been notified.')).toBeTruthy();
    expect(api.inputs('jobs.update')).toMatchObject([{ payMinor: 2_000 }]);
  });

  it('skips the confirmation without applicants or relevant changes', async () => {
    const { api } = open(job({ member: { ...member, applicants: 0 } }), {
      'jobs.update': job({ version: 5, member: { ...member, applicants: 0 } }),
    });
    type('Pay per hour', '20');
    await press('Save changes');
    expect(await screen.findByText('Changes saved')).toBeTruthy();
    expect(screen.queryByText('Notify applicants?')).toBeNull();
    expect(api.calls('jobs.update')).toHaveLength(1);
  });

  it('keeps its past start, and accepts no other past one', async () => {
    const begun = job({ startsAt: '2026-11-21T07:00:00Z', endsAt: '2026-11-21T13:00:00Z' });
    const { api } = open(begun, { 'jobs.update': { ...begun, version: 5 } });
    type('Description', 'Come to the back door.');
    expect(problemAt('Day')).toBeNull();
    type('From', '09:00');
    expect(problemAt('From')).toBe('This is in the past. Choose a later time.');
    type('From', '08:00');
    expect(problemAt('From')).toBeNull();
    await press('Save changes');
    expect(await screen.findByText('Changes saved')).toBeTruthy();
    expect(api.inputs('jobs.update')[0]).not.toHaveProperty('startsAt');
  });
});

describe('a refusal', () => {
  it.each([
    [refuse('job/starts-in-past'), 'Day'],
    [refuse('job/too-far-ahead'), 'Day'],
    [refuse('job/pay-fell-after-hire'), 'Pay per hour'],
    [refuse('job/head-count-below-hires', { hired: 2, offered: 1 }), 'People'],
    [refuse('job/terms-fixed', { changed: ['hours'] }), 'Day'],
    [refuse('request/invalid', { issues: [{ path: 'payMinor', message: 'too small' }] }), 'Pay per hour'],
    [refuse('request/invalid', { issues: [{ path: 'questions.0.prompt', message: '' }] }), null],
  ])('appears at its field: %s', async (failure, label) => {
    open(job(), {
      'jobs.update': () => {
        throw failure;
      },
    });
    type('Description', 'Bring dark shoes.');
    await press('Save changes');
    await screen.findByText(/need.? your attention$/);
    if (label) expect(problemAt(label)).toBeTruthy();
    expect(field('Description').value).toBe('Bring dark shoes.');
    type('Description', 'Bring black shoes.');
    if (label) expect(problemAt(label)).toBeNull();
    expect(screen.queryByText(/need.? your attention$/)).toBeNull();
  });

  it('without a network keeps the text for the next attempt', async () => {
    let losses = 1;
    const { api } = open(job(), {
      'jobs.update': () => {
        if (losses-- > 0) throw networkError();
        return job({ version: 5, title: 'Sunday barista' });
      },
    });
    type('Title', 'Sunday barista');
    await press('Save changes');
    expect(await screen.findByText(/connection|reach/i)).toBeTruthy();
    expect(field('Title').value).toBe('Sunday barista');
    await press('Save changes');
    expect(await screen.findByText('Changes saved')).toBeTruthy();
    expect(api.calls('jobs.update')).toHaveLength(2);
  });
});

describe('a job that a colleague saved first', () => {
  const theirs = job({ version: 9, headCount: 6, title: 'Saturday barista' });
  const stale: Handlers = {
    'jobs.get': theirs,
    'jobs.update': ({ version, title }) => {
      if (version === 4) throw refuse('job/stale', { version: 9 });
      return { ...theirs, version: 10, title: title ?? theirs.title };
    },
  };
  const overtaken = async () => {
    const rendered = open(job(), stale);
    type('Title', 'Sunday barista');
    type('Description', 'Mine, as I typed it.');
    await press('Save changes');
    await screen.findByText(/Someone on your team changed this job/);
    return rendered;
  };

  it('shows who changed what, and loses nothing', async () => {
    await overtaken();
    const banner = screen.getByText(/Someone on your team changed this job/).closest('[role="alert"]');
    expect(within(banner as HTMLElement).getByText(/They changed/).textContent).toContain('number of people');
    expect(within(banner as HTMLElement).getByText(/You both changed/).textContent).toContain('title');
    expect(field('Title').value).toBe('Sunday barista');
    expect(field('People').value).toBe('3');
  });

  it('merges both and saves on their version', async () => {
    const { api } = await overtaken();
    await press('Keep what I typed');
    expect(field('Title').value).toBe('Sunday barista');
    expect(field('Description').value).toBe('Mine, as I typed it.');
    expect(field('People').value).toBe('6');
    await press('Save changes');
    await waitFor(() => expect(api.calls('jobs.update')).toHaveLength(2));
    expect(api.inputs('jobs.update')[1]).toEqual({
      jobId: job().id,
      version: 9,
      title: 'Sunday barista',
      description: 'Mine, as I typed it.',
    });
  });

  it('adopts their version entirely', async () => {
    await overtaken();
    await press('Load their version');
    expect(field('Title').value).toBe('Saturday barista');
    expect(field('Description').value).toBe(job().description);
    expect(screen.getByRole('button', { name: 'Nothing to save yet' })).toBeTruthy();
  });
});

describe('what may not be edited', () => {
  it('locks hours and place after a hire, and rejects lower pay', async () => {
    open(job({ member: { ...member, hired: 2, offered: 1 } }));
    expect(field('Day').closest('fieldset')?.hasAttribute('disabled')).toBe(true);
    const where = screen.getByRole('radio', { name: /Somewhere else/ });
    expect(where.closest('fieldset.bare-set')?.hasAttribute('disabled')).toBe(true);
    expect(screen.getByRole('button', { name: 'Less' }).hasAttribute('disabled')).toBe(true);
    expect(screen.getByText('2 hired already, 1 offered.')).toBeTruthy();
  });

  it('appears without fields to read-only roles', () => {
    open(job({ actions: [] }));
    expect(screen.queryByLabelText('Title')).toBeNull();
    expect(screen.queryByRole('button', { name: /Save|save/ })).toBeNull();
    expect(screen.getByRole('heading', { level: 1, name: /^Weekend barista/ })).toBeTruthy();
  });

  it('as a draft can be incomplete, but not without a title', async () => {
    const draft = job({ status: 'draft', description: '', startsAt: null, endsAt: null });
    const { api } = open(draft, { 'jobs.update': { ...draft, version: 5, title: 'Baker' } });
    type('Title', '');
    await press('Save changes');
    await waitFor(() => expect(problemAt('Title')).toBe('Give the job a title.'));
    expect(problemAt('Description')).toBeNull();
    type('Title', 'Baker');
    await press('Save changes');
    expect(await screen.findByText('Changes saved')).toBeTruthy();
    expect(api.inputs('jobs.update')).toMatchObject([{ title: 'Baker' }]);
  });
});

describe('a job in review', () => {
  it('shows what the check found, and that a person reviews it', async () => {
    const review = { rules: ['asks-fee', 'pay-too-good'] as const, at: '2026-11-21T08:00:00.000Z' };
    open(
      job({
        status: 'in_review',
        actions: ['close'],
        member: { ...member, review: { ...review, rules: [...review.rules] } },
      }),
    );
    expect(await screen.findByText(/^Someone on our team checks it/)).toBeTruthy();
    expect(screen.getByText(/^It seems to ask workers for money/)).toBeTruthy();
    expect(screen.getByText(/^The pay is far above/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Close job' })).toBeTruthy();
  });

  it('that was rejected links to the decision', async () => {
    open(job({ status: 'rejected', actions: ['duplicate', 'close'] }));
    const link = await screen.findByRole('link', { name: 'Read the decision' });
    expect(link.getAttribute('href')).toBe('/tabs/menu/decisions');
  });
});

describe('a shift of a series', () => {
  const seriesId = '0193aaaa-0000-7000-8000-0000000000aa';
  const shift = job({ seriesId });
  const planned = (day: number, change: Partial<PlannedShift> = {}): PlannedShift =>
    samplePlannedShift({
      jobId: day === 28 ? shift.id : `${shift.id.slice(0, -2)}${day}`,
      startsAt: `2026-11-${day}T07:00:00Z`,
      endsAt: `2026-11-${day}T13:00:00Z`,
      payMinor: shift.pay.minor,
      ...change,
    });
  const series = [
    planned(27, { changedAlone: ['pay'] }),
    planned(28),
    planned(29, { hired: 1 }),
    planned(30, { offered: 1, renewable: true }),
  ];

  it('asks which shifts to change, with workers, exceptions and the cost of each week', async () => {
    const { api } = open(shift, {
      'jobs.series': series,
      'jobs.update': job({ seriesId, version: 5, pay: { ...shift.pay, minor: 1_500 } }),
    });
    type('Pay per hour', '15');
    await press('Save changes');
    const sheet = within(await screen.findByRole('dialog', { name: 'Which shifts do you want to change?' }));
    expect(sheet.queryByText(/has people on it/)).toBeNull();
    fireEvent.click(sheet.getByRole('radio', { name: /This and the later ones/ }));
    expect(sheet.getByText(/2 of the other shifts have people on them/)).toBeTruthy();
    expect(sheet.getByText(/people already booked are asked to accept/)).toBeTruthy();
    expect(sheet.queryByText(/keeps that change/)).toBeNull();
    fireEvent.click(sheet.getByRole('radio', { name: /All shifts/ }));
    expect(sheet.getByText(/1 shift was changed on its own before/)).toBeTruthy();
    expect(within(sheet.getByRole('list', { name: 'Cost by week' })).getAllByRole('listitem')).toHaveLength(
      2,
    );
    fireEvent.click(sheet.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(api.inputs('jobs.update')).toMatchObject([{ payMinor: 1_500, reach: 'all' }]));
  });

  it('changes all shifts unless asked otherwise when it is opened from the series', async () => {
    const { api } = open(shift, { 'jobs.series': series, 'jobs.update': job({ seriesId }) }, '?series');
    expect(await screen.findByRole('heading', { name: /4 shifts/ })).toBeTruthy();
    type('Pay per hour', '15');
    await press('Save changes');
    const sheet = within(await screen.findByRole('dialog', { name: 'Which shifts do you want to change?' }));
    fireEvent.click(sheet.getByRole('button', { name: 'Save changes' }));
    await waitFor(() => expect(api.inputs('jobs.update')).toMatchObject([{ reach: 'all' }]));
  });

  it('shows what a raise holds for workers booked on the affected shifts', async () => {
    open(shift, { 'jobs.series': series });
    type('Pay per hour', '20');
    await press('Save changes');
    const sheet = within(await screen.findByRole('dialog', { name: 'Which shifts do you want to change?' }));
    expect(sheet.queryByText(/more is set aside/)).toBeNull();
    fireEvent.click(sheet.getByRole('radio', { name: /All shifts/ }));
    const raise = ((2_000 - shift.pay.minor) * 6 * 1.1) / 100;
    expect(
      sheet.getByText(`€${raise.toFixed(2)} more is set aside from your balance for people already booked.`),
    );
  });

  it('saves nothing when the question is dismissed, and skips it for the only upcoming shift', async () => {
    const { api } = open(shift, { 'jobs.series': series, 'jobs.update': job({ seriesId, version: 5 }) });
    type('Title', 'Sunday barista');
    await press('Save changes');
    const sheet = within(await screen.findByRole('dialog', { name: 'Which shifts do you want to change?' }));
    fireEvent.click(sheet.getByRole('button', { name: 'Go back' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(api.calls('jobs.update')).toEqual([]);
    api.on({ 'jobs.series': [planned(28)] });
    await press('Save changes');
    await waitFor(() => expect(api.inputs('jobs.update')).toMatchObject([{ title: 'Sunday barista' }]));
  });

  it('can move if it has only open offers, which are replaced', async () => {
    open(job({ seriesId, member: { ...member, offered: 1, renewable: true } }), { 'jobs.series': series });
    expect(screen.getByText(/the open offers are replaced by new ones/)).toBeTruthy();
    type('From', '09:00');
    await press('Save changes');
    const sheet = within(await screen.findByRole('dialog', { name: 'Which shifts do you want to change?' }));
    fireEvent.click(sheet.getByRole('radio', { name: /All shifts/ }));
    expect(sheet.getByText(/On 1 of the other shifts, open offers are replaced/)).toBeTruthy();
  });
});
