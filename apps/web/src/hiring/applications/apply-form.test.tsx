import type { MyApplication } from '@nearhand/contract/hiring/applications';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router';
import { describe, expect, it } from 'vitest';
import { openDevice, press, setOnline } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { sampleProfile } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { closeTopLayer, hasLayers } from '../../lib/pages/back-button.ts';
import { formatDateSpan } from '../../lib/words/format.ts';
import { conflictWords } from '../calendar/conflicts.tsx';
import { breakfast, sampleDate, sampleJob } from '../jobs/jobs.fixtures.ts';
import { sampleApplication, sampleQuestion } from './applications.fixtures.ts';
import JobAppliedSuccessScreen from './job-applied-success.screen.tsx';
import JobApplyFormScreen from './job-apply-form.screen.tsx';
import { waiting } from './outbox.api.ts';

const jobId = sampleJob().id;
const years = sampleQuestion({ id: '0193aaaa-0000-7000-8000-00000000000a', kind: 'number' });
const car = sampleQuestion({
  id: '0193aaaa-0000-7000-8000-00000000000b',
  prompt: 'Do you drive?',
  kind: 'yes_no',
});
const asking = sampleJob({ questions: [years, car] });
const success = `/job-applied-success/${jobId}`;

function Address() {
  return <output data-testid="address">{useLocation().pathname}</output>;
}
const address = () => screen.getByTestId('address').textContent;

const open = (job: Job = asking, api: Handlers = {}) =>
  renderPart(
    <>
      <Routes>
        <Route path="/job-apply-form/:jobid" element={<JobApplyFormScreen />} />
        <Route path="*" element={null} />
      </Routes>
      <Address />
    </>,
    {
      path: `/job-apply-form/${jobId}`,
      session: 'worker',
      now: '2026-11-21T09:00:00Z',
      api: {
        'jobs.get': job,
        'profiles.mine': sampleProfile(),
        'calendar.conflicts': [],
        'applications.submit': sampleApplication(),
        ...api,
      },
    },
  );
const step = (name: string) => screen.findByRole('heading', { level: 1, name });

async function giveAnswers() {
  await screen.findByLabelText('How many years?');
  type('How many years?', '2,5');
  fireEvent.click(screen.getByRole('radio', { name: 'Yes' }));
}
async function toCheck() {
  await giveAnswers();
  await press('Continue');
  await step('Introduce yourself');
  type(/^Your message/, ' I live around the corner. ');
  await press('Continue');
  await step('Check and send');
}

it('names after sending what the profile lacks, with the way to add it', async () => {
  const application = sampleApplication();
  renderPart(
    <Routes>
      <Route path="/job-applied-success/:jobid" element={<JobAppliedSuccessScreen />} />
    </Routes>,
    {
      path: success,
      session: 'worker',
      now: '2026-11-21T09:00:00Z',
      api: {
        'jobs.get': sampleJob({
          myApplication: { id: application.id, status: 'submitted', workEnding: null },
        }),
        'jobs.similar': [],
        'applications.get': application,
        'profiles.mine': sampleProfile({ skills: [] }),
      },
    },
  );
  const link = await screen.findByRole('link', { name: /skills, home area,? and usual free times/ });
  expect(link.getAttribute('href')).toBe(`/myprofile?edit=1&next=${encodeURIComponent(success)}`);
});

describe('the steps of an application', () => {
  it('report each unanswered question in a summary that links to it', async () => {
    open();
    await screen.findByLabelText('How many years?');
    await press('Continue');
    // The words of the business keep their direction and marks in a page of the other direction.
    expect(screen.getByText('How many years?').tagName).toBe('BDI');
    const links = within(await screen.findByRole('alert')).getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual([
      'How many years? Answer this question.',
      'Do you drive? Answer this question.',
    ]);
    fireEvent.click(links[0] as HTMLElement);
    expect(document.activeElement).toBe(field('How many years?'));
    fireEvent.click(links[1] as HTMLElement);
    expect(document.activeElement?.contains(screen.getByRole('radio', { name: 'Yes' }))).toBe(true);
  });

  it.each(['two', '1.2.3', '--1'])('reject %s as a number', async (typed) => {
    open();
    await giveAnswers();
    type('How many years?', typed);
    await pressEnter('How many years?');
    expect(problemAt('How many years?')).toBe('Enter a number, such as 3 or 2.5.');
    type('How many years?', '3');
    expect(problemAt('How many years?')).toBeNull();
    await pressEnter('How many years?');
    await step('Introduce yourself');
  });

  it("show the business's deadline before sending", async () => {
    open(sampleJob({ startsAt: '2026-12-20T09:00:00Z' }));
    await step('Introduce yourself');
    await press('Continue');
    await step('Check and send');
    expect(screen.getByText(/^They'll reply by Sat,? 5 Dec|^They'll reply by Sat,? Dec 5/)).toBeTruthy();
    cleanup();
    open(sampleJob({ startsAt: '2026-11-24T09:00:00Z' }));
    expect(
      await screen.findByText(/^They'll reply by Mon,? 23 Nov.*\d:00|^They'll reply by Mon,? Nov 23.*\d:00/),
    ).toBeTruthy();
  });

  it('require a CV if the job does', async () => {
    const { api } = open(sampleJob({ cvRequired: true }));
    await step('Introduce yourself');
    await press('Continue');
    expect(await screen.findAllByText('This job asks for a CV. Add one.')).toHaveLength(2);
    expect(api.calls('applications.submit')).toHaveLength(0);
  });

  it('reject a message over the limit and keep all of it', async () => {
    open(sampleJob());
    await step('Introduce yourself');
    type(/^Your message/, 'x'.repeat(2_001));
    await press('Continue');
    await waitFor(() => expect(problemAt(/^Your message/)).toMatch(/characters or fewer\.$/));
    expect(field(/^Your message/).value).toHaveLength(2_001);
  });

  it('list the free shifts of a series, and apply for the selected ones at once', async () => {
    const dates = [28, 29, 30].map((day, index) => sampleDate(day, index === 1 ? { booked: breakfast } : {}));
    const sent = sampleApplication({ job: { ...sampleApplication().job, id: dates[2]?.jobId ?? '' } });
    const { api } = open(sampleJob({ dates }), { 'applications.submit': sent });
    await step('Choose your shifts');
    const [first, booked, last] = screen.getAllByRole('checkbox') as HTMLInputElement[];
    expect([first?.checked, booked?.checked, booked?.disabled, last?.checked]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(screen.getByText('2 shifts, €216 to you')).toBeTruthy();
    expect(screen.getByText(/You work then: Breakfast service/)).toBeTruthy();
    fireEvent.click(last as HTMLElement);
    fireEvent.click(first as HTMLElement);
    await press('Continue');
    expect(await screen.findAllByText('Choose at least one shift.')).toHaveLength(2);
    fireEvent.click(last as HTMLElement);
    fireEvent.click(first as HTMLElement);
    await press('Continue');
    await step('Introduce yourself');
    await press('Continue');
    await step('Check and send');
    await press('Apply for 2 shifts');
    await waitFor(() => expect(address()).toBe(`/job-applied-success/${dates[2]?.jobId}`));
    expect(api.calls('applications.submit')).toMatchObject([
      { input: { jobId, alsoFor: [dates[2]?.jobId] } },
    ]);
  });

  it('apply for all dates of a block, or for none if one is booked', async () => {
    const series = {
      shifts: 3,
      firstStartsAt: '2026-11-30T07:00:00Z',
      lastStartsAt: '2026-11-30T07:00:00Z',
      payRange: null,
      asBlock: true,
    };
    const free = [28, 29, 30].map((day) => sampleDate(day, { asBlock: true }));
    const { api } = open(sampleJob({ dates: free, series }));
    await step('All dates together');
    const boxes = screen.getAllByRole<HTMLInputElement>('checkbox');
    expect(boxes.map(({ checked, disabled }) => checked && disabled)).toEqual([true, true, true]);
    await press('Continue');
    await step('Introduce yourself');
    await press('Continue');
    await step('Check and send');
    await press('Apply for 3 shifts');
    await waitFor(() =>
      expect(api.inputs('applications.submit')).toMatchObject([
        { jobId, alsoFor: [free[1]?.jobId, free[2]?.jobId] },
      ]),
    );
    cleanup();
    const dates = [28, 29, 30].map((day) =>
      sampleDate(day, { asBlock: true, booked: day === 30 ? breakfast : null }),
    );
    open(sampleJob({ dates, series }));
    await step('All dates together');
    expect(screen.getByText(/You work then: Breakfast service/)).toBeTruthy();
    await press('Continue');
    expect(await screen.findAllByText('You need to be free on all dates to apply.')).toHaveLength(2);
  });

  it("show which job was answered when its own shift isn't selected", async () => {
    const dates = [28, 29, 30].map((day) => sampleDate(day));
    const { api } = open(sampleJob({ dates, questions: [car] }));
    await step('Choose your shifts');
    fireEvent.click(screen.getAllByRole('checkbox')[0] as HTMLElement);
    await press('Continue');
    await screen.findByRole('radio', { name: 'Yes' });
    fireEvent.click(screen.getByRole('radio', { name: 'Yes' }));
    await press('Continue');
    await step('Introduce yourself');
    await press('Continue');
    await step('Check and send');
    await press('Apply for 2 shifts');
    await waitFor(() => expect(api.calls('applications.submit')).toHaveLength(1));
    expect(api.inputs('applications.submit')).toMatchObject([
      {
        jobId: dates[1]?.jobId,
        alsoFor: [dates[2]?.jobId],
        answeredJobId: jobId,
        answers: [{ questionId: car.id, value: true }],
      },
    ]);
  });

  it('advance once on a double click, which would otherwise send an unchecked form', async () => {
    open();
    await giveAnswers();
    const click = (name: string, detail: number) =>
      fireEvent.click(screen.getByRole('button', { name }), { detail });
    click('Continue', 1);
    await step('Introduce yourself');
    click('Continue', 2);
    expect(screen.getByRole('heading', { level: 1, name: 'Introduce yourself' })).toBeTruthy();
    click('Continue', 1);
    await step('Check and send');
    click('Send application', 2);
    expect(screen.getByRole('button', { name: 'Send application' }).getAttribute('aria-busy')).toBeNull();
    click('Send application', 1);
    await waitFor(() => expect(address()).toBe(success));
  });

  it('survive a reload, with a way back through the steps, and are deleted on request', async () => {
    open();
    await toCheck();
    cleanup();
    open();
    await step('Check and send');
    act(() => void closeTopLayer());
    await step('Introduce yourself');
    act(() => void closeTopLayer());
    await screen.findByLabelText('How many years?');
    expect(hasLayers()).toBe(false);
    await press('Continue');
    await press('Continue');
    await press('Change: Your answers');
    expect(field('How many years?').value).toBe('2,5');
    await press('Start again');
    await waitFor(() => expect(field('How many years?').value).toBe(''));
  });
});

describe('booking an instant hire', () => {
  const instant = sampleJob({ instantHire: true, funded: true, skills: [] });

  it('shows pay and terms in one step, without a message field', async () => {
    const { api } = open(instant, { 'applications.submit': sampleApplication({ status: 'hired' }) });
    await step('Book this shift');
    expect(screen.getByText('You can cancel until 24 hours before the start')).toBeTruthy();
    expect(screen.getByText(/lowers your reliability.*Within 5 minutes of booking/)).toBeTruthy();
    expect(screen.getByText('At least 4 h paid if they send you home')).toBeTruthy();
    expect(screen.getAllByText('€108').length).toBeGreaterThan(0);
    expect(screen.queryByLabelText(/^Your message/)).toBeNull();
    expect(screen.queryByText(/helps you stand out/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Send application' })).toBeNull();
    await press('Book this shift for €108');
    await waitFor(() => expect(address()).toBe(success));
    expect(api.inputs('applications.submit')).toMatchObject([{ jobId, book: true, coverNote: '' }]);
  });

  it('is never queued, and says that a near start is too late to cancel in time', async () => {
    const { api } = open({ ...instant, startsAt: '2026-11-22T00:00:00Z', endsAt: '2026-11-22T08:00:00Z' });
    await step('Book this shift');
    expect(
      screen.getByText('Starts in 15 h: cancelling counts as late, except in the first 5 minutes'),
    ).toBeTruthy();
    expect(screen.queryByText(/^You can cancel until/)).toBeNull();
    setOnline(api, false);
    await press('Book this shift for €108');
    expect((await screen.findAllByText(/You can book when you're back online/)).length).toBeGreaterThan(0);
    expect(waiting()).toEqual([]);
  });

  it("becomes an application when the server wouldn't book", async () => {
    const { api } = open(instant, {
      'applications.submit': () => {
        throw refuse('application/not-bookable', undefined);
      },
    });
    await step('Book this shift');
    await press('Book this shift for €108');
    expect(await screen.findByText(/You can still apply/)).toBeTruthy();
    expect(api.inputs('applications.submit')).toHaveLength(1);
    await step('Introduce yourself');
  });
});

describe('contact details in the message', () => {
  it('are refused at the field at once; other ways to go around the chat are warned about', async () => {
    open();
    await giveAnswers();
    await press('Continue');
    await step('Introduce yourself');
    type(/^Your message/, 'I live around the corner. Find me on telegram.');
    expect(problemAt(/^Your message/)).toBeNull();
    expect(screen.getByText(/giving away contact details/)).toBeTruthy();
    type(/^Your message/, 'Call me on 06 12345678 or mail leila@demo.example');
    expect(screen.queryByText(/giving away contact details/)).toBeNull();
    expect(problemAt(/^Your message/)).toMatch(/^Remove phone numbers and email addresses/);
    await press('Continue');
    await step('Introduce yourself');
  });
});

describe('a job that clashes', () => {
  it('shows which part of it is outside the usual hours', () => {
    openDevice({});
    const part = {
      kind: 'availability' as const,
      startsAt: '2026-11-28T11:00:00Z',
      endsAt: '2026-11-28T13:00:00Z',
    };
    const zone = 'Europe/Amsterdam';
    const now = new Date('2026-11-21T09:00:00Z');
    const hours = formatDateSpan(part.startsAt, part.endsAt, zone, now);
    expect(conflictWords(part, zone, now).sentence).toBe(`Outside your usual hours: ${hours}`);
    const week = { ...part, kind: 'week' as const, minutes: 750, hoursMax: 12 };
    expect(conflictWords(week, zone, now).sentence).toMatch(
      /^The week of Sat.+28.* would be 12.h.30.min\. You want 12.h at most\.$/,
    );
  });

  const booked = {
    kind: 'engagement' as const,
    id: '0193aaaa-0000-7000-8000-0000000000e1',
    title: 'Breakfast service',
    startsAt: '2026-11-28T07:00:00Z',
    endsAt: '2026-11-28T10:00:00Z',
  };

  it('with booked work disables applying, with the reason', async () => {
    open(sampleJob(), { 'calendar.conflicts': [booked] });
    await step("You're booked at that time");
    expect(screen.getByText(/^Clashes with Breakfast service, Sat/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
  });

  it('shows other overlaps once, in one line', async () => {
    const { startsAt, endsAt } = booked;
    const usual = { kind: 'availability' as const, startsAt, endsAt };
    open(sampleJob(), { 'calendar.conflicts': [{ ...booked, kind: 'interview' }, usual] });
    const line = await screen.findByText(/^Clashes with your interview for Breakfast service/);
    expect(line.textContent).toMatch(/\(and 1 more\)$/);
    await press('Continue');
    await step('Check and send');
    expect(screen.queryByText(/^Clashes with/)).toBeNull();
  });
});

describe('sending an application', () => {
  it('happens once, trimmed, with numbers as numbers', async () => {
    const sent = later<MyApplication>();
    const { api } = open(asking, { 'applications.submit': () => sent.answer });
    await toCheck();
    await pressTwice('Send application');
    await sent.give(sampleApplication());
    await waitFor(() => expect(address()).toBe(success));
    expect(api.inputs('applications.submit')).toMatchObject([
      {
        jobId,
        coverNote: 'I live around the corner.',
        answers: [
          { questionId: years.id, value: 2.5 },
          { questionId: car.id, value: true },
        ],
        cvFileId: null,
      },
    ]);
    expect(Object.keys(localStorage).filter((key) => key.includes('apply:'))).toEqual([]);
  });

  it('returns to the answers that the server rejects', async () => {
    const { api } = open(asking, {
      'applications.submit': () => {
        throw refuse('application/answers-invalid', {
          issues: [{ questionId: years.id, problem: 'invalid' }],
        });
      },
    });
    await toCheck();
    await press('Send application');
    await waitFor(() => expect(problemAt('How many years?')).toBe('Check this answer.'));
    expect(field('How many years?').value).toBe('2,5');
    type('How many years?', '3');
    expect(problemAt('How many years?')).toBeNull();
    await waitFor(() => expect(api.calls('jobs.get').length).toBeGreaterThan(1));
  });

  it('asks for the name missing in the profile, saves it first, and keeps it when sending fails', async () => {
    let failures = 1;
    const { api } = open(sampleJob(), {
      'profiles.mine': sampleProfile({ name: '' }),
      'profiles.save': sampleProfile({ name: 'Leila' }),
      'POST /api/auth/access-token': () => new Response('{}', { status: 503 }),
      'applications.submit': () => {
        if (failures-- > 0) throw refuse('request/internal');
        return sampleApplication();
      },
    });
    await screen.findByLabelText('Your name');
    type('Your name', '  ');
    await press('Continue');
    await waitFor(() => expect(problemAt('Your name')).toBe('Enter your name.'));
    type('Your name', ' Leila ');
    await press('Continue');
    await step('Check and send');
    await press('Send application');
    await waitFor(() => expect(api.calls('applications.submit')).toHaveLength(1));
    expect(api.inputs('profiles.save')).toEqual([{ name: 'Leila' }]);
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    await press('Send application');
    await waitFor(() => expect(address()).toBe(success));
    const [first, second] = api.calls('applications.submit').map((call) => call.idempotencyKey);
    expect(first).toBe(second);
  });

  it('queues on the device without a network', async () => {
    const { api } = open();
    await toCheck();
    setOnline(api, false);
    expect(await screen.findByText(/Send it now and we'll deliver it/)).toBeTruthy();
    await press('Send application');
    await waitFor(() => expect(address()).toBe(success));
    expect(waiting()).toMatchObject([{ jobId, coverNote: 'I live around the corner.' }]);
    expect(api.calls('applications.submit')).toHaveLength(0);
  });

  it('queues on the device too when the response was lost', async () => {
    open(asking, {
      'applications.submit': () => {
        throw networkError();
      },
    });
    await toCheck();
    await press('Send application');
    await waitFor(() => expect(address()).toBe(success));
    expect(waiting()).toHaveLength(1);
  });

  it('opens an application that was already sent', async () => {
    const { id } = sampleApplication();
    open(asking, {
      'applications.submit': () => {
        throw refuse('application/already-applied', { applicationId: id });
      },
    });
    await toCheck();
    await press('Send application');
    await waitFor(() => expect(address()).toBe(`/tabs/menu/my-work/${id}`));
  });

  it('shows that the job has closed and keeps the text', async () => {
    let closed = false;
    open(asking, {
      'jobs.get': () => (closed ? { ...asking, status: 'closed', actions: [] } : asking),
      'applications.submit': () => {
        closed = true;
        throw refuse('job/not-open', { status: 'closed' });
      },
    });
    await toCheck();
    await press('Send application');
    expect(await screen.findByText("This job isn't accepting applications")).toBeTruthy();
    expect(Object.values(localStorage).some((value) => String(value).includes('around the corner'))).toBe(
      true,
    );
  });
});

describe('changing an application', () => {
  const applied = sampleApplication({ answers: [], coverNote: 'I live around the corner.' });
  const job = sampleJob({
    actions: [],
    myApplication: { id: applied.id, status: 'submitted', workEnding: null },
  });

  it('starts from the sent application and sends its version', async () => {
    const { api } = open(job, {
      'applications.get': applied,
      'applications.update': { ...applied, version: 2, coverNote: 'I can start today.' },
    });
    await waitFor(() => expect(field(/^Your message/).value).toBe('I live around the corner.'));
    type(/^Your message/, 'I can start today.');
    await press('Continue');
    await step('Check your changes');
    await pressTwice('Save changes');
    await waitFor(() => expect(address()).toBe(`/tabs/menu/my-work/${applied.id}`));
    expect(api.inputs('applications.update')).toMatchObject([
      { applicationId: applied.id, version: 1, coverNote: 'I can start today.' },
    ]);
  });
});
