import { hourMs } from '@nearhand/contract/durations';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { session } from '../../lib/session.ts';
import { saveAcceptedTerms, storeAcceptedTerms } from './terms-of-use.api.ts';

vi.mock('../../lib/api/api.ts', () => ({
  api: { termsOfUse: { accept: vi.fn(async () => ({ termsAccepted: 'v1' })) } },
  apiQuery: { accounts: { me: { queryKey: () => ['me'] } } },
}));
const accept = vi.mocked(api.termsOfUse.accept);
const enter = (id: string, emailVerified: boolean) =>
  session.start({ user: { id, email: `${id}@example.org`, emailVerified, name: '' }, accessToken: 'token' });

beforeEach(() => {
  localStorage.clear();
  accept.mockClear();
});
afterEach(() => session.clear());

describe('terms accepted with a new account', () => {
  it('are recorded once, even before the email is verified, for that account only', async () => {
    storeAcceptedTerms('v1', 'u1');
    await saveAcceptedTerms();
    enter('u2', true);
    await saveAcceptedTerms();
    expect(accept).not.toHaveBeenCalled();
    enter('u1', false);
    await saveAcceptedTerms();
    await saveAcceptedTerms();
    expect(accept.mock.calls).toEqual([[{ version: 'v1' }]]);
  });

  it('apply to users who return from Google soon, not to later sign-ins', async () => {
    enter('u3', true);
    storeAcceptedTerms('v1', null);
    await saveAcceptedTerms();
    expect(accept).toHaveBeenCalledTimes(1);
    const now = Date.now();
    storeAcceptedTerms('v1', null);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + hourMs);
    await saveAcceptedTerms();
    clock.mockRestore();
    expect(accept).toHaveBeenCalledTimes(1);
  });

  it('wait while the server is unreachable, and are dropped when no longer in force', async () => {
    enter('u1', true);
    storeAcceptedTerms('v1', 'u1');
    accept.mockRejectedValueOnce(new Error('offline'));
    await expect(saveAcceptedTerms()).rejects.toThrow('offline');
    accept.mockRejectedValueOnce(new ApiError('request/invalid'));
    await saveAcceptedTerms();
    await saveAcceptedTerms();
    expect(accept).toHaveBeenCalledTimes(2);
  });
});
