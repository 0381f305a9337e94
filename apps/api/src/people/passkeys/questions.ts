import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { minuteMs } from '@nearhand/contract/durations';
import type { PasskeyAnswer, RequestOptions } from '@nearhand/contract/people/passkeys';
import { passkeyLimits } from '@nearhand/contract/people/passkeys.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findByCredential, markUsed, type Purpose, putQuestion, takeQuestion } from './passkeys.sql.ts';

const challengeBytes = 32;
export const questionMs = passkeyLimits.questionMinutes * minuteMs;

/** The site that passkeys are bound to. @throws passkey/unavailable where browsers have none: at an IP address */
export function siteOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): { origin: string; id: string } {
  const { origin, hostname } = new URL(PUBLIC_URL);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) throw new AppError('passkey/unavailable');
  return { origin, id: hostname };
}

type QuestionScope = Pick<Scope, 'clock' | 'config'>;
/** What a question is for, and the session, browser or pending sign-in that asks. */
export type Asker = { purpose: Purpose; holder: string };

/** A new challenge for this asker, valid once and for a few minutes. It replaces the one before. */
export async function newChallenge(db: Db, { clock }: QuestionScope, asker: Asker): Promise<string> {
  const challenge = randomBytes(challengeBytes).toString('base64url');
  const expiresAt = new Date(clock.now().getTime() + questionMs);
  await putQuestion(db, { ...asker, challenge, expiresAt });
  return challenge;
}

type Known = { credentialId: string; transports: string[] };
export const describe = (rows: readonly Known[]) =>
  rows.map((row) => ({
    id: row.credentialId,
    type: 'public-key' as const,
    ...(row.transports.length > 0 ? { transports: row.transports } : {}),
  }));

/** Asks for a signature with one of these passkeys; with none, the person chooses among those of this site. */
export async function askForPasskey(
  db: Db,
  scope: QuestionScope,
  asker: Asker,
  among: readonly Known[] = [],
): Promise<RequestOptions> {
  const site = siteOf(scope.config);
  return {
    challenge: await newChallenge(db, scope, asker),
    rpId: site.id,
    timeout: questionMs,
    userVerification: 'required',
    allowCredentials: describe(among),
  };
}

/**
 * The challenge of the asker's open question, which is then closed, after comparing what the browser says it signed.
 * @throws passkey/expired for an answer to another question or none, passkey/wrong-site
 */
export async function closeQuestion(
  db: Db,
  { clock, config }: QuestionScope,
  { purpose, holder }: Asker,
  clientDataJSON: string,
): Promise<string> {
  const challenge = await takeQuestion(db, purpose, holder, clock.now());
  const signed = clientDataOf(clientDataJSON);
  if (challenge === undefined || signed.challenge !== challenge) throw new AppError('passkey/expired');
  if (signed.origin !== siteOf(config).origin) throw new AppError('passkey/wrong-site');
  return challenge;
}

function clientDataOf(text: string): { challenge?: unknown; origin?: unknown } {
  try {
    const data: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof data === 'object' && data !== null) return data;
  } catch {
    // Refused below like any other nonsense.
  }
  throw new AppError('passkey/refused');
}

/**
 * Checks an answer to `askForPasskey`, and notes the use. The question was closed before: outside of this transaction if a wrong answer
 * must close it too.
 * @param accountId whose passkey it must be; null for anyone's
 * @returns whose it is
 * @throws passkey/unknown, passkey/other-account, passkey/refused (also for a counter that did not grow)
 */
export async function acceptAnswer(
  tx: Tx,
  scope: QuestionScope,
  challenge: string,
  answer: PasskeyAnswer,
  accountId: string | null,
): Promise<string> {
  const row = await findByCredential(tx, answer.id);
  if (!row) throw new AppError('passkey/unknown');
  if (accountId !== null && row.accountId !== accountId) throw new AppError('passkey/other-account');
  const { userHandle } = answer.response;
  if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== row.accountId)
    throw new AppError('passkey/refused');
  const used = await verifiedUse(scope, answer, challenge, row);
  const grew = await markUsed(
    tx,
    { id: row.id, accountId: row.accountId },
    { ...used, now: scope.clock.now() },
  );
  if (!grew) throw new AppError('passkey/refused');
  return row.accountId;
}

type StoredKey = { credentialId: string; publicKey: string; counter: number };

async function verifiedUse(
  { config }: QuestionScope,
  answer: PasskeyAnswer,
  challenge: string,
  row: StoredKey,
): Promise<{ counter: number; synced: boolean }> {
  const site = siteOf(config);
  const { userHandle, ...response } = answer.response;
  // Loaded when first needed (ADR 254).
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const result = await verifyAuthenticationResponse({
    response: { ...answer, response: userHandle === undefined ? response : { ...response, userHandle } },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    credential: {
      id: row.credentialId,
      publicKey: new Uint8Array(Buffer.from(row.publicKey, 'base64url')),
      counter: row.counter,
    },
  }).catch(() => null);
  if (!result?.verified) throw new AppError('passkey/refused');
  const { newCounter: counter, credentialBackedUp: synced } = result.authenticationInfo;
  return { counter, synced };
}
