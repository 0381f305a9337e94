import type { Engagement, HoursClaim } from '@nearhand/contract/work/engagements';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press, type RenderOptions, setOnline } from '../../../test/device.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { storeDraft } from '../../lib/device/device-draft.ts';
import { sampleEngagement, sampleTerms } from '../engagements/engagements.fixtures.ts';
import { CounterForm } from './counter-form.tsx';
import { DeliveryForm } from './delivery-form.tsx';
import { HoursForm } from './hours-form.tsx';

const now = '2026-11-21T14:00:00Z';
const work = (change: Partial<Engagement> = {}): Engagement =>
  sampleEngagement({ version: 4, status: 'checked_out', actions: ['submit-hours'], ...change });
const session: RenderOptions['session'] = 'worker';

describe('the hours of a shift', () => {
  const open = (api: Handlers = {}, own: Engagement = work(), at = now) => {
    const onDone = vi.fn();
    const rendered = renderPart(<HoursForm work={own} onDone={onDone} />, {
      session,
      now: at,
      api: { 'timesheets.submitHours': own, 'engagements.get': own, ...api },
    });
    return { ...rendered, onDone };
  };

  it('name an end before the start as such, rather than as too late', async () => {
    open();
    type('From', '13:02');
    type('To', '12:00');
    await press('Submit these hours');
    await waitFor(() => expect(problemAt('To')).toBe('The end is before the start. Change one of them.'));
  });

  it.each([
    ['2026-11-21T21:00:00Z', '2026-11-22T05:00:00Z', '06:00', 'End time is in the future.'],
    ['2026-11-20T17:00:00Z', '2026-11-21T01:00:00Z', '15:00', /^End at most .* after the agreed time\.$/],
  ])('of a night from %s to %s that end at %s name the end alone', async (startsAt, endsAt, to, problem) => {
    const terms = sampleTerms({ startsAt, endsAt });
    open({}, work({ terms, checkedInAt: null, checkedOutAt: null, attendance: [] }), '2026-11-21T22:00:00Z');
    type('To', to);
    await press('Submit these hours');
    await waitFor(() => expect(problemAt('To')).toMatch(problem));
  });

  it('start as planned and are sent with the version, once', async () => {
    const sent = later<Engagement>();
    const { api, onDone } = open({ 'timesheets.submitHours': () => sent.answer });
    expect([field('From').value, field('To').value]).toEqual(['08:00', '14:00']);
    type('To', '14:30');
    type(/^Break/, '30');
    type(/^Note/, ' Stayed to close. ');
    await pressEnter(/^Break/);
    await pressTwice('Submit these hours');
    await sent.give(work());
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(api.inputs('timesheets.submitHours')).toEqual([
      {
        engagementId: work().id,
        version: 4,
        startsAt: '2026-11-21T07:00:00.000Z',
        endsAt: '2026-11-21T13:30:00.000Z',
        breakMinutes: 30,
        note: 'Stayed to close.',
      },
    ]);
    expect(Object.keys(localStorage).filter((key) => key.includes('hours-'))).toEqual([]);
  });

  it.each([
    ['Day', '', 'Day', 'Choose a day.'],
    ['From', '', 'From', 'Choose a start time.'],
    ['To', '', 'To', 'Choose an end time.'],
    ['To', '16:30', 'To', 'End time is in the future.'],
    ['From', '05:30', 'From', /^Start at most 2 hours before/],
    [/^Break/, '360', /^Break/, 'The break must be shorter than the shift.'],
    [/^Break/, 'half', /^Break/, 'The break must be shorter than the shift.'],
    [/^Break/, '-30', /^Break/, 'The break must be shorter than the shift.'],
    [/^Note/, 'x'.repeat(2_001), /^Note/, /characters or fewer\.$/],
  ])('with %s as %o report it at that field', async (label, typed, at, problem) => {
    const { api } = open();
    type(label, typed);
    await press('Submit these hours');
    await waitFor(() => expect(problemAt(at)).toMatch(problem));
    expect(document.activeElement).toBe(field(at));
    expect(field(label).value).toBe(typed);
    const all = ['Day', 'From', 'To', /^Break/, /^Note/].filter((label) => problemAt(label) !== null);
    expect(all).toHaveLength(1);
    expect(api.calls('timesheets.submitHours')).toHaveLength(0);
  });

  it('that end after the clocks went back are sent as recorded, or as selected', async () => {
    const times = { startsAt: '2027-11-07T00:00:00Z', endsAt: '2027-11-07T06:30:00Z' };
    const night = work({
      terms: sampleTerms({ ...times, breakMinutes: 0, timeZone: 'America/New_York' }),
      checkedInAt: times.startsAt,
      checkedOutAt: times.endsAt,
      attendance: [],
    });
    for (const [which, endsAt] of [
      [null, '2027-11-07T06:30:00.000Z'],
      ['Before the clocks go back', '2027-11-07T05:30:00.000Z'],
    ] as const) {
      const { api } = open({ 'timesheets.submitHours': night }, night, '2027-11-07T08:00:00Z');
      expect([field('From').value, field('To').value]).toEqual(['20:00', '01:30']);
      const after = screen.getByRole<HTMLInputElement>('radio', { name: 'After the clocks go back' });
      expect(after.checked).toBe(true);
      if (which) fireEvent.click(screen.getByRole('radio', { name: which }));
      await press('Submit these hours');
      await waitFor(() => expect(api.inputs('timesheets.submitHours')).toMatchObject([{ endsAt }]));
      cleanup();
    }
  });

  it('without a break send none', async () => {
    const { api } = open();
    type(/^Break/, ' ');
    await press('Submit these hours');
    await waitFor(() => expect(api.inputs('timesheets.submitHours')).toMatchObject([{ breakMinutes: 0 }]));
  });

  it('past midnight end on the next day', async () => {
    const terms = sampleTerms({ startsAt: '2026-11-20T21:00:00Z', endsAt: '2026-11-21T05:00:00Z' });
    const { api } = open({}, work({ terms }));
    expect([field('From').value, field('To').value]).toEqual(['22:00', '06:00']);
    await press('Submit these hours');
    await waitFor(() =>
      expect(api.inputs('timesheets.submitHours')).toMatchObject([{ endsAt: '2026-11-21T05:00:00.000Z' }]),
    );
  });

  it('stay on the device until sent', async () => {
    const { api } = open();
    type('To', '14:45');
    type(/^Note/, 'Closed late.');
    setOnline(api, false);
    await press('Submit these hours');
    await screen.findByText(/offline|connection|reach/i);
    cleanup();
    const { onDone } = open();
    expect(field('To').value).toBe('14:45');
    expect(field(/^Note/).value).toBe('Closed late.');
    await press('Submit these hours');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
  });

  it('start fresh when the device has an incompatible draft', () => {
    const { unmount } = open();
    storeDraft(`hours-${work().id}-0`, { day: '2026-11-21', from: '07:00' });
    unmount();
    open();
    expect([field('From').value, field('To').value, field(/^Note/).value]).toEqual(['08:00', '14:00', '']);
  });

  it('that the business approved in the meantime are kept with an explanation', async () => {
    open({
      'timesheets.submitHours': () => {
        throw refuse('engagement/stale', { status: 'approved' });
      },
    });
    type(/^Note/, 'Closed late.');
    await press('Submit these hours');
    expect(await screen.findByText(/approved/i)).toBeTruthy();
    expect(field(/^Note/).value).toBe('Closed late.');
  });
});

const claim: HoursClaim = {
  id: '0193aaaa-0000-7000-8000-0000000000f1',
  round: 1,
  by: 'worker',
  startsAt: '2026-11-21T07:00:00Z',
  endsAt: '2026-11-21T13:30:00Z',
  breakMinutes: 0,
  paidMinutes: 390,
  amountMinor: 11_700,
  note: '',
  at: '2026-11-21T13:40:00Z',
  flags: [],
};

describe('a counter-proposal', () => {
  const submitted = work({ side: 'business', status: 'submitted', claims: [claim] });
  const open = (api: Handlers = {}) => {
    const onDone = vi.fn();
    const onClose = vi.fn();
    const rendered = renderPart(<CounterForm work={submitted} onDone={onDone} onClose={onClose} />, {
      session: 'business',
      now,
      api: { 'timesheets.counter': submitted, ...api },
    });
    return { ...rendered, onDone, onClose };
  };

  it('requires fewer hours and a reason', async () => {
    const { api } = open();
    type('To', '14:30');
    await press('Propose these hours');
    await waitFor(() => expect(problemAt('To')).toMatch(/^Enter less than the €117 submitted/));
    expect(problemAt('Reason')).toBe('Say what was different.');
    expect(document.activeElement).toBe(field('To'));
    type('To', '14:00');
    expect(problemAt('To')).toBeNull();
    type('Reason', '   ');
    expect(problemAt('Reason')).toBe('Say what was different.');
    type('Reason', 'x'.repeat(2_001));
    await press(/^Propose €108/);
    await waitFor(() => expect(problemAt('Reason')).toMatch(/characters or fewer/));
    expect(api.calls('timesheets.counter')).toHaveLength(0);
  });

  it('shows its amount and is sent once', async () => {
    const sent = later<Engagement>();
    const { api, onDone } = open({ 'timesheets.counter': () => sent.answer });
    type('To', '14:00');
    type('Reason', 'You left at two.');
    expect(screen.getByText('€9')).toBeTruthy();
    await pressEnter('To');
    await pressTwice('Propose €108');
    await sent.give(submitted);
    await waitFor(() => expect(onDone).toHaveBeenCalledWith('Proposal sent to Leila Haddad'));
    expect(api.inputs('timesheets.counter')).toMatchObject([
      { version: 4, endsAt: '2026-11-21T13:00:00.000Z', note: 'You left at two.' },
    ]);
  });

  it('is kept when the sheet is closed, and when it is rejected', async () => {
    const first = open();
    type('To', '13:00');
    type('Reason', 'You left at one.');
    await press('Not now');
    expect(first.onClose).toHaveBeenCalled();
    first.unmount();
    const { onDone } = open({
      'timesheets.counter': () => {
        throw refuse('timesheet/below-paid', { minMinor: 10_000 });
      },
    });
    expect(field('To').value).toBe('13:00');
    await press(/^Propose €/);
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    expect(field('Reason').value).toBe('You left at one.');
    expect(onDone).not.toHaveBeenCalled();
  });
});

describe('a delivery', () => {
  const task = work({
    terms: sampleTerms({ kind: 'task', startsAt: null, endsAt: null, paidMinutes: null }),
  });
  const open = (api: Handlers = {}) => {
    const onDone = vi.fn();
    const rendered = renderPart(<DeliveryForm work={task} onDone={onDone} />, {
      session,
      now,
      api: { 'timesheets.deliver': task, ...api },
    });
    return { ...rendered, onDone };
  };

  it('requires a note or files, within the limit', async () => {
    const { api } = open();
    await press('Deliver work');
    expect(await screen.findByText('Say what you did, or add a photo or file.')).toBeTruthy();
    type('What you did', 'x'.repeat(5_001));
    expect(screen.queryByText('Say what you did, or add a photo or file.')).toBeNull();
    expect(problemAt('What you did')).toMatch(/characters or fewer/);
    await press('Deliver work');
    expect(api.calls('timesheets.deliver')).toHaveLength(0);
  });

  it.each(['work-files', 'take-photo'])(
    'rejects a file that is too large, and keeps the note: %s',
    async (input) => {
      vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => 'android' });
      const { api } = open();
      type('What you did', 'Put up the wardrobe.');
      const big = new File(['x'], 'wardrobe.png', { type: 'image/png' });
      Object.defineProperty(big, 'size', { value: 11 * 1_048_576 });
      fireEvent.change(screen.getByTestId(input), { target: { files: [big] } });
      expect(await screen.findByText('wardrobe.png is larger than 10 MB.')).toBeTruthy();
      expect(field('What you did').value).toBe('Put up the wardrobe.');
      expect(api.calls('files.upload')).toHaveLength(0);
      vi.unstubAllGlobals();
    },
  );

  it('is sent once and kept until then', async () => {
    const sent = later<Engagement>();
    const { api, onDone } = open({ 'timesheets.deliver': () => sent.answer });
    type('What you did', 'Put up the wardrobe.');
    cleanup();
    const again = open({ 'timesheets.deliver': () => sent.answer });
    expect(field('What you did').value).toBe('Put up the wardrobe.');
    await pressTwice('Deliver work');
    await sent.give(task);
    await waitFor(() => expect(again.onDone).toHaveBeenCalledTimes(1));
    expect(again.api.inputs('timesheets.deliver')).toEqual([
      { engagementId: task.id, version: 4, note: 'Put up the wardrobe.', fileIds: [] },
    ]);
    expect(api.calls('timesheets.deliver')).toHaveLength(0);
    expect(onDone).not.toHaveBeenCalled();
  });
});
