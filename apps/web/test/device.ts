import { i18n } from '@lingui/core';
import type { Signal } from '@nearhand/contract/realtime';
import { act, cleanup, configure, fireEvent, screen } from '@testing-library/react';
import * as React from 'react';
import { onTestFinished, vi } from 'vitest';
import { registerAuth } from '../src/lib/api/auth-provider.ts';
import { queryClient } from '../src/lib/api/query.ts';
import { refetchOnSignals } from '../src/lib/api/signal-keys.ts';
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
import {
  leila,
  nadia,
  sampleAccount,
  sampleBusiness,
  sampleProfile,
  sampleSettings,
} from './people.fixtures.ts';

/**
 * The signed-in user: nobody, Leila before and after she verified her email, or Nadia, who hires for Kopi &
 * Crumb.
 */
type SessionState = 'signedOut' | 'unverified' | 'worker' | 'business';

export type RenderOptions = {
  session?: SessionState;
  /** The server's responses; any other call fails the test. The shell's calls have defaults. */
  api?: Handlers;
  languages?: readonly string[];
  width?: number;
  /** Stops the clock at this ISO 8601 time. Timers still run. */
  now?: string;
};

const users: Record<SessionState, SessionUser | null> = {
  signedOut: null,
  unverified: { ...leila, emailVerified: false },
  worker: leila,
  business: nadia,
};

/** Never expires, so that nothing is renewed. */
const accessToken = `header.${btoa(JSON.stringify({ exp: 99_999_999_999 }))}.signature`;

configure({ asyncUtilTimeout: 20_000 });
registerAuth(createBuiltInAuth());

function shellAnswers(session: SessionState): Handlers {
  const user = users[session];
  const businesses = session === 'business' ? [sampleBusiness()] : [];
  return {
    'settings.get': sampleSettings,
    'profiles.mine': sampleProfile(),
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
    'businesses.vatIdCheck': null,
    'kiosks.pin': { pin: null },
    'creditLimits.get': { credit: null },
    'budgets.list': { day: '2026-11-21', currency: 'EUR', budgets: [], requests: [], canChange: true },
    'budgets.forJob': { currency: 'EUR', budgets: [], mayExceed: true, requests: [] },
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
          'calendar.mine': [],
          'calendar.conflicts': [],
          'businesses.mine': businesses,
          'team.received': [],
          'team.removals': [],
          'branches.list': { branches: [], canCreate: false },
          'timesheets.rule': { minutes: null, afterHours: 6, setBy: null, setAt: null, canChange: false },
          'jobTemplates.list': [],
          'reviews.toWrite': { items: [], nextCursor: null },
          'reviews.ofEngagement': { toWrite: null, own: null, other: null },
          'replacements.list': { items: [], publicAfterMinutes: 60 },
        }
      : {}),
  };
}

/** Sets up the device, the session and the server, and removes them when the test ends. */
export function openDevice({
  session: asked,
  api: handlers = {},
  width = 390,
  languages = ['en-IE'],
  now,
}: RenderOptions) {
  const who = asked ?? 'signedOut';
  queryClient.clear();
  const api = new FakeApi({ ...shellAnswers(who), ...handlers });
  const user = users[who];
  api.verified = user?.emailVerified === true;
  if (now) vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  const before = { fetch: globalThis.fetch, width: window.innerWidth, idle: globalThis.requestIdleCallback };
  globalThis.fetch = api.fetch as typeof fetch;
  const languagesSpy = vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => api.reachable);
  Object.assign(window, { innerWidth: width, requestIdleCallback: (run: () => void) => setTimeout(run) });
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  if (user) session.start({ user, accessToken });
  else if (asked) session.clear();
  side.set(who === 'business' ? 'hire' : 'work');
  const defaults = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ ...defaults, queries: { ...defaults.queries, retryDelay: 0 } });
  const deaf = onSignal(refetchOnSignals(queryClient, () => 0));

  onTestFinished(() => {
    cleanup();
    deaf();
    emptyDevice();
    queryClient.setDefaultOptions(defaults);
    globalThis.fetch = before.fetch;
    Object.assign(window, { innerWidth: before.width, requestIdleCallback: before.idle });
    languagesSpy.mockRestore();
    onLine.mockRestore();
    vi.useRealTimers();
    if (api.faults.length > 0) throw new Error(api.faults.join('\n'));
  });
  return api;
}

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
  // Caches of stored values reread them, as if another tab had removed them.
  for (const key of keys) window.dispatchEvent(new StorageEvent('storage', { key }));
  sessionStorage.clear();
  emptyDatabases();
}

export function setOnline(api: FakeApi, online: boolean): void {
  api.reachable = online;
  act(() => {
    window.dispatchEvent(new Event(online ? 'online' : 'offline'));
  });
}

export function signal(...signals: Signal[]): void {
  act(() => realtimePort.receive(signals));
}

export async function press(name: string | RegExp): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name }));
}

const readOptions = Intl.DateTimeFormat.prototype.resolvedOptions;

/** Moves the device to a time zone until the test ends. */
export function deviceZone(timeZone: string): void {
  const moved = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function (
    this: Intl.DateTimeFormat,
  ) {
    return { ...readOptions.call(this), timeZone };
  });
  onTestFinished(() => moved.mockRestore());
}

// React would capture a stack for every element that it creates, a tenth of the tests' processor time.
Object.defineProperty(
  (React as unknown as Record<string, object>)
    .__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE as object,
  'recentlyCreatedOwnerStacks',
  { get: () => Number.POSITIVE_INFINITY, set: () => undefined },
);
