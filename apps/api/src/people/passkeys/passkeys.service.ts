import type {
  CreationOptions,
  NewPasskeyAnswer,
  PasskeyAnswer,
  PasskeyView,
  RequestOptions,
} from '@nearhand/contract/people/passkeys';
import { passkeyLimits } from '@nearhand/contract/people/passkeys.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { recordOwnChange } from '../sessions/sessions.service.ts';
import { endPasskeyChecks, mustConfirmAsOperator, notePasskeyProof } from '../sign-in/sign-in.service.ts';
import { authenticatorName } from './authenticators.ts';
import {
  deletePasskey,
  deletePasskeysOf,
  findPasskeys,
  hasOtherWay,
  insertPasskey,
  lockOwner,
  updateName,
} from './passkeys.sql.ts';
import { sendPasskeyChanged } from './passkeys.tasks.ts';
import {
  acceptAnswer,
  askForPasskey,
  closeQuestion,
  describe,
  newChallenge,
  questionMs,
  siteOf,
} from './questions.ts';

/** EdDSA, ES256 and RS256 (COSE), which every authenticator has one of. */
const algorithms = [-8, -7, -257];

type Row = { id: string; name: string; created_at: Date; last_used_at: Date | null; synced: boolean };
const viewOf = (row: Row): PasskeyView => ({
  id: row.id,
  name: row.name,
  synced: row.synced,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

/** The caller's passkeys, newest first. */
export const listPasskeys = async (db: Db, { actor }: Scope): Promise<PasskeyView[]> =>
  (await findPasskeys(db, actor.accountId)).map(viewOf);

/**
 * What the caller's device needs to make a passkey.
 * @throws passkey/too-many (data: limit), passkey/unavailable, operator/confirm-again
 */
export async function startAddingPasskey(tx: Tx, scope: Scope): Promise<CreationOptions> {
  const { accountId, sessionId } = scope.actor;
  const site = siteOf(scope.config);
  await requireConfirmed(tx, scope);
  const owner = await lockOwner(tx, accountId);
  if (!owner) throw new AppError('session/expired');
  const known = await findPasskeys(tx, accountId);
  assertRoom(known.length);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: 'Nearhand',
    rpID: site.id,
    userName: owner.email,
    userID: new Uint8Array(Buffer.from(accountId)),
    userDisplayName: owner.name || owner.email,
    timeout: questionMs,
    supportedAlgorithmIDs: algorithms,
    challenge: new Uint8Array(
      Buffer.from(await newChallenge(tx, scope, { purpose: 'add', holder: sessionId }), 'base64url'),
    ),
  });
  return {
    rp: { name: 'Nearhand', id: site.id },
    user: options.user,
    challenge: options.challenge,
    pubKeyCredParams: options.pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
    timeout: questionMs,
    excludeCredentials: describe(known),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** A passkey is an operator's second factor too. */
async function requireConfirmed(tx: Tx, scope: Scope): Promise<void> {
  if (await mustConfirmAsOperator(tx, scope, scope.actor)) throw new AppError('operator/confirm-again');
}

function assertRoom(count: number): void {
  if (count >= passkeyLimits.perAccount)
    throw new AppError('passkey/too-many', { limit: passkeyLimits.perAccount });
}

/**
 * Adds the passkey that the caller's device made for `startAddingPasskey`, and mails them about it.
 * @throws passkey/expired, passkey/wrong-site, passkey/refused, passkey/already-added, passkey/too-many (data: limit)
 */
export async function addPasskey(
  tx: Tx,
  scope: Scope,
  { name, answer }: { name: string; answer: NewPasskeyAnswer },
): Promise<PasskeyView> {
  const { accountId, sessionId } = scope.actor;
  const owner = await lockOwner(tx, accountId);
  if (!owner) throw new AppError('session/expired');
  const made = await madePasskey(tx, scope, sessionId, answer);
  assertRoom((await findPasskeys(tx, accountId)).length);
  const now = scope.clock.now();
  const id = newId(now);
  const { credential } = made;
  const row = await insertPasskey(tx, {
    id,
    accountId,
    now,
    synced: made.credentialBackedUp,
    name: authenticatorName(made.aaguid) ?? name,
    credentialId: credential.id,
    counter: credential.counter,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    transports: answer.response.transports ?? [],
  });
  if (!row) throw new AppError('passkey/already-added');
  await recordOwnChange(tx, scope, 'passkey-added');
  await enqueue(tx, sendPasskeyChanged, {
    to: owner.email,
    kind: 'added',
    name: row.name,
    key: `passkey-added-${id}`,
  });
  return viewOf(row);
}

async function madePasskey(tx: Tx, scope: Scope, holder: string, answer: NewPasskeyAnswer) {
  const site = siteOf(scope.config);
  const asker = { purpose: 'add' as const, holder };
  const expectedChallenge = await closeQuestion(tx, scope, asker, answer.response.clientDataJSON);
  const { transports: _transports, ...response } = answer.response;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const result = await verifyRegistrationResponse({
    response: { ...answer, response },
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null);
  if (!result?.verified) throw new AppError('passkey/refused');
  return result.registrationInfo;
}

/** Renames one of the caller's passkeys. @throws passkey/not-found also for someone else's */
export async function renamePasskey(
  tx: Tx,
  { actor }: Scope,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<PasskeyView> {
  const row = await updateName(tx, actor.accountId, passkeyId, name);
  if (!row) throw new AppError('passkey/not-found');
  return viewOf(row);
}

/**
 * Removes one of the caller's passkeys, and mails them about it.
 * @throws passkey/not-found also for someone else's, passkey/last-way, operator/confirm-again
 */
export async function removePasskey(
  tx: Tx,
  scope: Scope,
  { passkeyId }: { passkeyId: string },
): Promise<null> {
  const { accountId } = scope.actor;
  const owner = await lockOwner(tx, accountId);
  const own = await findPasskeys(tx, accountId);
  if (!owner || !own.some(({ id }) => id === passkeyId)) throw new AppError('passkey/not-found');
  if (own.length === 1 && !(await hasOtherWay(tx, accountId))) throw new AppError('passkey/last-way');
  await requireConfirmed(tx, scope);
  const gone = await deletePasskey(tx, accountId, passkeyId);
  if (!gone) throw new AppError('passkey/not-found');
  await endPasskeyChecks(tx, accountId);
  await recordOwnChange(tx, scope, 'passkey-removed');
  await enqueue(tx, sendPasskeyChanged, {
    to: owner.email,
    kind: 'removed',
    name: gone.name,
    key: `passkey-removed-${passkeyId}`,
  });
  return null;
}

/** What the caller's device needs to confirm that it's them. @throws passkey/none, passkey/unavailable */
export async function startConfirmingByPasskey(tx: Tx, scope: Scope): Promise<RequestOptions> {
  const own = await findPasskeys(tx, scope.actor.accountId);
  if (own.length === 0) throw new AppError('passkey/none');
  return askForPasskey(tx, scope, { purpose: 'confirm', holder: scope.actor.sessionId }, own);
}

/**
 * Confirms that it's the caller, which counts like their password entered again.
 * @throws passkey/expired, passkey/wrong-site, passkey/unknown, passkey/other-account, passkey/refused
 */
export async function confirmByPasskey(
  tx: Tx,
  scope: Scope,
  { answer }: { answer: PasskeyAnswer },
): Promise<null> {
  const { accountId, sessionId } = scope.actor;
  const asker = { purpose: 'confirm' as const, holder: sessionId };
  const challenge = await closeQuestion(tx, scope, asker, answer.response.clientDataJSON);
  await acceptAnswer(tx, scope, challenge, answer, accountId);
  await notePasskeyProof(tx, scope);
  return null;
}

/** For an account that is removed. */
export const forgetPasskeys = (tx: Tx, accountId: string): Promise<void> => deletePasskeysOf(tx, accountId);

/** Removes the passkeys that were added since a time, for an account that someone else had (ADR 157). */
export const forgetPasskeysSince = (tx: Tx, accountId: string, since: Date): Promise<void> =>
  deletePasskeysOf(tx, accountId, since);
