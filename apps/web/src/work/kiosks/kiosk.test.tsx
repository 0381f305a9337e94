import type { ErrorCode } from '@nearhand/contract/errors';
import type { KioskDay, KioskShift } from '@nearhand/contract/work/kiosks';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { press, setOnline } from '../../../test/device.ts';
import { type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { type } from '../../../test/typing.ts';
import { forgetTablet, refreshTablet } from './kiosks.api.ts';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const token = `${id('01')}.${'a'.repeat(43)}`;
const jonas: KioskShift = {
  engagementId: id('e1'),
  name: 'Jonas B.',
  title: 'Kitchen porter',
  startsAt: '2026-12-05T16:00:00Z',
  endsAt: '2026-12-05T21:00:00Z',
  hereSince: null,
  onBreakSince: null,
};
const amara = { ...jonas, engagementId: id('e2'), name: 'Amara D.', hereSince: '2026-12-05T11:00:00Z' };
const evening = { ...jonas, engagementId: id('e3'), name: 'Ravi S.', startsAt: '2026-12-05T19:00:00Z' };
const day: KioskDay = {
  businessName: 'Café Zilverlinde',
  branchName: 'Jordaan',
  timeZone: 'Europe/Amsterdam',
  contactName: 'Nadia',
  opensMinutes: 60,
  code: '482917',
  validUntil: '2026-12-05T15:49:00Z',
  ahead: ['111222'],
  shifts: [amara, jonas, evening],
};

const open = (api: Handlers = {}) =>
  renderApp('/kiosk', {
    session: 'signedOut',
    now: '2026-12-05T15:48:00Z',
    api: { 'kiosks.pair': { token }, 'kiosks.day': day, 'kiosks.record': null, ...api },
  });

const refusing = (code: ErrorCode) => (): never => {
  throw refuse(code);
};

async function paired(api: Handlers = {}) {
  const app = open(api);
  await screen.findByLabelText('Pairing code');
  type('Pairing code', '1234 5678');
  await press('Pair this tablet');
  await screen.findByText('Due now');
  return app;
}

function typePin(digits: string) {
  const pad = within(screen.getByRole('group', { name: 'PIN pad' }));
  for (const digit of digits) fireEvent.click(pad.getByRole('button', { name: digit }));
}

// A removed tablet forgets everything, so each test begins with an unpaired one.
afterEach(forgetTablet);

describe('a tablet at the door', () => {
  it('is paired by its code, and lists who is due and who is here', async () => {
    const { api } = await paired();
    expect(api.inputs('kiosks.pair')).toEqual([{ code: '12345678' }]);
    expect(within(screen.getByRole('region', { name: 'Due now' })).getAllByRole('button')).toHaveLength(1);
    expect(screen.getByRole('region', { name: 'Here' }).textContent).toContain('Amara D.');
    expect(screen.queryByText('Ravi S.')).toBeNull();
    expect(screen.getByText('4 8 2 9 1 7')).toBeTruthy();
  });

  it('says that a code is wrong', async () => {
    open({ 'kiosks.pair': refusing('kiosk/wrong-code') });
    await screen.findByLabelText('Pairing code');
    type('Pairing code', '123');
    await press('Pair this tablet');
    expect(screen.getByText('Enter all 8 digits')).toBeTruthy();
    type('Pairing code', '12345678');
    await press('Pair this tablet');
    expect((await screen.findByRole('alert')).textContent).toContain('wrong or has expired');
  });

  it('checks in by PIN, and says that one is wrong', async () => {
    let answer: () => null = refusing('attendance/wrong-code');
    const { api } = await paired({ 'kiosks.record': () => answer() });
    await press(/Jonas B\./);
    await press('Check in');
    expect(screen.getByRole('alert').textContent).toContain('Type your PIN first');
    typePin('1111');
    await press('Check in');
    expect((await screen.findByRole('alert')).textContent).toContain('That PIN is wrong');
    answer = () => null;
    typePin('4821');
    await press('Check in');
    await screen.findByText('Jonas B. is checked in');
    expect(api.inputs('kiosks.record').at(-1)).toMatchObject({
      token,
      engagementId: jonas.engagementId,
      kind: 'check_in',
      pin: '4821',
      at: '2026-12-05T15:48:00.000Z',
    });
  });

  it('works without a network, sends each time once, and shows what was refused', async () => {
    let answer = () => null;
    const { api } = await paired({ 'kiosks.record': () => answer() });
    setOnline(api, false);
    await screen.findByText(/Offline since/);
    await press(/Jonas B\./);
    typePin('4821');
    await press('Check in');
    await screen.findByText('Jonas B. is checked in');
    expect(screen.getByRole('region', { name: 'Here' }).textContent).toContain('Jonas B.');
    expect(api.calls('kiosks.record')).toHaveLength(0);
    answer = refusing('attendance/wrong-code');
    setOnline(api, true);
    await waitFor(() => expect(api.calls('kiosks.record')).toHaveLength(1));
    expect((await screen.findByText(/not recorded/)).textContent).toContain('Jonas B.');
    await press('Got it');
    expect(screen.queryByText(/not recorded/)).toBeNull();
    expect(api.calls('kiosks.record')).toHaveLength(1);
  });

  it('sends its times before it ends', async () => {
    let record: () => null = () => {
      throw networkError();
    };
    let answer = () => day;
    const { api } = await paired({ 'kiosks.day': () => answer(), 'kiosks.record': () => record() });
    await press(/Jonas B\./);
    typePin('4821');
    await press('Check in');
    await screen.findByText('Jonas B. is checked in');
    const tries = api.calls('kiosks.record').length;
    record = () => null;
    answer = refusing('kiosk/not-found');
    await refreshTablet();
    expect(api.calls('kiosks.record')).toHaveLength(tries + 1);
    expect(await screen.findByLabelText('Pairing code')).toBeTruthy();
  });

  it('asks for a code again once a manager removed it', async () => {
    let answer = () => day;
    await paired({ 'kiosks.day': () => answer() });
    answer = refusing('kiosk/not-found');
    await refreshTablet();
    expect(await screen.findByLabelText('Pairing code')).toBeTruthy();
  });
});

describe('tablets of a business', () => {
  it('are added with a code and removed after a question', async () => {
    const kiosk = {
      id: id('c1'),
      branchId: id('b1'),
      branchName: 'Jordaan',
      name: 'Front door',
      pairedAt: '2026-11-20T08:00:00Z',
      seenAt: '2026-11-21T08:20:00Z',
    };
    const { api } = renderApp('/merchant-ongoing-jobs', {
      session: 'business',
      now: '2026-11-21T08:30:00Z',
      api: {
        'engagements.forBusiness': {
          items: [],
          nextCursor: null,
          counts: { due: 0, late: 0, here: 0, to_approve: 0, unsettled: 0, no_show: 0, ended: 0 },
        },
        'branches.list': { branches: [], canCreate: true },
        'kiosks.list': { kiosks: [kiosk], canManage: true },
        'kiosks.remove': null,
        'branches.create': never,
      },
    });
    await press('Tablets at the door');
    expect((await screen.findByText(/Last online 10 minutes ago/)).textContent).toContain('Jordaan');
    const { id: businessId, name, address } = sampleBusiness();
    await press(`Make ${address} a branch`);
    await waitFor(() => expect(api.inputs('branches.create')).toMatchObject([{ businessId, name, address }]));
    await press('Remove Front door');
    await press('Remove');
    await waitFor(() => expect(api.inputs('kiosks.remove')).toEqual([{ kioskId: kiosk.id }]));
    expect(sampleBusiness().id).toBe(api.inputs('kiosks.list')[0]?.businessId);
  });
});
