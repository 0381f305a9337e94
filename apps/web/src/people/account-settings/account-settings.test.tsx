import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { appearance, applyAppearance, clock, startSide, units } from '../../lib/device/device-setting.ts';

const sessionId = '0193aaaa-0000-7000-8000-000000000001';
const at = '2026-11-21T09:00:00.000Z';
const profile = {
  accountId: sessionId,
  version: 3,
  name: 'Leila Haddad',
  phone: '+31612345678',
  bio: '',
  home: null,
  languages: [],
  availability: [],
  weekHoursMax: null,
  skills: [],
  photo: null,
  cv: null,
  findable: 'off' as const,
};
const devices = [
  { id: sessionId, device: 'Chrome on Android', current: true, signedInAt: at, lastUsedAt: at },
  {
    id: sessionId.replace(/1$/, '2'),
    device: 'Firefox on Linux',
    current: false,
    signedInAt: at,
    lastUsedAt: '2026-11-18T09:00:00.000Z',
  },
];
const server = (more: Handlers = {}): Handlers => ({
  'profiles.mine': profile,
  'emailChange.current': null,
  'signIn.secondStep': { on: false, hasPassword: true },
  'sessions.list': devices,
  ...others,
  ...more,
});
const others: Handlers = {
  'verification.overview': {
    accountId: sessionId,
    email: { address: 'leila@example.org', checked: true },
    phone: { available: true, status: 'unchecked', number: '+31612345678', checkedAt: null, code: null },
    payout: { status: 'none', reason: null, decidedAt: null },
  },
  'termsOfUse.accepted': [],
  'passkeys.list': [],
  'dataExports.get': { latest: null, leftToday: 3, perDay: 3, linkHours: 24, email: 'leila@example.org' },
  'accountDeletion.get': {
    status: 'none',
    requestedAt: null,
    deleteAt: null,
    obstacles: [],
    mayReturn: [],
    confirmBy: 'password',
    graceDays: 30,
  },
};
const open = (more: Handlers = {}) =>
  renderApp('/account-settings', { session: 'worker', now: at, api: server(more) });
const option = (name: string) => screen.findByRole('radio', { name });

afterEach(() => {
  for (const setting of [appearance, clock, units, startSide]) setting.reset();
});

describe('account settings', () => {
  it('save the phone over a profile whose other fields changed in between, and keep it if it changed too', async () => {
    let saved = { ...profile, version: 4, bio: 'Changed elsewhere.' };
    const { api } = open({
      'profiles.mine': () => (api.calls('profiles.save').length === 0 ? profile : saved),
      'profiles.save': ({ version = 0, ...changes }) => {
        if (version !== saved.version) throw refuse('profile/stale', { version: saved.version });
        saved = { ...saved, phone: changes.phone ?? '', version: version + 1 };
        return saved;
      },
    });
    const phone = await screen.findByLabelText<HTMLInputElement>(/^Phone/);
    const saveAs = (number: string) => {
      fireEvent.change(phone, { target: { value: number } });
      fireEvent.click(screen.getByRole('button', { name: 'Save details' }));
    };
    saveAs('+31687654321');
    expect(await screen.findByText('Details saved')).toBeTruthy();
    expect(api.inputs('profiles.save')).toEqual([
      { phone: '+31687654321', version: 3 },
      { phone: '+31687654321', version: 4 },
    ]);

    saved = { ...saved, phone: '+31611111111', version: 9 };
    saveAs('+31622222222');
    expect(await screen.findByText(/What you typed is still here/)).toBeTruthy();
    expect(phone.value).toBe('+31622222222');
    fireEvent.click(screen.getByRole('button', { name: 'Save details' }));
    await waitFor(() => expect(saved).toMatchObject({ phone: '+31622222222', version: 10 }));
  });

  it('save a tapped setting for the account, and apply it on this device at once', async () => {
    const all = { appearance: null, units: 'miles' as const, clock: null, startSide: null, language: null };
    const { api } = open({ 'accountSettings.update': all });
    expect(await screen.findByText(/For example 3\skm/)).toBeTruthy();
    fireEvent.click(await option('Miles'));
    expect(await screen.findByText(/For example 1.9\smi/)).toBeTruthy();
    await waitFor(() => expect(api.inputs('accountSettings.update')).toEqual([{ units: 'miles' }]));
  });

  it("colours the browser's bar like the selected theme", async () => {
    document.head.innerHTML =
      '<meta name="theme-color" data-scheme="light" content="#fff"><meta name="theme-color" data-scheme="dark" content="#000">';
    const media = () => [...document.querySelectorAll('meta')].map((meta) => meta.media);
    appearance.set('dark');
    applyAppearance();
    expect(media()).toEqual(['not all', 'all']);
    appearance.set('system');
    applyAppearance();
    expect(media()).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']);
  });

  it('revert what the server rejects, with an error', async () => {
    open({ 'accountSettings.update': () => Promise.reject(refuse('request/internal')) });
    fireEvent.click(await option('24-hour'));
    expect(await screen.findByText(/^Not saved\./)).toBeTruthy();
    expect(clock.get()).toBe('device');
  });

  it('save only the details that changed', async () => {
    const { api } = open({ 'profiles.save': { ...profile, version: 4, phone: '+31687654321' } });
    const save = await screen.findByRole('button', { name: 'Save details' });
    expect((save as HTMLButtonElement).disabled).toBe(true);
    expect(await screen.findByText("This number hasn't been checked.")).toBeTruthy();
    fireEvent.change(screen.getByLabelText(/^Phone/), { target: { value: '+31 6 8765 4321' } });
    fireEvent.click(save);
    await waitFor(() => expect(api.inputs('profiles.save')).toEqual([{ phone: '+31687654321', version: 3 }]));
    expect(await screen.findByText('Details saved')).toBeTruthy();
  });

  it('list devices with this one marked, and sign out another', async () => {
    const { api } = open({ 'sessions.end': { ended: 1 } });
    const other = (await screen.findByText('Firefox on Linux')).closest('li') as HTMLElement;
    expect(within(other).getByText(/Last used Wed 18 Nov/)).toBeTruthy();
    const own = screen.getByText('Chrome on Android').closest('li') as HTMLElement;
    expect(within(own).getByText('This device')).toBeTruthy();
    expect(within(own).queryByRole('button')).toBeNull();
    fireEvent.click(within(other).getByRole('button', { name: /Sign out/ }));
    await waitFor(() => expect(api.inputs('sessions.end')).toEqual([{ sessionId: devices[1]?.id }]));
  });

  it('explain a taken address at its field', async () => {
    open({ 'emailChange.start': () => Promise.reject(refuse('email-change/taken')) });
    fireEvent.click(await screen.findByRole('button', { name: 'Change email' }));
    const field = await screen.findByLabelText('New email');
    fireEvent.change(field, { target: { value: 'sam@example.com' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send the links' }));
    expect(await screen.findByText('Another account uses this address. Choose another one.')).toBeTruthy();
    expect(field.getAttribute('aria-invalid')).toBe('true');
  });

  it('keep the other sections usable when one fails to load', async () => {
    open({ 'sessions.list': () => Promise.reject(refuse('request/internal')) });
    expect(await screen.findByText("We couldn't load your devices")).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Change email' })).toBeTruthy();
  });
});
