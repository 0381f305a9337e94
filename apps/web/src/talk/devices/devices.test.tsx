import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { NotificationSettings } from '@nearhand/contract/talk/notification-settings';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/api/query.ts';
import { pushUnreachable, type WebPushState } from '../../lib/device/web-push.ts';
import { sampleSettings } from '../notification-settings/settings.fixtures.ts';
import { SettingsDevices, SettingsEmail } from './devices.tsx';

const browser = vi.hoisted(() => ({
  state: 'off' as string,
  device: null as string | null,
  turnOn: vi.fn(async () => 'on'),
}));
vi.mock(import('../../lib/device/web-push.ts'), async (original) => ({
  ...(await original()),
  webPushState: async () => browser.state as WebPushState,
  ownDeviceId: () => browser.device,
  turnOnWebPush: browser.turnOn as never,
}));

const phone = vi.hoisted(() => ({ bridge: null as object | null }));
vi.mock(import('../../lib/device/native-push.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    nativePushBridge: () => (phone.bridge ? Promise.resolve(phone.bridge as never) : real.nativePushBridge()),
  };
});

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => {
  queryClient.clear();
  cleanup();
  browser.state = 'off';
  browser.device = null;
  browser.turnOn.mockClear();
  vi.unstubAllGlobals();
  phone.bridge = null;
});

const show = (change: Partial<NotificationSettings> = {}) => {
  const settings = sampleSettings(change);
  return render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <SettingsDevices settings={settings} />
          <SettingsEmail email={settings.email} />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  );
};

describe('push on this device', () => {
  it('asks only on a tap, and reports an unreachable push service', async () => {
    show();
    const press = await screen.findByRole('button', { name: 'Turn on push' });
    expect(browser.turnOn).not.toHaveBeenCalled();
    browser.turnOn.mockRejectedValueOnce(new Error(pushUnreachable));
    fireEvent.click(press);
    await screen.findByText(/We couldn't reach this browser's push service/);
    expect(browser.turnOn).toHaveBeenCalledWith('BExampleKey');
  });

  it.each([
    ['ios', { android: true, ios: false }, false],
    ['ios', { android: false, ios: true }, true],
    ['android', { android: true, ios: false }, true],
    ['android', { android: false, ios: true }, false],
  ] as const)('is offered in the %s app when the server reaches %o: %s', async (kind, nativePush, served) => {
    vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => kind });
    phone.bridge = { kind, bridge: { checkPermissions: async () => ({ receive: 'denied' }) } };
    show({ nativePush });
    await screen.findByText(served ? /Notifications are blocked/ : /This server doesn't send push/);
  });

  it.each([
    ['denied', /Notifications are blocked/],
    ['home-screen', /Add to Home Screen/],
    ['unsupported', /This browser can't receive push notifications/],
  ])('explains why not: %s', async (state, words) => {
    browser.state = state;
    show();
    await screen.findByText(words);
    expect(screen.queryByRole('button', { name: 'Turn on push' })).toBeNull();
  });

  it('is hidden when the server sends none', async () => {
    show({ vapidPublicKey: null });
    await screen.findByText(/This server doesn't send push notifications/);
    expect(screen.queryByRole('button', { name: /Turn push/ })).toBeNull();
  });

  it('is hidden in an Android app without Firebase, and never calls its plugin', async () => {
    const call = vi.fn();
    vi.stubGlobal('Capacitor', {
      isNativePlatform: () => true,
      getPlatform: () => 'android',
      Plugins: { PushNotifications: new Proxy({}, { get: () => call }) },
    });
    show({ nativePush: { android: true, ios: true } });
    await screen.findByText(/This app can't receive push notifications/);
    expect(screen.queryByRole('button', { name: /Turn on push/ })).toBeNull();
    expect(call).not.toHaveBeenCalled();
  });

  it('is on while the server knows this browser, and off once it was removed', async () => {
    browser.state = 'on';
    browser.device = sampleSettings().devices[0]?.id ?? null;
    show();
    await screen.findByRole('button', { name: 'Turn off push' });
    expect(screen.getByText('This device')).toBeTruthy();
    cleanup();
    show({ devices: [] });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Turn on push' })).toBeTruthy());
  });
});

describe('email', () => {
  it('shows whether it arrives', () => {
    show({ email: { address: 'leila@example.org', state: 'refused' } });
    expect(screen.getByText(/Email to this address bounces/)).toBeTruthy();
    cleanup();
    show({ email: { address: 'leila@example.org', state: 'not-verified' } });
    expect(screen.getByText(/isn't confirmed yet/)).toBeTruthy();
  });
});
