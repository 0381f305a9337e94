import { z } from 'zod';
import { id, instant, line, operation } from '../operation.ts';
import { labelName } from './names.ts';
import { passkeyLimits, passkeyName } from './passkeys.rules.ts';

export const passkeyView = z.object({
  id,
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  synced: z.boolean(),
});
export type PasskeyView = z.infer<typeof passkeyView>;

const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/);
const part = bytes(passkeyLimits.partMax);
const credentialId = bytes(passkeyLimits.idMax);
const transports = z.array(line(passkeyLimits.transportMax)).max(passkeyLimits.transportsMax);
const credential = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});
const signedAnswer = <Response extends z.ZodType>(response: Response) =>
  z.object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response,
    clientExtensionResults: z.object({}),
  });

/** The used part of WebAuthn's `PublicKeyCredentialCreationOptionsJSON`. */
export const creationOptions = z.object({
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
  timeout: z.number(),
  excludeCredentials: z.array(credential),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type CreationOptions = z.infer<typeof creationOptions>;

/** WebAuthn's `PublicKeyCredentialRequestOptionsJSON`. Without `allowCredentials` the person chooses. */
export const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(credential),
});
export type RequestOptions = z.infer<typeof requestOptions>;

/** A new key, in WebAuthn's `RegistrationResponseJSON`. */
export const newPasskeyAnswer = signedAnswer(
  z.object({ clientDataJSON: part, attestationObject: part, transports: transports.optional() }),
);
export type NewPasskeyAnswer = z.infer<typeof newPasskeyAnswer>;

/** A signature with a passkey, in WebAuthn's `AuthenticationResponseJSON`. */
export const passkeyAnswer = signedAnswer(
  z.object({
    clientDataJSON: part,
    authenticatorData: part,
    signature: part,
    userHandle: credentialId.optional(),
  }),
);
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

const name = z
  .string()
  .max(passkeyLimits.nameMax)
  .transform(passkeyName)
  .pipe(labelName(passkeyLimits.nameMax));

/** The caller's passkeys (ADR 169). The sign-in library handles signing in with one, as with a password. */
export const passkeys = {
  list: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'GET', path: '/me/passkeys', summary: 'List your passkeys, newest first' })
    .output(z.array(passkeyView)),
  startAdding: operation({
    access: 'verified',
    errors: ['passkey/too-many', 'passkey/unavailable', 'operator/confirm-again'],
    effects: ['guarded'],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/me/passkeys/options',
      summary: 'Get passkey creation options',
    })
    .output(creationOptions),
  add: operation({
    access: 'verified',
    errors: [
      'passkey/expired',
      'passkey/wrong-site',
      'passkey/refused',
      'passkey/already-added',
      'passkey/too-many',
      'passkey/unavailable',
    ],
    effects: ['guarded:input'],
    whileSuspended: 'account',
  })
    .route({ method: 'POST', path: '/me/passkeys', summary: 'Add the passkey that your device made' })
    .input(z.object({ name, answer: newPasskeyAnswer }))
    .output(passkeyView),
  rename: operation({
    access: 'signed-in',
    errors: ['passkey/not-found'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({ method: 'PATCH', path: '/me/passkeys/{passkeyId}', summary: 'Rename a passkey' })
    .input(z.object({ passkeyId: id, name }))
    .output(passkeyView),
  remove: operation({
    access: 'signed-in',
    errors: ['passkey/not-found', 'passkey/last-way', 'operator/confirm-again'],
    effects: ['guarded'],
    whileSuspended: 'account',
  })
    .route({ method: 'DELETE', path: '/me/passkeys/{passkeyId}', summary: 'Remove a passkey' })
    .input(z.object({ passkeyId: id }))
    .output(z.null()),
  startConfirming: operation({
    access: 'signed-in',
    errors: ['passkey/none', 'passkey/unavailable'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/me/passkeys/confirmation/options',
      summary: "What your device needs to confirm that it's you",
    })
    .output(requestOptions),
  confirm: operation({
    access: 'signed-in',
    errors: [
      'passkey/expired',
      'passkey/wrong-site',
      'passkey/refused',
      'passkey/unknown',
      'passkey/other-account',
      'passkey/unavailable',
    ],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/me/passkeys/confirmation',
      summary: "Confirm with a passkey that it's you, where your password would be asked for",
    })
    .input(z.object({ answer: passkeyAnswer }))
    .output(z.null()),
};
