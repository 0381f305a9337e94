import type { Interview } from '@nearhand/contract/hiring/interviews';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { sampleProfile } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { sampleJob } from '../jobs/jobs.fixtures.ts';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { TimesForm } from './interview-acts.tsx';
import { sampleInterview } from './interviews.fixtures.ts';
import { ProposeInterview } from './propose-interview.tsx';

// The country of a phone number comes from the list of places.
vi.mock('../../people/places/gazetteer-source.ts', () => ({ countryOfPoint: async () => 'NL' }));

const now = '2026-11-21T09:00:00Z';
const applicationId = sampleApplicant().id;
const suggested = () => within(screen.getByRole('group', { name: 'Suggested times' })).getAllByRole('button');
const removable = () =>
  screen.queryAllByRole('button', { name: /^Remove / }).map((button) => button.getAttribute('aria-label'));
const addTime = (day: string, time: string) => {
  type('Day', day);
  type('Time', time);
  fireEvent.click(screen.getByRole('button', { name: 'Add' }));
};
const said = () => document.querySelector('.slot-picker .help')?.textContent;

describe('proposing an interview', () => {
  const open = (api: Handlers = {}) => {
    const onDone = vi.fn();
    const onClose = vi.fn();
    const rendered = renderPart(
      <ProposeInterview applicationId={applicationId} onDone={onDone} onClose={onClose} />,
      {
        session: 'business',
        now,
        api: {
          'applicants.get': sampleApplicant(),
          'profiles.mine': sampleProfile(),
          'jobs.get': sampleJob({ startsAt: '2026-12-12T07:00:00Z', endsAt: '2026-12-12T13:00:00Z' }),
          'interviews.propose': sampleInterview({ side: 'business', status: 'proposed' }),
          'interviews.mine': { items: [], nextCursor: null },
          ...api,
        },
      },
    );
    return { ...rendered, onDone, onClose };
  };
  const ready = () => screen.findByLabelText('Meeting link');

  it('requires a link and a time, and focuses the first missing field', async () => {
    const { api } = open();
    await ready();
    await press('Propose times');
    await waitFor(() => expect(problemAt('Meeting link')).toBe('Paste the meeting link.'));
    expect(said()).toBe('Choose a time and press Add.');
    expect(document.activeElement).toBe(field('Meeting link'));
    type('Meeting link', 'https://meet.example.org/abc');
    expect(problemAt('Meeting link')).toBeNull();
    await press('Propose times');
    await waitFor(() => expect(document.activeElement).toBe(field('Day')));
    expect(api.calls('interviews.propose')).toHaveLength(0);
  });

  it.each([
    ['http://meet.example.org', 'Paste a link that starts with https.'],
    ['meet.example.org/abc', 'Paste a link that starts with https.'],
    ['https://user:secret@meet.example.org', 'Paste a link that starts with https.'],
  ])('rejects %s as a link', async (typed, problem) => {
    open();
    await ready();
    type('Meeting link', typed);
    await press('Propose times');
    await waitFor(() => expect(problemAt('Meeting link')).toBe(problem));
  });

  it('by phone requires a number with its country, and sends it plain', async () => {
    const { api, onDone } = open();
    await ready();
    fireEvent.click(screen.getByRole('radio', { name: /phone/i }));
    type('Phone number', '1234 5678');
    fireEvent.click(suggested()[0] as HTMLElement);
    await press('Propose this time');
    await waitFor(() => expect(problemAt('Phone number')).toMatch(/country code/));
    type('Phone number', '0031 (6) 1234-5678');
    await press('Propose this time');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(api.inputs('interviews.propose')[0]).toMatchObject({ mode: 'phone', where: '+31612345678' });
  });

  it('accepts a phone number as dialled in the country of the job, and marks a refused one', async () => {
    const { api } = open({
      'interviews.propose': () => {
        throw refuse('interview/where-invalid');
      },
    });
    await ready();
    fireEvent.click(screen.getByRole('radio', { name: /phone/i }));
    const phone = field('Phone number');
    fireEvent.focus(phone);
    type('Phone number', '06 12345678');
    fireEvent.blur(phone);
    await waitFor(() => expect((field('Phone number') as HTMLInputElement).value).toBe('+31 6 12345678'));
    fireEvent.click(suggested()[0] as HTMLElement);
    await press('Propose this time');
    await waitFor(() => expect(problemAt('Phone number')).toMatch(/country code/));
    expect(api.inputs('interviews.propose')[0]).toMatchObject({ where: '+31612345678' });
    expect(document.querySelector('.banner.bad')).toBeNull();
  });

  it('asks before a time at which the business has another interview', async () => {
    const second = sampleInterview({
      id: applicationId,
      side: 'business',
      worker: { ...sampleInterview().worker, name: 'Thijs Kuipers' },
    });
    const { api } = open({ 'interviews.mine': { items: [second], nextCursor: null } });
    await ready();
    await waitFor(() => expect(api.calls('interviews.mine')).toHaveLength(1));
    addTime('2026-11-24', '10:15');
    expect(
      await screen.findByText(/^You have another interview then: Thijs Kuipers, Tue 24 Nov, 10:00.+10:30/),
    ).toBeTruthy();
    await press('Choose another time');
    expect(removable()).toHaveLength(0);
    addTime('2026-11-24', '10:15');
    await press('Choose it anyway');
    await waitFor(() => expect(removable()).toHaveLength(1));
    addTime('2026-11-24', '10:30');
    expect(removable()).toHaveLength(2);
  });

  it('gives the deadline for answering, and warns of a short one', async () => {
    open();
    await ready();
    expect(screen.getByText(/^They have 72 hours to answer/)).toBeTruthy();
    addTime('2026-11-21', '18:00');
    expect(screen.getByText(/^Accepts or declines by .*16:00/)).toBeTruthy();
    expect(screen.getByText(/less than half a day/)).toBeTruthy();
    addTime('2026-11-30', '18:00');
    expect(screen.getByText(/^Picks one by Tue 24 Nov.*10:00/)).toBeTruthy();
    expect(screen.queryByText(/less than half a day/)).toBeNull();
  });

  it("adds times by day and clock in the job's zone, each once and in order", async () => {
    open();
    await ready();
    addTime('2026-11-25', '15:30');
    addTime('2026-11-24', '09:15');
    expect(removable().map((label) => /\d\d:\d\d/.exec(label ?? '')?.[0])).toEqual(['09:15', '15:30']);
    expect(document.activeElement).toBe(field('Day'));
    addTime('2026-11-24', '09:15');
    expect(said()).toBe("You've already added that time.");
    addTime('2026-11-21', '09:59');
    expect(said()).toBe('That time has passed.');
    addTime('2027-11-21', '09:59');
    expect(said()).toMatch(/^Choose times within the next \d+ days\.$/);
    addTime('', '');
    expect(said()).toBe('Choose a day and a time.');
    expect(removable()).toHaveLength(2);
  });

  it('adds a typed time with Enter without submitting', async () => {
    const { api } = open();
    await ready();
    type('Meeting link', 'https://meet.example.org/abc');
    type('Day', '2026-11-24');
    type('Time', '09:15');
    expect(fireEvent.keyDown(field('Time'), { key: 'Enter' })).toBe(false);
    expect(removable()).toHaveLength(1);
    expect(api.calls('interviews.propose')).toHaveLength(0);
  });

  it('is sent once, with the times in the zone of the job', async () => {
    const response = later<Interview>();
    const { api, onDone } = open({ 'interviews.propose': () => response.answer });
    await ready();
    type('Meeting link', 'https://meet.example.org/abc');
    addTime('2026-11-24', '09:15');
    type(/^Message/, 'Looking forward to it.');
    await pressEnter('Meeting link');
    await pressTwice('Propose this time');
    await response.give(sampleInterview({ side: 'business', status: 'proposed' }));
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(api.inputs('interviews.propose')).toEqual([
      {
        applicationId,
        mode: 'video',
        minutes: 30,
        slots: ['2026-11-24T08:15:00.000Z'],
        message: 'Looking forward to it.',
        where: 'https://meet.example.org/abc',
      },
    ]);
  });

  it('keeps everything except past times through rejection, closing and reload', async () => {
    open({
      'interviews.propose': () => {
        throw networkError();
      },
    });
    await ready();
    type('Meeting link', 'https://meet.example.org/abc');
    addTime('2026-11-21', '11:00');
    addTime('2026-11-24', '09:15');
    await press('Propose 2 times');
    await screen.findByText(/connection|reach|network/i);
    expect(removable()).toHaveLength(2);
    cleanup();
    vi.setSystemTime(new Date('2026-11-22T09:00:00Z'));
    const { api, onDone } = open();
    vi.setSystemTime(new Date('2026-11-22T09:00:00Z'));
    await ready();
    expect(field('Meeting link').value).toBe('https://meet.example.org/abc');
    await press('Propose this time');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(api.inputs('interviews.propose')[0]?.slots).toEqual(['2026-11-24T08:15:00.000Z']);
  });

  it('rejects a message over the limit at its field', async () => {
    const { api } = open();
    await ready();
    type('Meeting link', 'https://meet.example.org/abc');
    addTime('2026-11-24', '09:15');
    type(/^Message/, 'x'.repeat(5_001));
    await press('Propose this time');
    await waitFor(() => expect(problemAt(/^Message/)).toMatch(/characters or fewer\.$/));
    expect(document.activeElement).toBe(field(/^Message/));
    expect(api.calls('interviews.propose')).toHaveLength(0);
  });
});

describe('suggesting other times', () => {
  const interview = sampleInterview({
    status: 'proposed',
    awaits: 'worker',
    startsAt: null,
    endsAt: null,
    workStartsAt: '2026-12-01T07:00:00Z',
    slots: [{ id: '01900000-0000-7000-8000-000000000071', startsAt: '2026-11-24T09:00:00Z' }],
  });
  const booked = {
    kind: 'engagement' as const,
    id: '01900000-0000-7000-8000-000000000090',
    title: 'Late barista',
    businessName: 'Kopi & Crumb',
    startsAt: '2026-11-25T08:00:00Z',
    endsAt: '2026-11-25T12:00:00Z',
    status: 'booked' as const,
    timeZone: 'Europe/Amsterdam',
    where: '',
    path: '/tabs/menu/my-work',
  };
  const open = () => {
    const onDone = vi.fn();
    const rendered = renderPart(<TimesForm interview={interview} move="suggest" onDone={onDone} />, {
      session: 'worker',
      now,
      api: { 'interviews.suggest': interview, 'calendar.mine': [booked] },
    });
    return { ...rendered, onDone };
  };

  it('adds unproposed times before the work starts, and sends them once', async () => {
    const { api, onDone } = open();
    addTime('2026-11-24', '10:00');
    await waitFor(() => expect(said()).toBe('Kopi & Crumb already proposed that time. Pick it instead.'));
    addTime('2026-12-01', '08:00');
    await waitFor(() => expect(said()).toBe('Choose a time before the work starts.'));
    addTime('2026-11-26', '10:00');
    await waitFor(() => expect(removable()).toHaveLength(1));
    type(/^Message/, 'I work until noon.');
    await pressTwice('Suggest these times');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(api.inputs('interviews.suggest')).toMatchObject([
      {
        interviewId: interview.id,
        version: 2,
        slots: ['2026-11-26T09:00:00.000Z'],
        note: 'I work until noon.',
      },
    ]);
  });

  it('confirms a time when the worker is booked, and names the overlap', async () => {
    const { api } = open();
    await waitFor(() => expect(api.calls('calendar.mine')).toHaveLength(1));
    await act(async () => {});
    addTime('2026-11-25', '10:00');
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toMatch(/You're booked then: Late barista, .*13:00/);
    await press('Choose another time');
    await waitFor(() => expect(removable()).toHaveLength(0));
    fireEvent.click(screen.getByRole('button', { name: 'Add' }));
    await press('Choose it anyway');
    await waitFor(() => expect(removable()).toHaveLength(1));
    expect(document.querySelector('.slot-row')?.textContent).toContain("You're booked then: Late barista");
  });
});

describe('asking to reschedule', () => {
  const interview = sampleInterview();
  const open = (api: Handlers = {}) => {
    const onDone = vi.fn();
    const rendered = renderPart(<TimesForm interview={interview} move="reschedule" onDone={onDone} />, {
      session: 'worker',
      now,
      api: { 'interviews.reschedule': interview, 'calendar.mine': [], ...api },
    });
    return { ...rendered, onDone };
  };

  it('requires a time other than the current one', async () => {
    const { api } = open();
    await press('Ask to reschedule');
    await waitFor(() => expect(said()).toBe('Choose a time and press Add.'));
    expect(document.activeElement).toBe(field('Day'));
    addTime('2026-11-24', '10:00');
    expect(said()).toBe("That's the current time.");
    expect(removable()).toHaveLength(0);
    expect(api.calls('interviews.reschedule')).toHaveLength(0);
  });

  it('is sent once and kept when someone was faster', async () => {
    const { api, onDone } = open({
      'interviews.reschedule': () => {
        throw refuse('interview/stale', { status: 'cancelled' });
      },
    });
    addTime('2026-11-25', '10:00');
    type(/^Reason/, 'My shift was moved.');
    await pressTwice('Ask to reschedule');
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    expect(api.inputs('interviews.reschedule')).toEqual([
      {
        interviewId: interview.id,
        version: 2,
        slots: ['2026-11-25T09:00:00.000Z'],
        reason: 'My shift was moved.',
      },
    ]);
    expect(removable()).toHaveLength(1);
    expect(field(/^Reason/).value).toBe('My shift was moved.');
    expect(onDone).not.toHaveBeenCalled();
  });
});
