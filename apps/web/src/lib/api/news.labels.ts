import { t } from '@lingui/core/macro';
import { type ApiError, type ApiErrorCode, isApiError } from './api-error.ts';
import { errorText } from './error.labels.ts';

type MovedCode = Extract<ApiErrorCode, `${string}/stale` | `${string}/wrong-state`>;

const hasMoved = (error: unknown): error is ApiError<MovedCode> =>
  isApiError(error) && /\/(stale|wrong-state)$/.test(error.code);

/**
 * The text for a refused move. For `…/stale` and `…/wrong-state` it names who moved it first, and the new status.
 */
export function newsText(
  error: unknown,
  label: (status: string) => string | undefined,
  name?: string,
): string {
  if (!hasMoved(error)) return errorText(error);
  const { status, by } = { status: undefined, by: undefined, ...error.data };
  const now = status === undefined ? undefined : label(status);
  if (now === undefined) return errorText(error);
  if (name)
    return by
      ? t`${by} changed this first: ${name} is now “${now}”. Check again, then decide.`
      : t`${name} is now “${now}”. Check again, then decide.`;
  return by
    ? t`${by} changed this first. It's now “${now}”. Check again, then decide.`
    : t`It's now “${now}”. Check again, then decide.`;
}
