import { expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { canRetry } from './device-queue.ts';

it.each(['network/failed', 'request/unavailable', 'request/internal', 'session/expired'] as const)(
  'sends again what %s stopped',
  (code) => expect(canRetry(new ApiError(code, {}))).toBe(true),
);

it.each(['job/not-found', 'job/filled'] as const)('does not send again what was refused with %s', (code) =>
  expect(canRetry(new ApiError(code, {}))).toBe(false),
);
