import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { addMs, minuteMs } from '@nearhand/contract/durations';
import {
  type CreationOptions,
  type NewPasskeyAnswer,
  type PasskeyAnswer,
  type PasskeyView,
  passkeys,
  type RequestOptions,
} from '@nearhand/contract/people/passkeys';
import { passkeyLimits } from '@nearhand/contract/people/passkeys.rules';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { ClockConfigScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { type Mail, sendUnlessRefused } from '../../platform/mail/mail.ts';
import { composeMail, phrase } from '../../platform/mail/mail-layout.ts';
import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { recordOwnChange } from '../sessions/sessions.ts';
import { endPasskeyChecks, mustConfirmAsOperator, recordPasskeyProof } from '../sign-in/credentials.ts';
import {
  deleteOldChallenges,
  deletePasskey,
  findByCredential,
  findPasskeys,
  hasOtherWay,
  insertPasskey,
  lockOwner,
  markUsed,
  type Purpose,
  redeemChallenge,
  saveChallenge,
  updateName,
} from './passkeys.sql.ts';

/** COSE EdDSA, ES256 and RS256; every authenticator supports one of them. */
const algorithms = [-8, -7, -257];

type Row = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null; synced: boolean };
const toPasskey = (row: Row): PasskeyView => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

/** Lists the caller's passkeys, newest first. */
const listPasskeys = async (db: Db, { actor }: Scope): Promise<PasskeyView[]> =>
  (await findPasskeys(db, actor.accountId)).map(toPasskey);

/** Returns options to create a passkey for the caller, who must have proved their identity recently. */
async function startAddingPasskey(tx: Tx, scope: Scope): Promise<CreationOptions> {
  const { accountId, sessionId } = scope.actor;
  const site = siteOf(scope.config);
  await requireConfirmed(tx, scope);
  const owner = await lockOwner(tx, accountId);
  if (!owner) throw new AppError('session/expired');
  const passkeys = await findPasskeys(tx, accountId);
  assertRoom(passkeys.length);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: 'Nearhand',
    rpID: site.id,
    userName: owner.email,
    userID: new Uint8Array(Buffer.from(accountId)),
    userDisplayName: owner.name || owner.email,
    timeout: challengeMs,
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
    timeout: challengeMs,
    excludeCredentials: describe(passkeys),
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

/** Adds the passkey made for `startAddingPasskey`, and notifies the caller by mail. */
async function addPasskey(
  tx: Tx,
  scope: Scope,
  { name, answer }: { name: string; answer: NewPasskeyAnswer },
): Promise<PasskeyView> {
  const { accountId, sessionId } = scope.actor;
  const owner = await lockOwner(tx, accountId);
  if (!owner) throw new AppError('session/expired');
  const passkey = await madePasskey(tx, scope, sessionId, answer);
  assertRoom((await findPasskeys(tx, accountId)).length);
  const now = scope.clock.now();
  const id = newId(now);
  const { credential } = passkey;
  const row = await insertPasskey(tx, {
    id,
    accountId,
    now,
    synced: passkey.credentialBackedUp,
    name: authenticatorName(passkey.aaguid) ?? name,
    credentialId: credential.id,
    counter: credential.counter,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    transports: answer.response.transports ?? [],
  });
  if (!row) throw new AppError('passkey/already-added');
  await recordOwnChange(tx, scope, 'passkey-added');
  await enqueue(tx, sendPasskeyChangedTask, {
    to: owner.email,
    kind: 'added',
    name: row.name,
    key: `passkey-added-${id}`,
  });
  return toPasskey(row);
}

async function madePasskey(tx: Tx, scope: Scope, holder: string, answer: NewPasskeyAnswer) {
  const site = siteOf(scope.config);
  const asker = { purpose: 'add' as const, holder };
  const expectedChallenge = await consumeChallenge(tx, scope, asker, answer.response.clientDataJSON);
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

/** Renames a passkey of the caller. */
async function renamePasskey(
  tx: Tx,
  { actor }: Scope,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<PasskeyView> {
  const row = await updateName(tx, actor.accountId, passkeyId, name);
  if (!row) throw new AppError('passkey/not-found');
  return toPasskey(row);
}

/** Removes the caller's passkey and notifies the caller by mail. */
async function removePasskey(tx: Tx, scope: Scope, { passkeyId }: { passkeyId: string }): Promise<null> {
  const { accountId } = scope.actor;
  const owner = await lockOwner(tx, accountId);
  const passkeys = await findPasskeys(tx, accountId);
  if (!owner || !passkeys.some(({ id }) => id === passkeyId)) throw new AppError('passkey/not-found');
  if (passkeys.length === 1 && !(await hasOtherWay(tx, accountId))) throw new AppError('passkey/last-way');
  await requireConfirmed(tx, scope);
  const deletedPasskey = await deletePasskey(tx, accountId, passkeyId);
  if (!deletedPasskey) throw new AppError('passkey/not-found');
  await endPasskeyChecks(tx, accountId);
  await recordOwnChange(tx, scope, 'passkey-removed');
  await enqueue(tx, sendPasskeyChangedTask, {
    to: owner.email,
    kind: 'removed',
    name: deletedPasskey.name,
    key: `passkey-removed-${passkeyId}`,
  });
  return null;
}

/** Returns options to prove the caller's identity with one of their passkeys. */
async function startConfirmingByPasskey(tx: Tx, scope: Scope): Promise<RequestOptions> {
  const passkeys = await findPasskeys(tx, scope.actor.accountId);
  if (passkeys.length === 0) throw new AppError('passkey/none');
  return askForPasskey(tx, scope, { purpose: 'confirm', holder: scope.actor.sessionId }, passkeys);
}

/** Counts as entering the password again in this session. */
async function confirmByPasskey(tx: Tx, scope: Scope, { answer }: { answer: PasskeyAnswer }): Promise<null> {
  const { accountId, sessionId } = scope.actor;
  const asker = { purpose: 'confirm' as const, holder: sessionId };
  const challenge = await consumeChallenge(tx, scope, asker, answer.response.clientDataJSON);
  await acceptAnswer(tx, scope, challenge, answer, accountId);
  await recordPasskeyProof(tx, scope);
  return null;
}

/** The names of common authenticators by AAGUID, which identifies their model. */
const names: Record<string, string> = {
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
};

/** Undefined if unknown, and for security keys, which are named after their device. */
const authenticatorName = (aaguid: string): string | undefined => names[aaguid];

/** A rejected address ends the task, since retrying is pointless. */
const sendPasskeyChangedTask = defineTask({
  name: 'passkeys.send-changed',
  queue: 'messages',
  payload: z.object({
    to: z.string(),
    kind: z.enum(['added', 'removed']),
    name: z.string(),
    key: z.string(),
  }),
  async run({ config, mailer, log }, change) {
    await sendUnlessRefused({ mailer, log }, passkeyChangedMail(config.PUBLIC_URL, change));
  },
});

const purgeQuestionsTask = defineTask({
  name: 'passkeys.purge-questions',
  payload: z.object({}),
  daily: true,
  run: ({ db, clock }) => deleteOldChallenges(db, clock.now()),
});

type PasskeyChange = { to: string; kind: 'added' | 'removed'; name: string; key: string };

function passkeyChangedMail(publicUrl: string, { to, kind, name, key }: PasskeyChange): Mail {
  const isAdded = kind === 'added';
  const subject = isAdded
    ? phrase('A passkey was added to your account')
    : phrase('A passkey was removed from your account');
  return composeMail(to, key, {
    subject,
    heading: subject,
    paragraphs: [
      isAdded
        ? phrase('It can log in to your account without your password.')
        : phrase('It can no longer log in to your account.'),
      isAdded
        ? phrase(
            "If you didn't add it, remove it in your account settings, sign out your other devices, and reset your password.",
          )
        : phrase(
            "If you didn't remove it, sign out your other devices in your account settings, and reset your password.",
          ),
    ],
    facts: [{ label: phrase('Passkey'), value: name }],
    action: { label: phrase('Check your account settings'), url: `${publicUrl}/account-settings` },
    footnote: phrase("You're receiving this because the passkeys of your account changed."),
  });
}

const challengeBytes = 32;
export const challengeMs = passkeyLimits.questionMinutes * minuteMs;

/**
 * The relying party.
 * @throws passkey/unavailable at an IP address, where browsers have no passkeys
 */
function siteOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): { origin: string; id: string } {
  const { origin, hostname } = new URL(PUBLIC_URL);
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) throw new AppError('passkey/unavailable');
  return { origin, id: hostname };
}

export type Asker = { purpose: Purpose; holder: string };

/** Replaces the asker's earlier challenge; valid once and for a few minutes. */
async function newChallenge(db: Db, { clock }: ClockConfigScope, asker: Asker): Promise<string> {
  const challenge = randomBytes(challengeBytes).toString('base64url');
  const expiresAt = addMs(clock.now(), challengeMs);
  await saveChallenge(db, { ...asker, challenge, expiresAt });
  return challenge;
}

type Known = { credentialId: string; transports: string[] };
const describe = (rows: readonly Known[]) =>
  rows.map((row) => ({
    id: row.credentialId,
    type: 'public-key' as const,
    transports: row.transports.length > 0 ? row.transports : undefined,
  }));

/** Asks for a passkey; if none are known, the person picks from this site's passkeys. */
export async function askForPasskey(
  db: Db,
  scope: ClockConfigScope,
  asker: Asker,
  among: readonly Known[] = [],
): Promise<RequestOptions> {
  const site = siteOf(scope.config);
  return {
    challenge: await newChallenge(db, scope, asker),
    rpId: site.id,
    timeout: challengeMs,
    userVerification: 'required',
    allowCredentials: describe(among),
  };
}

/**
 * Consumes the challenge after checking what was signed.
 * @throws passkey/expired, passkey/wrong-site
 */
export async function consumeChallenge(
  db: Db,
  { clock, config }: ClockConfigScope,
  { purpose, holder }: Asker,
  clientDataJSON: string,
): Promise<string> {
  const challenge = await redeemChallenge(db, purpose, holder, clock.now());
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
    // The malformed answer is rejected below, like any other invalid one.
  }
  throw new AppError('passkey/refused');
}

/**
 * @param accountId null for any owner
 * @throws passkey/unknown, passkey/other-account, passkey/refused
 */
export async function acceptAnswer(
  tx: Tx,
  scope: ClockConfigScope,
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
  { config }: ClockConfigScope,
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

export const passkeysTasks = [sendPasskeyChangedTask, purgeQuestionsTask];

export const passkeysRoutes = {
  list: read(passkeys.list, listPasskeys),
  startAdding: write(passkeys.startAdding, startAddingPasskey, { stored: false }),
  add: write(passkeys.add, addPasskey),
  rename: write(passkeys.rename, renamePasskey),
  remove: write(passkeys.remove, removePasskey),
  startConfirming: write(passkeys.startConfirming, startConfirmingByPasskey, { stored: false }),
  confirm: write(passkeys.confirm, confirmByPasskey),
};
