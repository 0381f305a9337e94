import { i18n } from '@lingui/core';
import type { Signal } from '@nearhand/contract/realtime';
import { act, cleanup, configure, fireEvent, screen } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';
import { registerAuth } from '../src/lib/api/auth-provider.ts';
import { queryClient } from '../src/lib/api/query.ts';
import { askAgainOn } from '../src/lib/api/signal-keys.ts';
import { side } from '../src/lib/device/device-setting.ts';
import { reportAnswer } from '../src/lib/device/online.ts';
import { onSignal, realtimePort } from '../src/lib/realtime/realtime.ts';
import { type SessionUser, session } from '../src/lib/session.ts';
import { learnSettings } from '../src/lib/settings.ts';
import { compileMessage } from '../src/lib/words/show-language.ts';
import { rememberPlace } from '../src/people/places/places.api.ts';
import { createBuiltInAuth } from '../src/people/sign-in/built-in-auth.ts';
import { dismissToast } from '../src/ui/overlays/toast.tsx';
import { FakeApi, type Handlers } from './fake-api.ts';
import { emptyDatabases } from './memory-idb.ts';
import { leila, nadia, sampleAccount, sampleBusiness, sampleSettings } from './people.fixtures.ts';

/** Who is signed in: nobody, Leila before and after she verified her email, or Nadia, who hires for Kopi & Crumb. */
export type SessionState = 'signedOut' | 'unverified' | 'worker' | 'merchant';

export type RenderOptions = {
  session?: SessionState;
  /** What the server answers; anything else fails the test. Calls of the shell have answers already. */
  api?: Handlers;
  /** As the browser has them; `en-IE` unless told. */
  languages?: readonly string[];
  /** In CSS pixels; from 992 on it is the desktop layout. */
  width?: number;
  /** The time, which then stands still, as ISO 8601. Timers run on. */
  now?: string;
};

const users: Record<SessionState, SessionUser | null> = {
  signedOut: null,
  unverified: { ...leila, emailVerified: false },
  worker: leila,
  merchant: nadia,
};

/** Never expires, so that nothing is renewed. */
const accessToken = `header.${btoa(JSON.stringify({ exp: 99_999_999_999 }))}.signature`;

// A busy machine takes its time; what never comes fails all the same.
configure({ asyncUtilTimeout: 10_000 });
registerAuth(createBuiltInAuth());

/** What the shell asks for wherever it is. */
function shellAnswers(who: SessionState): Handlers {
  const user = users[who];
  const businesses = who === 'merchant' ? [sampleBusiness()] : [];
  return {
    'settings.get': sampleSettings,
    'serviceStatus.get': { message: null, slow: [] },
    'signIn.options': {
      provider: 'built-in',
      google: false,
      facebook: false,
      apple: false,
      openId: null,
      firebase: null,
      mailboxPath: null,
    },
    'places.mapSettings': {
      styleUrl: null,
      tiles: null,
      addressSearch: false,
      travelTimes: false,
      start: { label: 'Jordaan, Amsterdam', lat: 52.3748, lng: 4.8806 },
    },
    ...(user
      ? {
          'accounts.me': sampleAccount(user, businesses),
          'savedJobs.ids': [],
          'savedSearches.list': [],
          'followedBusinesses.ids': [],
        }
      : {}),
    ...(user?.emailVerified
      ? {
          'conversations.unread': { conversations: 0 },
          'businesses.mine': businesses,
          'branches.list': { branches: [], canCreate: false },
        }
      : {}),
  };
}

/** Sets up the device, the session and the server, and takes them away when the test ends. Called within a test or a `beforeEach`. */
export function openDevice({
  session: asked,
  api: handlers = {},
  width = 390,
  languages = ['en-IE'],
  now,
}: RenderOptions) {
  const who = asked ?? 'signedOut';
  // The answers of another device, where a test opens two.
  queryClient.clear();
  const api = new FakeApi({ ...shellAnswers(who), ...handlers });
  const user = users[who];
  api.verified = user?.emailVerified === true;
  if (now) vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  const before = { fetch: globalThis.fetch, width: window.innerWidth, idle: globalThis.requestIdleCallback };
  globalThis.fetch = api.fetch as typeof fetch;
  const spoken = vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => api.reachable);
  // The browser has nothing else to do, so what comes after the first screen comes at once.
  Object.assign(window, { innerWidth: width, requestIdleCallback: (run: () => void) => setTimeout(run) });
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  if (user) session.start({ user, accessToken });
  else if (asked) session.clear();
  side.set(who === 'merchant' ? 'hire' : 'work');
  const defaults = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ ...defaults, queries: { ...defaults.queries, retryDelay: 0 } });
  const deaf = onSignal(askAgainOn(queryClient, () => 0));

  onTestFinished(() => {
    cleanup();
    deaf();
    emptyDevice();
    queryClient.setDefaultOptions(defaults);
    globalThis.fetch = before.fetch;
    Object.assign(window, { innerWidth: before.width, requestIdleCallback: before.idle });
    spoken.mockRestore();
    onLine.mockRestore();
    vi.useRealTimers();
    if (api.faults.length > 0) throw new Error(api.faults.join('\n'));
  });
  return api;
}

/** As a device on which the app was never opened. */
function emptyDevice(): void {
  reportAnswer();
  session.clear();
  dismissToast();
  queryClient.clear();
  rememberPlace(null);
  learnSettings(null);
  side.reset();
  const keys = Object.keys(localStorage);
  localStorage.clear();
  // What caches a stored value reads it again, as if another tab had removed it.
  for (const key of keys) window.dispatchEvent(new StorageEvent('storage', { key }));
  sessionStorage.clear();
  emptyDatabases();
}

/** The device loses its network or finds it again. */
export function setOnline(api: FakeApi, online: boolean): void {
  api.reachable = online;
  act(() => {
    window.dispatchEvent(new Event(online ? 'online' : 'offline'));
  });
}

/** A hint of the server arrives over the socket. */
export function signal(...signals: Signal[]): void {
  act(() => realtimePort.receive(signals));
}

/** Presses a button as soon as it is there. */
export async function press(name: string | RegExp): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name }));
}
