import { limits } from '@nearhand/contract/limits';
import { accountEmail } from '@nearhand/contract/people/email';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { isPattern, withoutOwnWords } from '@nearhand/contract/people/passwords.rules';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Config } from '../../platform/config/config.ts';
import { isNativeOrigin } from '../../platform/native-apps/native-apps.ts';
import { isCommonPassword } from '../../platform/passwords/guessable-passwords.ts';
import { AuthFailure } from './auth-failures.ts';

export const emailShape = accountEmail(limits.emailMax);
/** Any other length can't match an existing password. */
export const knownPassword = z.string().min(1).max(peopleLimits.passwordMax);
export const chosenPassword = z.string().min(peopleLimits.passwordMin).max(peopleLimits.passwordMax);
/**
 * Rejects common passwords and patterns, even after removing words of the site and the address.
 * @throws AuthFailure
 */
export async function requireUncommon(password: string, email: string): Promise<void> {
  const rest = withoutOwnWords(password, email);
  if (
    password.toLowerCase() === email.toLowerCase() ||
    rest.length < peopleLimits.passwordMin ||
    isPattern(password) ||
    isPattern(rest) ||
    (await isCommonPassword(password)) ||
    (await isCommonPassword(rest))
  )
    throw new AuthFailure('auth/password-does-not-meet-requirements');
}

/** Restricts link tokens, since the database can't store some characters. */
export const linkToken = z.string().regex(/^[\w.-]{1,2000}$/);
/** Uses our own address, not what the client claims. */
export const headersFor = (request: FastifyRequest, publicUrl: string): Record<string, string> => ({
  origin: new URL(publicUrl).origin,
  'x-nearhand-address': request.ip,
  'user-agent': request.headers['user-agent'] ?? '',
  'accept-language': request.headers['accept-language'] ?? '',
  ...(request.headers.cookie ? { cookie: request.headers.cookie } : {}),
});

/**
 * Accepts the cookie only from our origin (ADR 12); native apps have none (ADR 218).
 * @throws AuthFailure
 */
export function requireOurOrigin(
  request: FastifyRequest,
  config: Pick<Config, 'NATIVE_ORIGINS' | 'NODE_ENV' | 'PUBLIC_URL'>,
): void {
  const { origin, cookie } = request.headers;
  if (cookie === undefined && isNativeOrigin(origin, config)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw new AuthFailure('auth/unauthorized-domain');
  if (origin === undefined) {
    if (cookie !== undefined) throw new AuthFailure('auth/unauthorized-domain');
    return;
  }
  if (origin === new URL(config.PUBLIC_URL).origin) return;
  // In development, the server is also reached as localhost, 127.0.0.1 and [::1].
  const local = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin);
  if (config.NODE_ENV !== 'production' && local && origin === `http://${request.headers.host}`) return;
  throw new AuthFailure('auth/unauthorized-domain');
}

/** @throws AuthFailure for the first invalid field */
export function readBody<Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> {
  const result = shape.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = String(issue?.path[0] ?? '');
  const value = (body as Record<string, unknown> | null)?.[field];
  const isEmpty = value === undefined || value === '';
  if (field === 'email') throw new AuthFailure(isEmpty ? 'auth/missing-email' : 'auth/invalid-email');
  if (field === 'token') throw new AuthFailure('auth/invalid-action-code');
  if (field === 'currentPassword') throw new AuthFailure('auth/wrong-password');
  if (field === 'password' || field === 'newPassword') {
    if (isEmpty) throw new AuthFailure('auth/missing-password');
    if (typeof value !== 'string') throw new AuthFailure('auth/argument-error');
    throw new AuthFailure(
      value.length < peopleLimits.passwordMin
        ? 'auth/weak-password'
        : 'auth/password-does-not-meet-requirements',
    );
  }
  if (field === 'returnTo') throw new AuthFailure('auth/invalid-continue-uri');
  if (field === 'provider') throw new AuthFailure('auth/invalid-provider-id');
  throw new AuthFailure('auth/argument-error');
}
