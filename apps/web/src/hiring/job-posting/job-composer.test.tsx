import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { mapTexts } from '@nearhand/contract/hiring/jobs.rules';
import type { Branch } from '@nearhand/contract/people/branches';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { seededSample } from '../../../../../scripts/seeded-sample.ts';
import { press, setOnline } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness, sampleProfile } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { readDraft } from '../../lib/device/device-draft.ts';
import { closeTopLayer, hasLayers } from '../../lib/pages/back-button.ts';
import { sampleJob, sampleTemplate } from '../jobs/jobs.fixtures.ts';
import CreateJobScreen from './create-job.screen.tsx';
import { isStoredJobDraft, jobDraftKey } from './job-draft-start.ts';

const now = '2026-11-21T09:00:00Z';
const business = sampleBusiness();
const jobId = '0193aaaa-0000-7000-8000-000000000077';

const draftJob = (sent: Partial<JobDraft> = {}, change: Partial<Job> = {}): Job => {
  const { payMinor, place, questions, ...same } = sent;
  return sampleJob({
    id: jobId,
    version: 1,
    status: 'draft',
    description: '',
    requirements: [],
    skills: [],
    startsAt: null,
    endsAt: null,
    breakMinutes: 0,
    breakPaid: false,
    headCount: 1,
    publishedAt: null,
    actions: ['edit', 'publish'],
    ...same,
    pay: { ...sampleJob().pay, minor: payMinor ?? 0 },
    member: {
      applicants: 0,
      newApplicants: 0,
      hired: 0,
      offered: 0,
      renewable: false,
      privateAddress: false,
      address: business.address,
      area: business.area,
      branch: null,
      review: null,
      ...mapTexts(() => null),
    },
    place: { label: business.area, lat: business.lat, lng: business.lng, blurred: false },
    ...change,
  } as Job);
};

function server(first: Job | null = null): Handlers {
  let saved = first;
  return {
    'jobs.create': (input) => {
      saved = draftJob(input);
      return saved;
    },
    'jobs.update': ({ version, jobId: _, ...changes }) => {
      saved = draftJob({ ...(saved as unknown as JobDraft), ...changes }, { version: version + 1 });
      return saved;
    },
    'jobs.get': () => {
      if (!saved) throw refuse('job/not-found');
      return saved;
    },
    'jobs.publish': () => draftJob({}, { status: 'open', title: 'Weekend barista' }),
    'jobs.listed': { items: [], nextCursor: null, counts: {}, total: 0 },
    'roster.sameShiftDays': { days: [] },
  };
}

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

const open = (api: Handlers = {}, path = '/create-job') =>
  renderPart(
    <>
      <CreateJobScreen />
      <Address />
    </>,
    { path, session: 'business', now, width: 1280, api: { ...server(), ...api } },
  );

const address = () => screen.getByTestId('address').textContent;
const step = (name: string) => screen.findByRole('heading', { level: 1, name });
const summaryLinks = async () => {
  const box = (await screen.findByText(/need.? your attention$/)).closest<HTMLElement>('[role="alert"]');
  return within(box as HTMLElement).getAllByRole('link');
};
const summary = async () => (await summaryLinks()).map((link) => link.textContent);

async function fillWhat() {
  await screen.findByLabelText('Title');
  type('Title', 'Weekend barista');
  type('Category', 'hospitality');
  type('Description', 'You run the bar on Saturday.');
}
function fillTime() {
  type('Day', '2026-11-28');
  type('From', '08:00');
  type('To', '14:00');
  type('Pay per hour', '18,50');
}
async function fillAll() {
  await fillWhat();
  await press('Continue');
  await step('Where is it?');
  await press('Continue');
  await step('When is it, and what does it pay?');
  fillTime();
  await press('Continue');
  await step('Who are you looking for?');
  await press('Continue');
  await step('Ready to publish?');
}

beforeEach(() => {
  Element.prototype.scrollTo ??= vi.fn();
});

describe('a job at a branch', () => {
  const north: Branch = {
    id: '0193aaaa-0000-7000-8000-0000000000d1',
    version: 1,
    name: 'Noord',
    address: 'NDSM-Plein 8',
    area: 'Amsterdam-Noord',
    lat: 52.4,
    lng: 4.89,
    privateAddress: false,
    timeZone: 'Europe/Amsterdam',
    contactName: '',
    contactPhone: null,
    openingNotes: '',
    giveaways: 'approval' as const,
    closed: false,
    openJobs: 0,
    actions: [],
  };
  const west = { ...north, id: '0193aaaa-0000-7000-8000-0000000000d2', name: 'West', closed: true };

  it('uses its place, hides closed branches, and allows another place of that branch', async () => {
    const { api } = open({ 'branches.list': { branches: [north, west], canCreate: true } });
    await fillWhat();
    await press('Continue');
    await step('Where is it?');
    fireEvent.click(await screen.findByLabelText(/^Noord/));
    expect(screen.queryByLabelText(/^West\b/)).toBeNull();
    await press('Save draft');
    await waitFor(() =>
      expect({ ...api.inputs('jobs.create')[0], ...api.inputs('jobs.update').at(-1) }).toMatchObject({
        branchId: north.id,
        place: { address: 'NDSM-Plein 8', area: 'Amsterdam-Noord', lat: 52.4, lng: 4.89 },
      }),
    );
  });

  it('asks for the address of a place outside the branch', async () => {
    open({
      'profiles.mine': sampleProfile(),
      'branches.list': { branches: [north], canCreate: true },
    });
    await fillWhat();
    await press('Continue');
    await step('Where is it?');
    fireEvent.click(await screen.findByLabelText(/^Noord/));
    fireEvent.click(screen.getByLabelText(/^Somewhere else/));
    expect(field(/^Branch/).value).toBe(north.id);
    expect(field('Street and number').value).toBe('');
    await press('Continue');
    await waitFor(() => expect(problemAt('Street and number')).toBe('Enter the address.'));
  });
});

describe('the steps', () => {
  it('stop at missing fields, with a summary that links to them', async () => {
    open();
    await screen.findByLabelText('Title');
    expect(problemAt('Title')).toBeNull();
    type('Category', '');
    await press('Continue');
    await step("What's the job?");
    expect(problemAt('Title')).toBe('Give the job a title.');
    expect(problemAt('Category')).toBe('Choose a category.');
    expect(problemAt('Description')).toBe('Describe the work in a sentence or two.');
    expect(await summary()).toEqual([
      'Give the job a title.',
      'Choose a category.',
      'Description: Describe the work in a sentence or two.',
    ]);
    expect(document.activeElement).toBe(screen.getByRole('alert'));
    fireEvent.click(screen.getByRole('link', { name: 'Choose a category.' }));
    expect(document.activeElement).toBe(field('Category'));
  });

  it('clear a problem when its field is valid, and keep the others', async () => {
    open();
    await screen.findByLabelText('Title');
    await press('Continue');
    type('Title', 'Weekend barista');
    expect(problemAt('Title')).toBeNull();
    expect(problemAt('Description')).not.toBeNull();
    type('Title', ' ');
    expect(problemAt('Title')).toBe('Give the job a title.');
  });

  it('report nothing about fields of an unfinished step', async () => {
    open();
    await fillWhat();
    await press('Continue');
    await step('Where is it?');
    await press('Continue');
    await step('When is it, and what does it pay?');
    expect(problemAt('Pay per hour')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Continue');
    expect(problemAt('Pay per hour')).toBe('Enter the hourly pay.');
    expect(problemAt('Day')).toBe('Choose a day.');
  });

  it('advance with Enter and start at their heading', async () => {
    open();
    await fillWhat();
    await pressEnter('Title');
    expect(document.activeElement).toBe(await step('Where is it?'));
  });

  it('reject a title over the limit from any source', async () => {
    open();
    await fillWhat();
    type('Title', 'x'.repeat(200));
    await press('Continue');
    expect(problemAt('Title')).toMatch(/^Use \d+ characters or fewer\.$/);
    type('Title', 'x'.repeat(20));
    await press('Continue');
    await step('Where is it?');
  });

  it('go through the optional one too, and count it', async () => {
    open();
    await fillAll();
    expect(screen.getByText('Step 5 of 5', { selector: '.d' })).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Who · optional/ }).textContent).toContain(
      'No requirements: anyone can apply',
    );
    await press('Back');
    await step('Who are you looking for?');
    expect(screen.getByText('Step 4 of 5', { selector: '.d' })).toBeTruthy();
    await press('Continue');
    await step('Ready to publish?');
  });

  it('post five weekdays with six clicks and two fields more', async () => {
    const { api } = open();
    await fillWhat();
    await press('Continue');
    await step('Where is it?');
    await press('Continue');
    await step('When is it, and what does it pay?');
    type('Day', '2026-11-23');
    type('Pay per hour', '18');
    expect(screen.queryByRole('radio', { name: /^All dates together/ })).toBeNull();
    await press('Weekdays');
    fireEvent.click(screen.getByRole('radio', { name: /^All dates together/ }));
    await press('Continue');
    await step('Who are you looking for?');
    await press('Continue');
    await press('Publish 5 shifts');
    await waitFor(() => expect(address()).toBe('/listed-job'));
    expect(api.inputs('jobs.publish')).toEqual([
      { jobId, alsoOn: ['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'], asBlock: true },
    ]);
  });

  it('mark steps with problems in the list', async () => {
    open();
    await screen.findByLabelText('Title');
    await press('Continue');
    const list = screen.getByRole('navigation', { name: 'Timeline' });
    expect(within(list).getAllByLabelText('Needs your attention')).toHaveLength(1);
    await fillWhat();
    expect(within(list).queryByLabelText('Needs your attention')).toBeNull();
  });
});

describe('time and pay', () => {
  const openTime = async () => {
    const rendered = open();
    await fillWhat();
    fireEvent.click(screen.getByRole('button', { name: /Time and pay/ }));
    await step('When is it, and what does it pay?');
    return rendered;
  };

  it('rejects what is no hourly pay', async () => {
    await openTime();
    for (const [typed, problem] of [
      ['', 'Enter the hourly pay.'],
      ['about 18', 'Enter the pay as a number, for example 18 or 18.50.'],
      ['18.505', 'Enter the pay as a number, for example 18 or 18.50.'],
      ['1,250', 'Enter the pay as a number, for example 18 or 18.50.'],
      ['0', 'The pay must be more than €0.'],
      ['-5', 'The pay must be more than €0.'],
      ['2.99', 'Enter €3 or more.'],
      ['100000.01', 'Enter €100,000 or less.'],
    ] as const) {
      type('Pay per hour', typed);
      await press('Continue');
      expect([typed, problemAt('Pay per hour')]).toEqual([typed, problem]);
    }
  });

  it('raises the minimum hourly pay for a shift too short to reach the minimum in total', async () => {
    await openTime();
    type('Day', '2026-11-28');
    type('From', '09:00');
    type('To', '09:10');
    type('Pay per hour', '29.99');
    await press('Continue');
    expect(problemAt('Pay per hour')).toBe(
      'A shift pays €5 or more in all. Enter €30 an hour or more, or make it longer.',
    );
    type('Pay per hour', '30');
    expect(problemAt('Pay per hour')).toBeNull();
  });

  it('reports a past day at once, but not a half-typed year', async () => {
    await openTime();
    type('Day', '2026-11-20');
    expect(problemAt('Day')).toBe('This day has passed. Choose a later one.');
    type('Day', '0002-11-28');
    expect(problemAt('Day')).toBeNull();
    type('Day', '2026-11-21');
    type('From', '09:59');
    expect(problemAt('From')).toBe('This is in the past. Choose a later time.');
    type('From', '10:01');
    expect(problemAt('From')).toBeNull();
  });

  it('rejects what is no break of a shift of two hours', async () => {
    await openTime();
    fillTime();
    type('To', '10:00');
    for (const [typed, problem] of [
      ['a quarter', 'Enter the break in minutes, up to 240.'],
      ['241', 'Enter the break in minutes, up to 240.'],
      ['1.5', 'Enter the break in minutes, up to 240.'],
      ['-10', 'Enter the break in minutes, up to 240.'],
      ['120', "The break can't be as long as the shift."],
    ] as const) {
      type(/^Break/, typed);
      await press('Continue');
      expect([typed, problemAt(/^Break/)]).toEqual([typed, problem]);
    }
  });

  it('rejects a shift that ends when it starts, and accepts one past midnight', async () => {
    const { api } = await openTime();
    fillTime();
    type('To', '08:00');
    await press('Continue');
    expect(problemAt('To')).toBe('Start and end are the same. Change one of them.');
    type('To', '02:00');
    expect(problemAt('To')).toBeNull();
    await press('Continue');
    await step('Who are you looking for?');
    await waitFor(() => expect(api.calls('jobs.create')).toHaveLength(1));
    expect(api.inputs('jobs.create')[0]).toMatchObject({
      startsAt: '2026-11-28T07:00:00.000Z',
      endsAt: '2026-11-29T01:00:00.000Z',
      payMinor: 1_850,
    });
  });

  it('keeps the text when the job becomes a task and a shift again', async () => {
    open();
    await fillWhat();
    fireEvent.click(screen.getByRole('radio', { name: /^Task/ }));
    expect(field('Title').value).toBe('Weekend barista');
    fireEvent.click(screen.getByRole('button', { name: /Time and pay/ }));
    type('Fixed price', '120');
    type(/Due by/, '2026-11-20');
    await press('Continue');
    expect(problemAt(/Due by/)).toBe('This day has passed. Choose a later one.');
    fireEvent.click(screen.getByRole('button', { name: /^What/ }));
    fireEvent.click(screen.getByRole('radio', { name: /^Shift/ }));
    fireEvent.click(screen.getByRole('button', { name: /Time and pay/ }));
    expect(field('Pay per hour').value).toBe('120');
  });
});

describe('publishing', () => {
  it('posts from a template without submitting the form around its sheet', async () => {
    open({ 'jobTemplates.list': [sampleTemplate()] });
    await press('Use a template');
    const sheet = await screen.findByRole('dialog', { name: 'Post from a template' });
    expect(
      (await within(sheet).findByLabelText('Day')).closest('form')?.parentElement?.closest('form'),
    ).toBeNull();
  });

  it('saves the text and publishes it once, on any number of submits', async () => {
    const published = later<Job>();
    const { api } = open({ 'jobs.publish': () => published.answer });
    await fillAll();
    await pressTwice('Publish job');
    const form = document.querySelector('.composer-form form');
    await act(async () => {
      fireEvent.submit(form as HTMLFormElement);
    });
    await waitFor(() => expect(api.calls('jobs.publish')).toHaveLength(1));
    await published.give(draftJob({}, { status: 'open', title: 'Weekend barista' }));
    await waitFor(() => expect(address()).toBe('/listed-job'));
    expect(api.calls('jobs.create')).toHaveLength(1);
    expect(api.calls('jobs.publish')).toHaveLength(1);
    expect(api.inputs('jobs.publish')).toEqual([{ jobId }]);
    const sent = Object.assign({}, ...api.inputs('jobs.create'), ...api.inputs('jobs.update'));
    expect(sent).toMatchObject({
      businessId: business.id,
      title: 'Weekend barista',
      payMinor: 1_850,
      startsAt: '2026-11-28T07:00:00.000Z',
    });
    expect(Object.keys(localStorage).filter((key) => key.includes('new-job'))).toEqual([]);
  });

  it('posts the shift on other days too, by day or by weekday, with the total pay', async () => {
    const { api } = open({
      'jobs.publish': () => draftJob({}, { status: 'open', title: 'Weekend barista' }),
    });
    await fillAll();
    fireEvent.click(screen.getByRole('button', { name: /^Time and pay/ }));
    const days = await screen.findByRole('group', { name: /^Also on/ });
    const own = within(days).getByRole<HTMLButtonElement>('button', { name: 'Saturday 28 November' });
    expect([own.disabled, own.getAttribute('aria-pressed')]).toEqual([true, 'true']);
    await press('Sunday 29 November');
    await press('Every Wednesday');
    // Six hours for one person at 18.50, on 28 and 29 November, and on 25 November, 2 and 9 December.
    expect(
      within(days).getByText(/^5 shifts: also on .*Wed.2.Dec.* The pay for all of them is €555\.$/),
    ).toBeTruthy();
    await press('Wednesday 2 December');
    type('Day', '2026-11-29');
    expect(within(days).getByText(/^3 shifts: also on Wed.25.Nov, Wed.9.Dec\./)).toBeTruthy();
    type('Day', '2026-11-28');
    fireEvent.click(screen.getByRole('button', { name: /^Publish/ }));
    // Four times six hours at 18.50, and a tenth of it.
    expect(
      (await screen.findAllByText('Your total cost for 4 shifts'))[0]?.parentElement?.textContent,
    ).toContain('€488.40');
    await press('Publish 4 shifts');
    const toast = (await screen.findByText('Weekend barista published on 4 days')).closest('.toast');
    expect(toast?.textContent).toContain('Invite workers');
    expect(api.inputs('jobs.publish')).toEqual([
      { jobId, alsoOn: ['2026-11-25', '2026-11-29', '2026-12-09'] },
    ]);
  });

  it('repeats the shift on weekdays until a number or a day, with excluded holidays and the cost of each week', async () => {
    const { api } = open({
      'jobs.publish': () => draftJob({}, { status: 'open', title: 'Weekend barista' }),
    });
    await fillAll();
    fireEvent.click(screen.getByRole('button', { name: /^Time and pay/ }));
    const days = await screen.findByRole('group', { name: /^Also on/ });
    type('Day', '2026-12-18');
    fireEvent.click(within(days).getByRole('radio', { name: 'Repeat' }));
    await press('Weekdays');
    type('Number of shifts', '3');
    expect(within(days).getByText(/^3 shifts: also on Mon.21.Dec, Tue.22.Dec\./)).toBeTruthy();
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Saturday']) await press(day);
    type('Number of shifts', '5');
    // Fridays and Saturdays from the 18th: the 25th and the 26th are holidays.
    expect(
      within(days).getByText(/^5 shifts: also on Sat.19.Dec, Fri.25.Dec, Sat.26.Dec, Fri.1.Jan/),
    ).toBeTruthy();
    expect(
      within(within(days).getByRole('list', { name: 'Public holidays' }))
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toMatchObject(
      [/Eerste Kerstdag/, /Tweede Kerstdag/, /Nieuwjaarsdag/].map((name) => expect.stringMatching(name)),
    );
    fireEvent.click(within(days).getByRole('button', { name: /^Leave out Fri.25.Dec/ }));
    // Six hours at 18.50 and a tenth of it, for each.
    expect(
      within(within(days).getByRole('list', { name: 'Cost by week' }))
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      expect.stringMatching(/2 shifts€244\.20$/),
      expect.stringMatching(/1 shift€122\.10$/),
      expect.stringMatching(/1 shift€122\.10$/),
    ]);
    type('Number of shifts', '61');
    expect(screen.getByText('Enter a number from 2 to 60.')).toBeTruthy();
    fireEvent.click(within(days).getByRole('radio', { name: 'On a day' }));
    type('Last day', '2026-12-19');
    fireEvent.click(screen.getByRole('button', { name: /^Publish/ }));
    await press('Publish 2 shifts');
    await waitFor(() => expect(api.inputs('jobs.publish')).toEqual([{ jobId, alsoOn: ['2026-12-19'] }]));
  });

  it('says at the switch and on the review that instant hire leaves out the other days', async () => {
    open({
      'spots.quote': () => {
        throw refuse('request/internal');
      },
    });
    await fillAll();
    fireEvent.click(screen.getByRole('button', { name: /^Time and pay/ }));
    await press('Sunday 29 November');
    fireEvent.click(screen.getByRole('button', { name: /^Who/ }));
    const note =
      /^Instant hire makes one shift only, on Sat.28.Nov\. Post each other day as a job of its own\.$/;
    const instantHire = await screen.findByRole('switch', { name: /^Instant hire/ });
    expect(screen.queryByText(note)).toBeNull();
    fireEvent.click(instantHire);
    expect(screen.getByText(note)).toBeTruthy();
    await press('Continue');
    await step('Ready to publish?');
    expect(screen.getByText(note)).toBeTruthy();
  });

  it('leaves out days whose start has passed, and takes weekdays after the chosen day', async () => {
    const refused = () => {
      throw refuse('job/starts-in-past');
    };
    const { api } = open({ 'jobs.publish': refused });
    await fillAll();
    fireEvent.click(screen.getByRole('button', { name: /^Time and pay/ }));
    const days = await screen.findByRole('group', { name: /^Also on/ });
    type('Day', '2026-11-22');
    type('From', '09:59');
    const today = within(days).getByRole<HTMLButtonElement>('button', { name: 'Saturday 21 November' });
    expect(today.disabled).toBe(true);
    type('From', '10:01');
    expect(today.disabled).toBe(false);
    type('From', '08:00');
    type('Day', '2026-11-25');
    await press('Weekdays');
    expect(within(days).getByText(/^3 shifts: also on Thu.26.Nov, Fri.27.Nov\./)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Publish/ }));
    await press('Publish 3 shifts');
    await step('When is it, and what does it pay?');
    expect(screen.getByRole('group', { name: /^Also on/ }).textContent).toContain(
      'The shift would start in the past on one of these days. Leave that day out.',
    );
    expect(screen.getByLabelText('Day').getAttribute('aria-invalid')).toBeNull();
    expect(api.inputs('jobs.publish')).toMatchObject([{ alsoOn: ['2026-11-26', '2026-11-27'] }]);
  });

  it("keeps a saved draft's other days, and offers no more than an unverified business can open", async () => {
    const unverified = sampleBusiness({ ...business, status: 'draft', openJobs: 1 });
    open({ 'businesses.mine': [unverified] });
    await fillAll();
    fireEvent.click(screen.getByRole('button', { name: /^Time and pay/ }));
    const limit = await screen.findByText(/^Until your business is verified, you can add up to 6 days\./);
    expect(limit.className).not.toContain('danger');
    await press('Weekdays');
    await press('Sunday 29 November');
    const saturday = screen.getByRole('button', { name: 'Saturday 5 December' });
    expect(saturday.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(saturday);
    expect(limit.className).toContain('danger');
    await press('Sunday 29 November');
    expect(limit.className).not.toContain('danger');
    await press('Every Sunday');
    expect(limit.className).toContain('danger');
    expect(within(limit).getByRole('link', { name: 'Verify your business' }).getAttribute('href')).toBe(
      `/verify?business=${business.id}`,
    );
    expect(screen.getByText(/^7 shifts: also on Sun.29.Nov, Mon.30.Nov, Tue.1.Dec/)).toBeTruthy();
    await press('Save draft');
    await waitFor(() => expect(address()).toBe('/listed-job?status=draft'));
    const storedDraft = readDraft(jobDraftKey(business.id, jobId), isStoredJobDraft);
    expect(storedDraft?.alsoOn).toHaveLength(6);
    expect(storedDraft?.alsoOn).toContain('2026-11-29');
  });

  it('returns to the first step with a problem instead of sending', async () => {
    const { api } = open();
    await fillAll();
    fireEvent.click(screen.getByRole('button', { name: /^What/ }));
    type('Description', '');
    fireEvent.click(screen.getByRole('button', { name: /^Time and pay/ }));
    type('Pay per hour', '');
    fireEvent.click(screen.getByRole('button', { name: /^Publish/ }));
    expect(screen.getByText('2 things are missing.', { exact: false })).toBeTruthy();
    await press('Publish job');
    await step("What's the job?");
    expect(await summary()).toEqual(['Description: Describe the work in a sentence or two.']);
    expect(api.calls('jobs.publish')).toHaveLength(0);
  });

  it('shows a server rejection at its field until that changes', async () => {
    let refusals = 1;
    const { api } = open({
      'jobs.publish': () => {
        if (refusals-- > 0) throw refuse('job/incomplete', { missing: ['payMinor'] });
        return draftJob({}, { status: 'open' });
      },
    });
    await fillAll();
    await press('Publish job');
    await step('When is it, and what does it pay?');
    expect(problemAt('Pay per hour')).toBe('Check this: pay.');
    expect(field('Pay per hour').value).toBe('18,50');
    expect(field('From').value).toBe('08:00');
    type('Pay per hour', '19');
    expect(problemAt('Pay per hour')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /^Publish/ }));
    await press('Publish job');
    await waitFor(() => expect(address()).toBe('/listed-job'));
    expect(api.inputs('jobs.update').at(-1)).toMatchObject({ payMinor: 1_900 });
  });

  it('names both sides of a rule against instant hire', async () => {
    open({
      'jobs.publish': () => {
        throw refuse('job/not-instant', { because: ['cvRequired'] });
      },
    });
    await fillAll();
    await press('Publish job');
    await step('Who are you looking for?');
    expect(problemAt(/^Instant hire/)).toMatch(/CV/);
    expect(await summary()).toHaveLength(1);
    fireEvent.click(screen.getByRole('switch', { name: /^Require a CV/ }));
    expect(problemAt(/^Instant hire/)).toBeNull();
  });

  const labels: [string, string | RegExp][] = [
    ['title', 'Title'],
    ['category', 'Category'],
    ['description', 'Description'],
    ['payMinor', 'Pay per hour'],
    ['startsAt', 'Day'],
    ['endsAt', 'To'],
    ['breakMinutes', /^Break/],
    ['headCount', 'People'],
    ['requirements', /^Requirements/],
    ['skills', /^Add a skill/],
    ['cvRequired', /^Instant hire/],
  ];
  it.each(seededSample(labels, 4, ([name]) => name))(
    'focuses the control when the server rejects %s',
    async (name, label) => {
      open({
        'jobs.publish': () => {
          throw refuse('job/incomplete', { missing: [name] });
        },
      });
      await fillAll();
      await press('Publish job');
      const [link] = await summaryLinks();
      expect(problemAt(label)).toBe(link?.textContent);
      fireEvent.click(link as HTMLElement);
      expect(document.activeElement).toBe(field(label));
    },
  );

  it('shows how many jobs an unverified business can have open', async () => {
    open({
      'jobs.publish': () => {
        throw refuse('job/open-limit', { limit: 3, dates: 7 });
      },
    });
    await fillAll();
    await press('Publish job');
    expect(await screen.findByText('Your limit is 3 open jobs for now')).toBeTruthy();
    await step('Ready to publish?');
    fireEvent.click(screen.getByRole('button', { name: /^What/ }));
    expect(field('Title').value).toBe('Weekend barista');
  });

  it('keeps everything without a network, or on a captive one, and publishes later', async () => {
    const { api } = open({ 'jobs.publish': () => Promise.reject(networkError()) });
    await fillAll();
    setOnline(api, false);
    await press('Publish job');
    expect(screen.getByRole('button', { name: 'Publish job' }).textContent).toContain('Needs a connection');
    setOnline(api, true);
    await press('Publish job');
    expect(await screen.findByText('What you typed is saved on this device.')).toBeTruthy();
    api.on(server());
    await press('Publish job');
    await waitFor(() => expect(address()).toBe('/listed-job'));
    expect(api.calls('jobs.publish')).toHaveLength(2);
  });
});

describe('what may be a typing error', () => {
  it.each([
    ['Pay per hour', '999,99', 'The pay is €999.99 an hour.'],
    ['To', '07:59', /^The shift is 23.h.59.min long/],
    ['Day', '2027-12-03', /^It starts on Friday 3 December 2027/],
    ['People', '140', 'It is for 140 people.'],
  ])('is confirmed before publishing: %s %s', async (label, typed, question) => {
    const { api } = open();
    await fillAll();
    fireEvent.click(screen.getByRole('button', { name: /Time and pay/ }));
    type(label, typed);
    await press('Continue');
    await step('Who are you looking for?');
    await press('Continue');
    await press('Publish job');
    expect(await screen.findByText(question)).toBeTruthy();
    await press('Change it');
    await step('When is it, and what does it pay?');
    expect(api.calls('jobs.publish')).toHaveLength(0);
    await press('Continue');
    await step('Who are you looking for?');
    await press('Continue');
    await press('Publish job');
    await press('Publish as it is');
    await waitFor(() => expect(api.calls('jobs.publish')).toHaveLength(1));
  });

  it('in the head count is reported at the field, and nothing else is sent', async () => {
    const { api } = open();
    await fillAll();
    fireEvent.click(screen.getByRole('button', { name: /Time and pay/ }));
    for (const wrong of ['2.5', '10,000', '0']) {
      type('People', wrong);
      expect(field('People').value).toBe(wrong);
      expect(problemAt('People')).toBe('Enter a whole number from 1 to 500.');
    }
    type('People', '');
    await press('Continue');
    expect(problemAt('People')).toBe('Enter a whole number from 1 to 500.');
    expect(api.inputs('jobs.update').every((input) => !('headCount' in input))).toBe(true);
    type('People', '40');
    await press('Continue');
    await step('Who are you looking for?');
  });
});

describe('the draft', () => {
  it('survives a reload with its step, and can be left for another job', async () => {
    open();
    await fillWhat();
    await press('Continue');
    await step('Where is it?');
    cleanup();
    open({}, '/create-job');
    await press('Continue with Weekend barista');
    await step('Where is it?');
    fireEvent.click(screen.getByRole('button', { name: /^What/ }));
    expect(field('Title').value).toBe('Weekend barista');
    cleanup();
    open({}, '/create-job');
    expect(await screen.findByText('Continue your draft?')).toBeTruthy();
    expect(screen.queryByLabelText('Title')).toBeNull();
    await press('Start a new job');
    await waitFor(() => expect(field('Title').value).toBe(''));
  });

  it('of a step returns to the previous step on Back, and only then leaves the page', async () => {
    open();
    await fillWhat();
    await press('Continue');
    await step('Where is it?');
    await press('Continue');
    await step('When is it, and what does it pay?');
    for (const before of ['Where is it?', "What's the job?"]) {
      act(() => void closeTopLayer());
      await step(before);
    }
    expect(hasLayers()).toBe(false);
    expect(field('Title').value).toBe('Weekend barista');
  });

  it('requires a title and a category to be saved', async () => {
    const { api } = open();
    await screen.findByLabelText('Title');
    type('Category', '');
    type('Title', 'Weekend barista');
    fireEvent.click(screen.getByRole('button', { name: /Time and pay/ }));
    await press('Save draft');
    expect(await screen.findByText('Add a title and a category to save the draft.')).toBeTruthy();
    await step("What's the job?");
    expect(api.calls('jobs.create')).toHaveLength(0);
    type('Category', 'hospitality');
    await press('Save draft');
    await waitFor(() => expect(address()).toBe('/listed-job?status=draft'));
    expect(api.inputs('jobs.create')).toMatchObject([{ title: 'Weekend barista', category: 'hospitality' }]);
  });

  it('is created once by two concurrent saves', async () => {
    const response = later<Job>();
    const { api } = open({ 'jobs.create': () => response.answer });
    await fillWhat();
    await pressTwice('Save draft');
    await response.give(draftJob({ title: 'Weekend barista', category: 'hospitality' }));
    await waitFor(() => expect(address()).toBe('/listed-job?status=draft'));
    expect(api.calls('jobs.create')).toHaveLength(1);
  });

  it("shows that it isn't saved and saves on demand", async () => {
    let failures = 1;
    const { api } = open({
      'jobs.create': (input) => {
        if (failures-- > 0) throw refuse('request/internal');
        return draftJob(input);
      },
    });
    await fillWhat();
    await press('Continue');
    await press(/Not saved/);
    expect(await screen.findByText(/^Draft saved/)).toBeTruthy();
    expect(api.calls('jobs.create')).toHaveLength(2);
    expect(address()).toBe('/create-job');
  });

  it('resends under the same key after a lost response', async () => {
    let losses = 1;
    const { api } = open({
      'jobs.create': (input) => {
        if (losses-- > 0) throw networkError();
        return draftJob(input);
      },
    });
    await fillWhat();
    await press('Continue');
    expect(await screen.findByText('Offline, saved on this device')).toBeTruthy();
    await press('Save draft');
    await waitFor(() => expect(address()).toBe('/listed-job?status=draft'));
    const [first, second] = api.calls('jobs.create').map(({ idempotencyKey }) => idempotencyKey);
    expect(first).toBe(second);
  });

  it("merges a colleague's changes and keeps the typed text", async () => {
    const mine = draftJob({ title: 'Weekend barista', category: 'hospitality', description: 'Before.' });
    const theirs: Job = { ...mine, version: 5, description: 'From a colleague.', headCount: 4 };
    let stale = true;
    const { api } = open(
      {
        ...server(mine),
        'jobs.get': () => (stale ? mine : theirs),
        'jobs.update': ({ version }) => {
          if (version === 1) {
            stale = false;
            throw refuse('job/stale');
          }
          return { ...theirs, version: 6, title: 'Sunday barista' };
        },
      },
      `/create-job?job=${jobId}`,
    );
    await screen.findByDisplayValue('Weekend barista');
    type('Title', 'Sunday barista');
    await press('Continue');
    expect(await screen.findByText(/Someone on your team also edited this draft/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^What/ }));
    expect(field('Title').value).toBe('Sunday barista');
    expect(field('Description').value).toBe('From a colleague.');
    expect(api.inputs('jobs.update').at(-1)).toMatchObject({ version: 5, title: 'Sunday barista' });
    expect(api.inputs('jobs.update').at(-1)).not.toHaveProperty('description');
  });

  it('opened by its id loads it and stays separate from the new one', async () => {
    const saved = draftJob({ title: 'Night baker', category: 'hospitality', description: 'Bread.' });
    open(server(saved), `/create-job?job=${jobId}`);
    await screen.findByDisplayValue('Night baker');
    expect(screen.queryByText('We saved what you typed.')).toBeNull();
    type('Title', 'Night baker 2');
    cleanup();
    open();
    await screen.findByLabelText('Title');
    expect(field('Title').value).toBe('');
  });

  it('that was published in the meantime opens the job', async () => {
    open({ ...server(), 'jobs.get': draftJob({}, { status: 'open' }) }, `/create-job?job=${jobId}`);
    expect(await screen.findByText('This is no longer a draft')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Open the job' }).getAttribute('href')).toBe(
      `/edit-job/${jobId}`,
    );
  });
});

describe('who may write one', () => {
  it('sends a finance member to the other roles', async () => {
    const finance = sampleBusiness({ role: 'finance', actions: [] });
    open({ 'businesses.mine': [finance] });
    expect(await screen.findByText("Your role doesn't include this")).toBeTruthy();
    expect(screen.queryByLabelText('Title')).toBeNull();
  });

  it('asks users without a business to register one', async () => {
    open({ 'businesses.mine': [] });
    expect(await screen.findByRole('link', { name: 'Register a business' })).toBeTruthy();
  });
});
