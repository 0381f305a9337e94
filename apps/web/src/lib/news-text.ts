import { t } from '@lingui/core/macro';
import { isApiError } from './api-error.ts';
import { errorText } from './error-text.ts';

/**
 * Why a move was refused. Where somebody or something was faster (409 `…/stale` or `…/wrong-state`) it says who, and what it is now in the words of the
 * reader (`label`); every other refusal keeps its own words. The hooks of a slice ask the record again by then. `name` says whom it is about, where a
 * screen shows several.
 */
export function newsText(
  error: unknown,
  label: (status: string) => string | undefined,
  name?: string,
): string {
  if (!isApiError(error) || !/\/(stale|wrong-state)$/.test(error.code)) return errorText(error);
  const { status, by } = (error.data ?? {}) as { status?: string; by?: string };
  const now = status === undefined ? undefined : label(status);
  if (now === undefined) return errorText(error);
  if (name)
    return by
      ? t`${by} was faster: ${name} is now "${now}". Look again, then decide.`
      : t`Meanwhile ${name} became "${now}". Look again, then decide.`;
  return by
    ? t`${by} was faster: it now says "${now}". Look again, then decide.`
    : t`Meanwhile it became "${now}". Look again, then decide.`;
}
