import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/api/query.ts';
import { session } from '../../lib/session.ts';
import { rememberPlace } from './here.ts';
import { useStartPlace } from './start-place.ts';

const home = { label: 'Jordaan, Amsterdam', lat: 52.3748, lng: 4.8806 };
const town = { label: 'Amsterdam', lat: 52.3728, lng: 4.8936 };
let profile: () => Response;

const json = (value: unknown, status = 200) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });

beforeEach(() => {
  queryClient.setDefaultOptions({ queries: { retry: false } });
  profile = () => json({ home });
  vi.stubGlobal('fetch', (request: Request | string) => {
    const { pathname } = new URL(typeof request === 'string' ? request : request.url, 'http://localhost');
    return Promise.resolve(
      pathname.endsWith('/profiles/me')
        ? profile()
        : json({ styleUrl: null, tiles: null, addressSearch: false, travelTimes: false, start: town }),
    );
  });
});
afterEach(() => {
  queryClient.clear();
  cleanup();
  session.clear();
  rememberPlace(null);
  vi.unstubAllGlobals();
});

const signIn = (emailVerified = true) =>
  session.start({
    user: { id: 'leila', email: 'leila@example.org', emailVerified, name: 'Leila' },
    accessToken: 'token',
  });

function start() {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  return renderHook(() => useStartPlace(), { wrapper }).result;
}

describe('the start place', () => {
  it("is the profile's home area without a selection on this device", async () => {
    signIn();
    const here = start();
    await waitFor(() => expect(here.current).toEqual({ ...home, source: 'home' }));
  });

  it('is the earlier selection here', () => {
    signIn();
    const place = { label: 'De Pijp', lat: 52.35, lng: 4.89, source: 'chosen' as const };
    rememberPlace(place);
    expect(start().current).toEqual(place);
  });

  it.each([
    ['a guest', () => {}],
    ['somebody not verified yet', () => signIn(false)],
    [
      'a profile without a home',
      () => {
        signIn();
        profile = () => json({ home: null });
      },
    ],
    [
      'a profile that does not come',
      () => {
        signIn();
        profile = () => json({}, 500);
      },
    ],
  ])("is the operator's town for %s", async (_, arrange) => {
    arrange();
    const here = start();
    await waitFor(() => expect(here.current).toEqual({ ...town, source: 'chosen' }));
  });
});
