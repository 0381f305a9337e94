import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

const id = '0193aaaa-0000-7000-8000-000000000001';
const at = '2026-11-21T09:00:00.000Z';
const passkey = { id, name: 'iCloud Keychain', createdAt: at, lastUsedAt: null, synced: true };
const creation = {
  rp: { name: 'Nearhand', id: 'localhost' },
  user: { id: 'AA', name: 'l', displayName: 'L' },
  challenge: 'AAAA',
  pubKeyCredParams: [{ type: 'public-key' as const, alg: -7 }],
  timeout: 300_000,
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true as const,
    userVerification: 'required' as const,
  },
  excludeCredentials: [],
  attestation: 'none' as const,
};
const server = (more: Handlers = {}): Handlers => ({
  'profiles.mine': {
    accountId: id,
    version: 3,
    name: 'Leila Haddad',
    phone: null,
    bio: '',
    home: null,
    languages: [],
    availability: [],
    weekHoursMax: null,
    skills: [],
    photo: null,
    cv: null,
    findable: 'off',
  },
  'emailChange.current': null,
  'signIn.secondStep': { on: false, hasPassword: true },
  'sessions.list': [],
  'termsOfUse.accepted': [],
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
  'passkeys.list': [passkey],
  ...more,
});
const open = (more: Handlers = {}) =>
  renderApp('/account-settings', { session: 'worker', now: at, api: server(more) });
const section = () => screen.findByRole('region', { name: 'Passkeys' });

function browserWith(create: () => Promise<unknown>): void {
  vi.stubGlobal('PublicKeyCredential', class {});
  vi.stubGlobal('isSecureContext', true);
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create } });
}
const credential = () =>
  Promise.resolve({
    id: 'AAEC',
    rawId: new Uint8Array([0, 1, 2]).buffer,
    type: 'public-key',
    response: {
      clientDataJSON: new Uint8Array([1]).buffer,
      attestationObject: new Uint8Array([2]).buffer,
      getTransports: () => ['internal'],
    },
    getClientExtensionResults: () => ({}),
  });

beforeEach(() => browserWith(credential));
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'credentials');
});

describe('passkeys in the account settings', () => {
  it("show today as added even when the server's clock is ahead of the device's", async () => {
    open({ 'passkeys.list': [{ ...passkey, createdAt: '2026-11-22T08:59:00.000Z' }] });
    expect(await within(await section()).findByText('Added today, not used yet')).toBeTruthy();
  });

  it('show when they were added, and can be renamed', async () => {
    const { api } = open({ 'passkeys.rename': { ...passkey, name: 'My phone' } });
    const card = within(await section());
    expect(await card.findByText('Added today, not used yet')).toBeTruthy();
    fireEvent.click(card.getByRole('button', { name: /Edit/ }));
    expect(await screen.findByText('Synced to your other devices.')).toBeTruthy();
    const field = await screen.findByLabelText('Name', { selector: 'dialog input' });
    fireEvent.change(field, { target: { value: '  ' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save name' }));
    expect(await screen.findByText('Enter a name.')).toBeTruthy();
    fireEvent.change(field, { target: { value: 'My phone' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save name' }));
    await waitFor(() => expect(api.inputs('passkeys.rename')).toEqual([{ passkeyId: id, name: 'My phone' }]));
  });

  it('are added by the browser, under the name of this device', async () => {
    const { api } = open({ 'passkeys.startAdding': creation, 'passkeys.add': passkey, 'passkeys.list': [] });
    const card = within(await section());
    fireEvent.click(await card.findByRole('button', { name: 'Add a passkey' }));
    expect(await screen.findByText('Passkey added: iCloud Keychain')).toBeTruthy();
    expect(api.inputs('passkeys.add')).toMatchObject([
      { answer: { id: 'AAEC', rawId: 'AAEC', response: { transports: ['internal'] } } },
    ]);
  });

  it('show nothing when the user stops, and what to do on a device that has one', async () => {
    browserWith(() => Promise.reject(new DOMException('stopped', 'NotAllowedError')));
    open({ 'passkeys.startAdding': creation });
    const add = await within(await section()).findByRole('button', { name: 'Add a passkey' });
    fireEvent.click(add);
    await waitFor(() => expect(add.getAttribute('aria-busy')).not.toBe('true'));
    expect(screen.queryByRole('alert')).toBeNull();
    browserWith(() => Promise.reject(new DOMException('known', 'InvalidStateError')));
    fireEvent.click(add);
    expect(await screen.findByText('This device already has a passkey for your account.')).toBeTruthy();
  });

  it('ask for the password when the sign-in was too long ago', async () => {
    open({ 'passkeys.startAdding': () => Promise.reject(refuse('session/password-required')) });
    fireEvent.click(await within(await section()).findByRole('button', { name: 'Add a passkey' }));
    expect(await screen.findByRole('heading', { name: "Confirm that it's you" })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Confirm with a passkey instead' })).toBeTruthy();
  });

  it('explain why the last way to log in stays', async () => {
    open({ 'passkeys.remove': () => Promise.reject(refuse('passkey/last-way')) });
    fireEvent.click(await within(await section()).findByRole('button', { name: /Edit/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Remove passkey' }));
    const alert = within(await screen.findByRole('alertdialog'));
    fireEvent.click(alert.getByRole('button', { name: 'Remove passkey' }));
    expect(await screen.findByText('This is your only way to log in. Set a password first.')).toBeTruthy();
  });

  it('are hidden in a browser without them', async () => {
    vi.unstubAllGlobals();
    open({ 'passkeys.list': [] });
    expect(await screen.findByText("This browser doesn't have passkeys.")).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  });
});
