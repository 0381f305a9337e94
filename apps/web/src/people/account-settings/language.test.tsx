import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { address, renderApp } from '../../../test/render-app.tsx';
import { language } from '../../lib/device/device-setting.ts';
import { applyLinkLanguage, wantedLanguage } from '../../lib/words/locale.ts';
import { followAccountSettings } from './account-settings.api.ts';

afterEach(() => language.reset());

const none = { appearance: null, units: null, clock: null, startSide: null, language: null };

it('of an account survives a sign-in by a browser in another language', async () => {
  const { api } = renderApp('/no/such/page', {
    session: 'worker',
    languages: ['de-DE'],
    api: { 'accountSettings.get': none, 'accountSettings.update': { ...none, language: 'de' } },
  });
  await screen.findByRole('heading', { level: 1 });
  followAccountSettings();
  await waitFor(() => expect(api.calls('accountSettings.get')).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve));
  expect(api.calls('accountSettings.update')).toEqual([]);
});

it('can be selected by a guest, on this device', async () => {
  renderApp('/tabs/menu/account', { session: 'signedOut' });
  fireEvent.change(await screen.findByLabelText('Language'), { target: { value: 'nl' } });
  expect(language.get()).toBe('nl');
});

it("follows a guest's public page, and members keep their own", () => {
  renderApp('/no/such/page', { session: 'signedOut' });
  for (const wrong of ['?lang=xx', '', '?lang=']) applyLinkLanguage(wrong);
  expect(language.get()).toBe('device');
  applyLinkLanguage('?s=qr&lang=fr');
  expect(wantedLanguage()).toBe('fr');
});

it('of a member ignores a link', () => {
  renderApp('/no/such/page', { session: 'worker', api: { 'accountSettings.get': none } });
  applyLinkLanguage('?lang=fr');
  expect(language.get()).toBe('device');
});

it("of help and terms needs no account, and members' paths work for guests", async () => {
  renderApp('/toc', { session: 'signedOut' });
  fireEvent.click(await screen.findByRole('link', { name: 'Read the terms without an account' }));
  expect(await screen.findByText('1. What Nearhand is')).toBeTruthy();
  expect(address()).toBe('/tabs/menu/terms');
});

it('of the start page keeps its query on the way to the list', async () => {
  renderApp('/?q=waiter', { session: 'signedOut' });
  await waitFor(() => expect(address()).toBe('/tabs/menu/explore?q=waiter'));
});
