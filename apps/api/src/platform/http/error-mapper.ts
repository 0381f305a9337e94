import type { ErrorBody } from '@nearhand/contract/error-data';
import { type FieldIssue, fieldIssueOf, type SchemaIssue } from '@nearhand/contract/field-issues.rules';
import { AppError } from '../app-error.ts';
import type { Log } from '../log.ts';

/** The value passed validation: a gap in a schema, but caused by the input, so not a 500. */
const invalidValueStates = new Set([
  '22001',
  '22003',
  '22007',
  '22008',
  '22009',
  '22021',
  '22P02',
  '22P05',
  '23514',
]);
/** Connections, resources (53), shutdown (57P), disk (58), timeouts, and `spoiled-connections.ts`. */
const unavailableStates = /^(08...|53...|57P..|58...|55P03|57014|25P03|25006|40001|40P01|26000|42P05|0A000)$/;
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** The file disk is full, over quota, read-only, failing, or has too many open files. */
const diskCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE']);
/** The driver's errors without a code: a broken connection, or none free in time. */
const lostConnection =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed)/;

const diskIsFull = 'The disk of the database is full: nothing can be written until there is room.';
const filesRefused = 'The disk of the stored files refuses: it is full, read-only or fails.';

/** A dependency is unreachable or full, so the call may work later. */
export function isUnavailable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && (unavailableStates.test(code) || unavailableCodes.has(code))) return true;
  return error instanceof Error && lostConnection.test(error.message);
}

/** Maps failures to responses. Unknown ones are logged in full and returned as `request/internal`. */
export function toAppError(error: unknown, log: Log): AppError {
  if (error instanceof AppError) {
    if (error.cause !== undefined) log.error({ err: error.cause }, error.code);
    return error;
  }
  const code = (error as { code?: unknown })?.code;
  if (typeof code === 'string' && invalidValueStates.has(code)) {
    log.warn({ err: error }, 'a value passed validation but was rejected by the database');
    return new AppError('request/invalid', { issues: [] });
  }
  if (typeof code === 'string' && diskCodes.has(code)) {
    log.error({ err: error }, filesRefused);
    return new AppError('request/unavailable');
  }
  if (isUnavailable(error)) {
    log.error({ err: error }, code === '53100' ? diskIsFull : 'a dependency is unavailable');
    return new AppError('request/unavailable');
  }
  log.error({ err: error }, 'unexpected failure');
  return new AppError('request/internal');
}

/** The first refused values of an input, amounts with its currency if it names one. */
export function issuesOf(issues: readonly SchemaIssue[], input?: unknown): FieldIssue[] {
  const currency = (input as { currency?: unknown } | null | undefined)?.currency;
  return issues.slice(0, 20).map((issue) => {
    const fieldIssue = fieldIssueOf(issue);
    return typeof currency === 'string' && fieldIssue.path.endsWith('Minor')
      ? { ...fieldIssue, currency: currency.slice(0, 3) }
      : fieldIssue;
  });
}

export function retryAfterOf({ code, data }: AppError): number | null {
  if (code === 'request/unavailable') return 5;
  const seconds = (data as { retryAfterSeconds?: unknown } | undefined)?.retryAfterSeconds;
  return typeof seconds === 'number' ? seconds : null;
}

export const errorBody = (error: AppError, requestId: string): ErrorBody => ({
  code: error.code,
  message: plainMessage[error.status] ?? 'The request failed.',
  requestId,
  data: error.data,
});

/** Messages for people who read API responses; the app has its own text per code. */
const plainMessage: Record<number, string> = {
  400: 'The request is malformed.',
  401: 'A session is required.',
  403: 'This account is not allowed to do that.',
  404: 'Not found, or not visible to you.',
  409: 'Not possible in the current state.',
  413: 'Too large.',
  422: 'A rule does not allow this.',
  429: 'Too many requests.',
  500: 'Something went wrong on our side.',
  503: 'Temporarily unavailable; try again.',
};
