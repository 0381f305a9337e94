import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { NotificationSettings } from '@nearhand/contract/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { pushUnreachable, type WebPushState } from '../../lib/web-push.ts';
import { sampleSettings } from './settings.samples.ts';
import { SettingsDevices, SettingsEmail } from './settings-devices.tsx';

const browser = vi.hoisted(() => ({
  state: 'off' as string,
  device: null as string | null,
  turnOn: vi.fn(async () => 'on'),
}));
vi.mock(import('../../lib/web-push.ts'), async (original) => ({
  ...(await original()),
  webPushState: async () => browser.state as WebPushState,
  ownDeviceId: () => browser.device,
  turnOnWebPush: browser.turnOn as never,
}));

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => {
  cleanup();
  browser.state = 'off';
  browser.device = null;
  browser.turnOn.mockClear();
});

const show = (change: Partial<NotificationSettings> = {}) => {
  const settings = sampleSettings(change);
  return render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter future={{ v7_startTransition: true, v7_relativeSplatPath: true }}>
          <SettingsDevices settings={settings} />
          <SettingsEmail email={settings.email} />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  );
};

describe('push on this device', () => {
  it('is asked for by a press only, and says when the push service is away', async () => {
    show();
    const press = await screen.findByRole('button', { name: 'Turn push on here' });
    expect(browser.turnOn).not.toHaveBeenCalled();
    browser.turnOn.mockRejectedValueOnce(new Error(pushUnreachable));
    fireEvent.click(press);
    await screen.findByText(/The push service of this browser could not be reached/);
    expect(browser.turnOn).toHaveBeenCalledWith('BExampleKey');
  });

  it.each([
    ['denied', /Blocked in the settings/],
    ['home-screen', /Add to Home Screen/],
    ['unsupported', /This browser cannot receive push/],
  ])('says why not: %s', async (state, words) => {
    browser.state = state;
    show();
    await screen.findByText(words);
    expect(screen.queryByRole('button', { name: 'Turn push on here' })).toBeNull();
  });

  it('is not offered where the server sends none', async () => {
    show({ vapidPublicKey: null });
    await screen.findByText(/This server does not send push/);
    expect(screen.queryByRole('button', { name: /Turn push/ })).toBeNull();
  });

  it('is on while the server knows this browser, and off once it forgot it', async () => {
    browser.state = 'on';
    browser.device = sampleSettings().devices[0]?.id ?? null;
    show();
    await screen.findByRole('button', { name: 'Turn push off here' });
    expect(screen.getByText('This one')).toBeTruthy();
    cleanup();
    show({ devices: [] });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Turn push on here' })).toBeTruthy());
  });
});

describe('email', () => {
  it('says whether it arrives', () => {
    show({ email: { address: 'leila@example.org', state: 'refused' } });
    expect(screen.getByText(/Mail to this address comes back/)).toBeTruthy();
    cleanup();
    show({ email: { address: 'leila@example.org', state: 'not-verified' } });
    expect(screen.getByText(/not confirmed yet/)).toBeTruthy();
  });
});
