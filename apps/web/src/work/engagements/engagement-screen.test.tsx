import type {
  AttendanceEvent,
  AttendanceKind,
  Dispute,
  Engagement,
} from '@nearhand/contract/work/engagements';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { press, setOnline, signal } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { sampleEngagement, sampleTerms } from './engagements.fixtures.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const shift = (change: Partial<Engagement> = {}): Engagement =>
  sampleEngagement({
    terms: sampleTerms({ startsAt: '2026-11-21T08:00:00Z', endsAt: '2026-11-21T14:00:00Z' }),
    status: 'confirmed',
    actions: ['check-in', 'cancel'],
    ...change,
  });
const checkedIn = (change: Partial<Engagement> = {}): Engagement =>
  shift({
    version: 2,
    status: 'in_progress',
    checkedInAt: '2026-11-21T07:55:00Z',
    actions: ['start-break', 'check-out'],
    ...change,
  });

/** Each test has its own shift, because the queue is per shift. It starts in five minutes. */
let count = 10;
function open(work: Engagement, api: Handlers = {}, now = '2026-11-21T07:55:00Z') {
  count += 1;
  const engagement = { ...work, id: id(String(count)) };
  const rendered = renderApp(`/tabs/menu/my-work/engagement/${engagement.id}`, {
    session: 'worker',
    now,
    api: { 'engagements.get': engagement, ...api },
  });
  return { ...rendered, engagement };
}

function locatedAt(position: { latitude: number; longitude: number; accuracy: number } | null) {
  vi.stubGlobal('isSecureContext', true);
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: {
      getCurrentPosition: (onPosition: (at: unknown) => void, failed: (why: unknown) => void) =>
        position ? onPosition({ coords: position }) : failed({ code: 1 }),
    },
  });
}
const there = { latitude: 52.378, longitude: 4.883, accuracy: 12.4 };

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'geolocation');
  Reflect.deleteProperty(navigator, 'permissions');
});

describe('a booked job', () => {
  it('of someone else shows not found', async () => {
    open(shift(), {
      'engagements.get': () => {
        throw refuse('engagement/not-found');
      },
    });
    expect(await screen.findByText('Job not found')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See my work' })).toBeTruthy();
  });

  it('stays readable without a network', async () => {
    const { api } = open(shift());
    await screen.findByRole('button', { name: 'Check in' });
    setOnline(api, false);
    signal({ kind: 'record', record: 'engagement', id: id('11') });
    expect(await screen.findByText(/You can still check in and out/)).toBeTruthy();
    expect(screen.getAllByText(/Westerstraat 112/).length).toBeGreaterThan(0);
  });

  it("follows the business's actions", async () => {
    const { api, engagement } = open(shift());
    await screen.findByRole('button', { name: 'Check in' });
    api.on({
      'engagements.get': {
        ...engagement,
        version: 2,
        status: 'cancelled_by_merchant',
        actions: [],
        cancelled: {
          by: 'business',
          late: true,
          compensationMinor: 2_475,
          reason: 'We stay closed.',
        } as never,
      },
    });
    signal({ kind: 'record', record: 'engagement', id: engagement.id });
    expect(await screen.findByText('We stay closed.')).toBeTruthy();
    expect(screen.getByText(/you get €24\.75/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Check in' })).toBeNull();
    api.faults.length = 0;
  });
});

describe('recorded hours', () => {
  const event = (kind: AttendanceKind, at: string, number: number): AttendanceEvent => ({
    id: id(`e${number}`),
    kind,
    at,
    receivedAt: at,
    how: 'position',
    reason: null,
    contested: null,
    mayContest: false,
    distanceM: 12,
    accuracyM: 10,
    flags: [],
  });
  const worked = shift({
    version: 3,
    status: 'checked_out',
    actions: [],
    checkedInAt: '2026-11-21T08:00:00Z',
    attendance: [event('check_in', '2026-11-21T08:00:00Z', 1), event('check_out', '2026-11-21T09:00:00Z', 2)],
  });

  it('are compared, except for cancelled work', async () => {
    const later = '2026-11-21T15:00:00Z';
    const first = open(worked, {}, later);
    expect((await screen.findAllByRole('region', { name: 'Hours compared' })).length).toBeGreaterThan(0);
    first.unmount();
    const cancelled = { late: true, compensationMinor: 0, reason: 'We stay closed.' };
    open({ ...worked, status: 'cancelled_by_merchant', cancelled }, {}, later);
    expect(await screen.findByText('We stay closed.')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Hours compared' })).toBeNull();
  });
});

describe('the way to the site', () => {
  it.each([
    ['while check-in is open', shift(), '2026-11-21T07:55:00Z', "You're at the site. You can check in."],
    ['shortly before', shift({ actions: ['cancel'] }), '2026-11-21T05:55:00Z', "You're at the site."],
    ['on another day', shift({ actions: ['cancel'] }), '2026-11-19T07:55:00Z', null],
  ])('shows whether check-in is open: %s', async (_when, work, now, words) => {
    locatedAt(there);
    Object.defineProperty(navigator, 'permissions', {
      configurable: true,
      value: { query: async () => ({ state: 'granted' }) },
    });
    open(work, {}, now);
    if (words) expect(await screen.findByText(words)).toBeTruthy();
    else {
      await screen.findByText(/Check-in opens/);
      expect(screen.queryByRole('region', { name: 'Way to the site' })).toBeNull();
    }
  });

  it('hides once the worker has checked in', async () => {
    locatedAt(there);
    open(checkedIn());
    await screen.findByRole('button', { name: 'Check out' });
    expect(screen.queryByRole('region', { name: 'Way to the site' })).toBeNull();
  });
});

describe('checking in', () => {
  it('opens on time, and shows when it does', async () => {
    open(shift({ actions: ['cancel'] }), {}, '2026-11-21T05:00:00Z');
    expect(await screen.findByText(/Check-in opens/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Check in' })).toBeNull();
  });

  it("sends the device's location and the time of the press, once", async () => {
    locatedAt(there);
    const { api, engagement } = open(shift());
    const button = await screen.findByRole('button', { name: 'Check in' });
    api.on({
      'attendance.checkIn': checkedIn({ id: engagement.id }),
      'engagements.get': checkedIn({ id: engagement.id }),
    });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(await screen.findByText("You're checked in")).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Check out' })).toBeTruthy();
    expect(api.inputs('attendance.checkIn')).toMatchObject([
      {
        engagementId: engagement.id,
        at: '2026-11-21T07:55:00.000Z',
        position: { lat: 52.378, lng: 4.883, accuracyM: 12 },
      },
    ]);
  });

  it('without a location asks for the code and sends that', async () => {
    locatedAt(null);
    const { api, engagement } = open(shift());
    await press('Check in');
    expect(await screen.findByText(/We can't see your location/)).toBeTruthy();
    expect(api.calls('attendance.checkIn')).toEqual([]);
    const field = screen.getByRole('textbox', { name: 'Check-in code' });
    fireEvent.change(field, { target: { value: '12 34' } });
    await press('Use this code');
    expect(await screen.findByText('Enter all six digits.')).toBeTruthy();
    fireEvent.change(field, { target: { value: '123 456' } });
    api.on({
      'attendance.checkIn': checkedIn({ id: engagement.id }),
      'engagements.get': checkedIn({ id: engagement.id }),
    });
    await press('Use this code');
    expect(await screen.findByText("You're checked in")).toBeTruthy();
    expect(api.inputs('attendance.checkIn')).toMatchObject([{ code: '123456', position: null }]);
  });

  it('too far away shows an error, offers the code, and leaves nothing in the queue', async () => {
    locatedAt(there);
    open(shift(), {
      'attendance.checkIn': () => {
        throw refuse('attendance/too-far', { distanceM: 900, allowedM: 150 });
      },
    });
    await press('Check in');
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'Check-in code' })).toBeTruthy();
    expect(screen.queryByText(/Saved on this device/)).toBeNull();
  });

  it('says at the field that a code is wrong, and keeps it', async () => {
    locatedAt(null);
    open(shift(), {
      'attendance.checkIn': () => {
        throw refuse('attendance/wrong-code');
      },
    });
    await press('Use the check-in code');
    const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Check-in code' });
    fireEvent.change(field(), { target: { value: '123456' } });
    await press('Use this code');
    await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'));
    expect(field().value).toBe('123456');
    expect(document.activeElement).toBe(field());
  });

  it.each([
    [500, /^You're 901 m from the site, too far away to check in. Move closer,/],
    [501, /^Your phone shares only an approximate location. Allow the precise one,/],
  ])('too far away by a location off by %i m shows what to do about it', async (accuracy, text) => {
    locatedAt({ ...there, latitude: there.latitude + 0.0081, accuracy });
    open(shift(), {
      'attendance.checkIn': () => {
        throw refuse('attendance/too-far', { distanceM: 900, allowedM: 400 });
      },
    });
    await press('Check in');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'Check-in code' })).toBeTruthy();
  });

  it('works without a network: queued with its own time, and sent in order later', async () => {
    locatedAt(there);
    const { api, engagement } = open(shift(), {}, '2026-11-21T08:05:00Z');
    await screen.findByRole('button', { name: 'Check in' });
    expect(screen.getByText('Works offline and is sent when you reconnect')).toBeTruthy();
    setOnline(api, false);
    expect(await screen.findByText(/We'll save it and send it when you reconnect/)).toBeTruthy();
    await press('Check in');
    expect(await screen.findByText('Checked in at 09:05')).toBeTruthy();
    vi.setSystemTime('2026-11-21T10:00:00Z');
    await press('Start break');
    expect(await screen.findByText('Break started at 11:00')).toBeTruthy();
    expect(api.calls('attendance.checkIn')).toEqual([]);
    vi.setSystemTime('2026-11-21T10:20:00Z');
    const onBreak = checkedIn({ id: engagement.id, onBreak: true, actions: ['end-break', 'check-out'] });
    api.on({
      'attendance.checkIn': checkedIn({ id: engagement.id }),
      'attendance.startBreak': onBreak,
      'engagements.get': onBreak,
    });
    setOnline(api, true);
    expect(await screen.findByText('Your recorded times for Weekend barista were sent')).toBeTruthy();
    expect([api.inputs('attendance.checkIn'), api.inputs('attendance.startBreak')]).toMatchObject([
      [{ at: '2026-11-21T08:05:00.000Z', sentAt: '2026-11-21T10:20:00.000Z' }],
      [{ at: '2026-11-21T10:00:00.000Z', sentAt: '2026-11-21T10:20:00.000Z' }],
    ]);
    expect(screen.queryByText(/Saved on this device/)).toBeNull();
  });

  it('shows a later rejection until it is removed', async () => {
    locatedAt(there);
    const { api } = open(shift());
    await screen.findByRole('button', { name: 'Check in' });
    setOnline(api, false);
    await press('Check in');
    await screen.findByText('Checked in at 08:55');
    api.on({
      'attendance.checkIn': () => {
        throw refuse('attendance/too-far', { distanceM: 900, allowedM: 150 });
      },
    });
    setOnline(api, true);
    expect(await screen.findByText('Not accepted: Checked in at 08:55')).toBeTruthy();
    await press('Remove');
    expect(screen.queryByText(/Not accepted/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Check in' })).toBeTruthy();
  });
});

describe('checking out', () => {
  it('early asks for a confirmation, and can be dismissed', async () => {
    const { api, engagement } = open(checkedIn(), {}, '2026-11-21T12:00:00Z');
    await press('Check out');
    const alert = await screen.findByRole('alertdialog', { name: /^Leave 2\sh early/ });
    fireEvent.click(within(alert).getByRole('button', { name: 'Stay checked in' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog', { name: /early/ })).toBeNull());
    expect(api.calls('attendance.checkOut')).toEqual([]);
    const out = shift({ id: engagement.id, status: 'checked_out', actions: ['submit-hours'] });
    api.on({ 'attendance.checkOut': out, 'engagements.get': out });
    await press('Check out');
    const again = await screen.findByRole('alertdialog', { name: /early/ });
    fireEvent.click(within(again).getByRole('button', { name: 'Check out now' }));
    expect(await screen.findByText("You're checked out")).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Submit hours' })).toBeTruthy();
  });

  it('and submitting the hours at once sends them after it, with its version', async () => {
    locatedAt(null);
    const sent = Promise.withResolvers<Engagement>();
    const working = checkedIn({ status: 'checked_in', version: 4, actions: ['check-out', 'submit-hours'] });
    const { api, engagement } = open(
      working,
      { 'attendance.checkOut': () => sent.promise },
      '2026-11-21T14:00:00Z',
    );
    const out = { ...engagement, status: 'checked_out' as const, version: 5 };
    const submitted = { ...out, status: 'submitted' as const, version: 6, actions: [] };
    api.on({ 'timesheets.submitHours': submitted });
    await press('Check out');
    await press('Submit hours');
    await press('Submit these hours');
    await waitFor(() => expect(api.calls('attendance.checkOut')).toHaveLength(1));
    expect(api.calls('timesheets.submitHours')).toEqual([]);
    await act(async () => sent.resolve(out));
    await waitFor(() => expect(api.inputs('timesheets.submitHours')).toMatchObject([{ version: 5 }]));
    expect(await screen.findByText('Hours submitted', { selector: '[role="status"] *' })).toBeTruthy();
  });
});

describe('submitting hours', () => {
  const ended = shift({
    status: 'checked_out',
    actions: ['submit-hours'],
    version: 5,
    checkedInAt: '2026-11-21T07:55:00Z',
    checkedOutAt: '2026-11-21T14:10:00Z',
  });
  const later = '2026-11-21T15:00:00Z';
  async function openForm(api: Handlers = {}) {
    const rendered = open(ended, api, later);
    await press('Submit hours');
    return { ...rendered, form: within(await screen.findByRole('dialog', { name: 'Your hours' })) };
  }

  it('starts with the record, not before the plan, and shows the pay', async () => {
    const { form } = await openForm();
    const value = (label: string) => form.getByLabelText<HTMLInputElement>(label).value;
    expect([value('Day'), value('From'), value('To')]).toEqual(['2026-11-21', '09:00', '15:10']);
    expect(form.getByRole('status').textContent).toMatch(/6\sh.10\smin paid: €111/);
  });

  it('of the future are rejected at their field, and nothing is sent', async () => {
    const { form, api } = await openForm();
    fireEvent.change(form.getByLabelText('To'), { target: { value: '16:30' } });
    await press('Submit these hours');
    await waitFor(() => expect(form.getByLabelText('To').getAttribute('aria-invalid')).toBe('true'));
    expect(api.calls('timesheets.submitHours')).toEqual([]);
  });

  it('sends once, and keeps the text when it fails', async () => {
    const { form, api } = await openForm({
      'timesheets.submitHours': () => {
        throw networkError();
      },
    });
    fireEvent.change(form.getByLabelText(/^Note/), { target: { value: 'Closed up alone' } });
    await press('Submit these hours');
    expect(await form.findByText(/reach|connection/i)).toBeTruthy();
    expect(form.getByLabelText<HTMLTextAreaElement>(/^Note/).value).toBe('Closed up alone');
    const submitted = { ...ended, status: 'submitted' as const, actions: [] };
    api.on({ 'timesheets.submitHours': submitted, 'engagements.get': submitted });
    const button = form.getByRole('button', { name: 'Submit these hours' });
    fireEvent.click(button);
    fireEvent.click(button);
    expect(await screen.findByText('Hours submitted')).toBeTruthy();
    expect(api.inputs('timesheets.submitHours').slice(1)).toMatchObject([
      { startsAt: '2026-11-21T08:00:00.000Z', note: 'Closed up alone', version: 5 },
    ]);
  });
});

describe('a dispute', () => {
  const dispute = (change: Partial<Dispute> = {}): Dispute => ({
    id: id('dd'),
    version: 3,
    status: 'open',
    filedBy: 'worker',
    why: 'filed',
    reason: 'I stayed until two.',
    workerAmountMinor: 10_800,
    businessAmountMinor: 9_000,
    proposal: { by: 'business', amountMinor: 9_900, note: 'Half of it', at: '2026-11-22T09:00:00Z' },
    dueAt: '2026-11-26T09:00:00Z',
    stopAt: '2026-12-21T09:00:00Z',
    settledMinor: null,
    steps: [],
    actions: ['accept-proposal', 'propose'],
    ...change,
  });
  const disputed = shift({ status: 'disputed', actions: [], dispute: dispute() });

  it('is settled once by agreeing, after a summary of its effect', async () => {
    const { api, engagement } = open(disputed, {}, '2026-11-22T10:00:00Z');
    await press('Agree to €99');
    const sheet = within(await screen.findByRole('dialog'));
    expect(sheet.getByText(/can't be undone/)).toBeTruthy();
    const settled = {
      ...engagement,
      dispute: dispute({ status: 'settled', settledMinor: 9_900, actions: [], proposal: null }),
    };
    api.on({ 'disputes.acceptProposal': settled, 'engagements.get': settled });
    const agree = sheet.getByRole('button', { name: 'Agree to €99' });
    fireEvent.click(agree);
    fireEvent.click(agree);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Agree to €99' })).toBeNull());
    expect(api.inputs('disputes.acceptProposal')).toEqual([{ disputeId: id('dd'), version: 3 }]);
  });

  it('that changed in the meantime shows its current state', async () => {
    const { api, engagement } = open(disputed, {}, '2026-11-22T10:00:00Z');
    await press('Agree to €99');
    const sheet = within(await screen.findByRole('dialog'));
    api.on({
      'disputes.acceptProposal': () => {
        throw refuse('dispute/wrong-state', { status: 'with_operator' });
      },
      'engagements.get': {
        ...engagement,
        dispute: dispute({ version: 4, status: 'with_operator', actions: [] }),
      },
    });
    fireEvent.click(sheet.getByRole('button', { name: 'Agree to €99' }));
    await waitFor(() =>
      expect(screen.getAllByText(/Check again|with Nearhand|decid/i).length).toBeGreaterThan(0),
    );
  });
});

describe('what happens next', () => {
  const later = '2026-11-23T08:00:00.000Z';
  const at = '2026-11-21T15:00:00.000Z';

  it('appears once for a counter-proposal, with what agreeing costs', async () => {
    const hours = {
      round: 1,
      startsAt: at,
      endsAt: at,
      breakMinutes: 0,
      paidMinutes: 300,
      note: '',
      flags: [],
    };
    open(
      shift({
        status: 'counter_proposed',
        actions: ['accept-counter', 'submit-hours'],
        claims: [
          { ...hours, id: id('71'), by: 'worker', amountMinor: 9_900, at },
          { ...hours, id: id('72'), by: 'business', amountMinor: 9_000, at },
        ],
        next: { kind: 'pay-recorded', at: later, since: at, amountMinor: 9_500 },
      }),
    );
    expect(await screen.findAllByText(/If you don't reply by/)).toHaveLength(1);
    expect(screen.getByText(/Agreeing pays €90, €5 less than not replying\./)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Agree to €90' }).className).not.toMatch(/\bgo\b/);
  });

  it('appears once for a reported no-show', async () => {
    open(
      shift({
        status: 'no_show_reported',
        actions: ['contest'],
        noShow: { reportedAt: at, contestBy: later, contest: null },
        next: { kind: 'contest-over', at: later, since: at, amountMinor: null },
      }),
    );
    expect(await screen.findAllByText(/contest it by .* After that it's final/)).toHaveLength(1);
  });
});
