import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type ApiErrorCode, isApiError } from './api-error.ts';

/** The errors that any read can have, without the many messages of `error.labels.ts`. */
export const readErrorMessages = {
  'network/failed': msg`We couldn't reach Nearhand. Check your connection and try again.`,
  'network/offline': msg`You're offline. Try again when you have a connection.`,
  'network/cancelled': msg`This was stopped before it finished.`,

  'request/invalid': msg`We couldn't read this. Check the address, or reload the page.`,
  'request/unknown-operation': msg`This version of the app is out of date. Reload it and try again.`,
  'request/too-large': msg`That's too much at once. Send less and try again.`,
  'request/too-many': msg`Too many requests. Wait a minute and try again.`,
  'request/internal': msg`Something went wrong on our side. Nothing you typed is lost. Try again.`,
  'request/unavailable': msg`Nearhand isn't responding right now. Try again in a minute.`,
  'request/bad-cursor': msg`This list has changed. Reload it from the top.`,

  'session/required': msg`Log in to do this.`,
  'session/expired': msg`Your session has ended. Log in again.`,
  'session/email-not-verified': msg`Verify your email address first. The link is in your inbox.`,
} satisfies Partial<Record<ApiErrorCode, MessageDescriptor>>;

export function readErrorText(error: unknown): string {
  const messages: Partial<Record<ApiErrorCode, MessageDescriptor>> = readErrorMessages;
  const message = isApiError(error) ? messages[error.code] : undefined;
  return i18n._(message ?? readErrorMessages['request/internal']);
}
