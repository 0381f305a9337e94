import type { DataOf, ErrorBody } from '@nearhand/contract/error-data';
import type { ErrorCode } from '@nearhand/contract/errors';
import { isOnline, reportAnswer, reportNoAnswer } from '../device/online.ts';

/** Codes of failures that never reached the server; the others are the contract's. */
export const clientErrorCodes = [
  'network/failed',
  'network/offline',
  'network/cancelled',
  'device/cannot-save',
] as const;
type ClientErrorCode = (typeof clientErrorCodes)[number];
export type ApiErrorCode = ErrorCode | ClientErrorCode;

/** Every failure of an API call. Show `errorText(error)`, never `message`. */
export class ApiError<Code extends ApiErrorCode = ApiErrorCode> extends Error {
  readonly code: Code;
  readonly status: number;
  readonly requestId: string | null;
  /** The data that the contract declares for this code; undefined if a response lacks it. */
  readonly data: DataOf<Code> | undefined;

  constructor(
    code: Code,
    detail: {
      message?: string;
      status?: number;
      requestId?: string | null;
      data?: DataOf<Code>;
      cause?: unknown;
    } = {},
  ) {
    super(detail.message ?? code, { cause: detail.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = detail.status ?? 0;
    this.requestId = detail.requestId ?? null;
    this.data = detail.data;
  }
}

/** Returns whether an error is the API's, with one of the given codes or, without codes, with any. */
export function isApiError<Code extends ApiErrorCode = ApiErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is ApiError<Code> {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}

/** The server was never reached, so the call can be resent later. */
export const isNetworkError = (error: unknown): boolean =>
  isApiError(error, 'network/failed', 'network/offline');

/** Returns whether a request ended because no response arrived in time. */
export const isTimeout = (error: unknown): boolean =>
  isNetworkError(error) && (error as { cause?: { name?: unknown } }).cause?.name === 'TimeoutError';

/** Checks the shape, because a newer server has unknown codes and the list would be in the first load. */
function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('code' in body)) return false;
  return typeof body.code === 'string' && /^[a-z-]+\/[a-z-]+$/.test(body.code);
}

/** Converts an API response to an error. A proxy's page becomes `request/unavailable` or `request/internal`. */
export function errorFromResponse(body: unknown, status: number): ApiError {
  if (isErrorBody(body)) {
    reportAnswer();
    return new ApiError(body.code, { ...body, status, requestId: body.requestId ?? null });
  }
  const code =
    status === 502 || status === 503 || status === 504 ? 'request/unavailable' : 'request/internal';
  // A proxy that can't reach the server shows that the network is fine.
  if (code === 'request/unavailable') reportAnswer();
  else reportNoAnswer();
  return new ApiError(status === 401 ? 'session/required' : code, { status, data: undefined });
}

/** Turns a failed call into an `ApiError`, and reports a missing response to the watch of the connection. */
export function errorFromFailure(failure: unknown): ApiError {
  if (failure instanceof ApiError) {
    if (failure.code === 'network/failed') reportNoAnswer();
    return failure;
  }
  if ((failure as { name?: unknown } | null)?.name === 'AbortError') {
    return new ApiError('network/cancelled', { cause: failure });
  }
  const code = isOnline() ? 'network/failed' : 'network/offline';
  reportNoAnswer();
  return new ApiError(code, { cause: failure });
}
