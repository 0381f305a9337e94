import type { Interview } from '@nearhand/contract/hiring/interviews';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, signal } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { sampleInterview } from './interviews.fixtures.ts';

const id = (n: number) => `01900000-0000-7000-8000-0000000000${n}`;
const slots = [
  { id: id(71), startsAt: '2026-11-23T09:00:00Z' },
  { id: id(72), startsAt: '2026-11-24T09:00:00Z' },
];
const proposed = sampleInterview({
  status: 'proposed',
  slots,
  startsAt: null,
  endsAt: null,
  awaits: 'worker',
  answerBy: '2026-11-22T09:00:00Z',
  actions: ['pick', 'suggest', 'cancel'],
});

function open(interviews: Interview[], api: Handlers = {}, path = '/interview') {
  const of = (group: string | undefined) =>
    interviews.filter(({ status }) =>
      group === 'to_answer'
        ? status === 'proposed'
        : group === 'upcoming'
          ? status === 'scheduled'
          : status !== 'proposed' && status !== 'scheduled',
    );
  return renderApp(path, {
    session: 'worker',
    now: '2026-11-21T10:00:00Z',
    api: {
      'interviews.mine': ({ group }) => ({ items: of(group), nextCursor: null }),
      'interviews.get': ({ interviewId }) =>
        interviews.find((interview) => interview.id === interviewId) ?? sampleInterview(),
      'calendar.mine': [],
      ...api,
    },
  });
}
const openOne = (interview: Interview, api: Handlers = {}) =>
  open([interview], api, `/interview?id=${interview.id}`);

describe('interviews', () => {
  it('show what will appear, on each side of the app', async () => {
    open([]);
    expect(await screen.findByText('No upcoming interviews')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See your applications' })).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'Past' }));
    expect(await screen.findByText('No past interviews')).toBeTruthy();
  });

  it('name the days of a series that one interview covers', async () => {
    const shifts = [26, 27].map((day) => ({
      applicationId: id(day),
      jobId: id(day),
      startsAt: `2026-11-${day}T09:00:00Z`,
      endsAt: `2026-11-${day}T17:00:00Z`,
      timeZone: 'Europe/Amsterdam',
    }));
    openOne(sampleInterview({ shifts }));
    expect(await screen.findByText('One interview for 2 shifts')).toBeTruthy();
    expect(screen.getByText('Thu 26 Nov; Fri 27 Nov')).toBeTruthy();
  });

  it('list those waiting for a reply before scheduled ones', async () => {
    open([sampleInterview({ id: id(11) }), proposed]);
    await screen.findByRole('heading', { name: 'Needs your reply' });
    const heads = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(heads).toEqual(['Needs your reply', 'Upcoming']);
  });

  it('show an error with a retry', async () => {
    const { api } = open([], {
      'interviews.mine': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load your interviews")).toBeTruthy();
    api.on({ 'interviews.mine': { items: [], nextCursor: null } });
    await press('Try again');
    expect(await screen.findByText('No upcoming interviews')).toBeTruthy();
  });
});

describe('an interview that is proposed', () => {
  it('is scheduled once by picking a time', async () => {
    const { api } = openOne(proposed);
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm time' }));
    expect(await screen.findByText('Choose a time.')).toBeTruthy();
    expect(api.calls('interviews.pick')).toEqual([]);
    fireEvent.click(screen.getAllByRole('radio')[1] as HTMLElement);
    const scheduled = sampleInterview({ version: 3 });
    api.on({ 'interviews.pick': scheduled, 'interviews.get': scheduled });
    const pick = screen.getByRole('button', { name: /^Pick .*24\sNov/ });
    fireEvent.click(pick);
    fireEvent.click(pick);
    expect(await screen.findByText('Interview scheduled. Kopi & Crumb has been notified.')).toBeTruthy();
    expect(api.inputs('interviews.pick')).toMatchObject([
      { interviewId: proposed.id, version: 2, slotId: id(72) },
    ]);
  });

  it('is accepted without a choice where one time is proposed', async () => {
    const { api } = openOne({ ...proposed, slots: slots.slice(0, 1) });
    await screen.findByRole('button', { name: /^Accept / });
    expect(screen.queryByRole('radio')).toBeNull();
    const scheduled = sampleInterview({ version: 3 });
    api.on({ 'interviews.pick': scheduled, 'interviews.get': scheduled });
    await press(/^Accept /);
    await waitFor(() => expect(api.inputs('interviews.pick')).toMatchObject([{ slotId: slots[0]?.id }]));
  });

  it('hides past times and confirms before double booking', async () => {
    const { api } = openOne(
      sampleInterview({
        ...proposed,
        slots: [{ id: id(70), startsAt: '2026-11-21T09:00:00Z' }, ...slots],
      }),
      {
        'calendar.mine': [
          {
            kind: 'engagement',
            id: id(90),
            title: 'Late barista',
            businessName: 'Kopi & Crumb',
            startsAt: '2026-11-23T08:00:00Z',
            endsAt: '2026-11-23T12:00:00Z',
            status: 'booked',
            timeZone: 'Europe/Amsterdam',
            where: '',
            path: '/tabs/menu/my-work',
          },
        ],
      },
    );
    expect(await screen.findByText(/You're booked then: Late barista/)).toBeTruthy();
    fireEvent.click(screen.getAllByRole('radio')[1] as HTMLElement);
    await press(/^Pick /);
    await press('Choose another time');
    expect(api.calls('interviews.pick')).toEqual([]);
    expect(screen.getByText('This time has passed.')).toBeTruthy();
    expect(screen.getAllByRole<HTMLInputElement>('radio').map(({ disabled }) => disabled)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('can be answered with other times, which the business picks from', async () => {
    const { api } = openOne(proposed);
    await press('Suggest other times');
    const sheet = within(await screen.findByRole('dialog', { name: 'Suggest other times' }));
    expect(sheet.getByText(/or until 2\sh before your last time/)).toBeTruthy();
    fireEvent.click(
      within(sheet.getByRole('group', { name: 'Suggested times' })).getAllByRole('button')[1] as HTMLElement,
    );
    const after = sampleInterview({
      ...proposed,
      version: 3,
      awaits: 'business',
      actions: ['pick', 'cancel'],
      earlierSlots: proposed.slots,
      steps: [
        { action: 'suggest', status: 'proposed', by: 'worker', at: '2026-11-21T10:00:00Z', reason: null },
      ],
    });
    api.on({ 'interviews.suggest': after, 'interviews.get': after });
    fireEvent.click(await sheet.findByRole('button', { name: 'Suggest these times' }));
    expect(await screen.findByText('Times sent to Kopi & Crumb')).toBeTruthy();
    expect((await screen.findAllByText('Waiting for their reply')).length).toBeGreaterThan(0);
    expect(api.inputs('interviews.suggest')).toMatchObject([{ interviewId: proposed.id, version: 2 }]);
    api.on({ 'interviews.pick': sampleInterview() });
    const earlier = screen.getByRole('heading', { name: 'Accept one of their times instead' });
    const choices = within(earlier.closest('section') as HTMLElement);
    fireEvent.click(choices.getAllByRole('radio')[1] as HTMLElement);
    await press(/^Pick /);
    await waitFor(() =>
      expect(api.inputs('interviews.pick')).toMatchObject([{ slotId: proposed.slots[1]?.id, version: 3 }]),
    );
  });

  it('shows the business what the worker suggested and why', async () => {
    openOne(
      sampleInterview({
        ...proposed,
        side: 'business',
        awaits: 'business',
        steps: [
          {
            action: 'suggest',
            status: 'proposed',
            by: 'worker',
            at: '2026-11-21T10:00:00Z',
            reason: 'I work until noon.',
          },
        ],
      }),
    );
    expect(await screen.findByText('Leila Haddad suggested other times.')).toBeTruthy();
    expect(screen.getByText('“I work until noon.”')).toBeTruthy();
    expect(screen.getAllByRole('radio')).toHaveLength(2);
  });

  it('shows the current status when it was answered elsewhere', async () => {
    const { api } = openOne(proposed);
    fireEvent.click((await screen.findAllByRole('radio'))[0] as HTMLElement);
    api.on({
      'interviews.pick': () => {
        throw refuse('interview/stale', { status: 'cancelled', by: 'Nadia Rahmani' });
      },
      'interviews.get': sampleInterview({ status: 'cancelled', version: 3, actions: [], slots: [] }),
    });
    await press(/^Pick /);
    expect(await screen.findByText(/Nadia Rahmani changed this first/)).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Pick / })).toBeNull());
  });
});

describe('an interview that is arranged', () => {
  it('can be joined from a quarter of an hour before until its end', async () => {
    const soon = sampleInterview({ startsAt: '2026-11-21T10:16:00Z', endsAt: '2026-11-21T10:46:00Z' });
    const first = openOne(soon);
    await screen.findByRole('button', { name: 'Add to my calendar' });
    expect(screen.queryByRole('link', { name: 'Join the call' })).toBeNull();
    first.unmount();
    openOne(sampleInterview({ startsAt: '2026-11-21T10:14:00Z', endsAt: '2026-11-21T10:44:00Z' }));
    const link = await screen.findByRole('link', { name: 'Join the call' });
    expect(link.getAttribute('href')).toBe('https://meet.example.org/abc');
    expect(link.getAttribute('rel')).toContain('noopener');
  });

  it.each([
    ['phone', '+31205550123', /^Call /, 'tel:+31205550123'],
    ['in_person', 'Dam 1', 'Directions', 'https://www.openstreetmap.org/search?query=Dam%201'],
  ] as const)('starts by %s with one main button, while it is time', async (mode, where, name, href) => {
    openOne(
      sampleInterview({ mode, where, startsAt: '2026-11-21T10:14:00Z', endsAt: '2026-11-21T10:44:00Z' }),
    );
    const links = await screen.findAllByRole('link', { name });
    expect(links.find(({ className }) => className.includes('btn go'))?.getAttribute('href')).toBe(href);
  });

  it('is cancelled with a reason, which survives a failure', async () => {
    const { api } = openOne(sampleInterview(), {
      'interviews.cancel': () => {
        throw networkError();
      },
    });
    await press('Cancel interview');
    const sheet = within(await screen.findByRole('dialog', { name: 'Cancel this interview?' }));
    fireEvent.change(sheet.getByRole('textbox'), { target: { value: 'I am ill' } });
    const send = () => fireEvent.click(sheet.getByRole('button', { name: /^Cancel/ }));
    send();
    expect(await sheet.findByText(/reach|connection/i)).toBeTruthy();
    expect(sheet.getByRole<HTMLTextAreaElement>('textbox').value).toBe('I am ill');
    const cancelled = sampleInterview({ status: 'cancelled', version: 3, actions: [] });
    api.on({ 'interviews.cancel': cancelled, 'interviews.get': cancelled });
    send();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel interview' })).toBeNull());
    expect(api.inputs('interviews.cancel')).toMatchObject([{ reason: 'I am ill' }, { reason: 'I am ill' }]);
  });

  it('follows the other side', async () => {
    const { api } = openOne(sampleInterview());
    await screen.findByRole('button', { name: 'Request another time' });
    api.on({ 'interviews.get': sampleInterview({ status: 'cancelled', version: 3, actions: [] }) });
    signal({ kind: 'record', record: 'interview', id: sampleInterview().id });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Request another time' })).toBeNull());
  });

  it('opens over the list from its row on a phone, at its own address', async () => {
    open([sampleInterview()]);
    fireEvent.click(await screen.findByRole('link', { name: /Kopi & Crumb/ }));
    await waitFor(() => expect(address()).toBe(`/interview?id=${sampleInterview().id}`));
    expect(await screen.findByRole('button', { name: 'Add to my calendar' })).toBeTruthy();
  });
});
