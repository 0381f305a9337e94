import { expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { canRetry } from './device-queue.ts';

it.each(['network/failed', 'request/unavailable', 'request/internal', 'session/expired'] as const)(
  'resends after %s',
  (code) => expect(canRetry(new ApiError(code, {}))).toBe(true),
);

it.each(['job/not-found', 'job/filled'] as const)("doesn't resend what was rejected with %s", (code) =>
  expect(canRetry(new ApiError(code, {}))).toBe(false),
);
