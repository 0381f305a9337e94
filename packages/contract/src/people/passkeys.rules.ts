export const passkeyLimits = {
  perAccount: 20,
  nameMax: 60,
  /** The minutes for which a challenge to an authenticator is valid. */
  questionMinutes: 5,
  /** Adding and removing a passkey need a sign-in, a password or a passkey within this time. */
  proofMinutes: 10,
  /** A credential id, in base64url characters (WebAuthn: at most 1,023 bytes). */
  idMax: 1_366,
  partMax: 12_000,
  transportsMax: 10,
  transportMax: 30,
} as const;

export const passkeyName = (typed: string): string => typed.trim().replaceAll(/\s+/g, ' ');
