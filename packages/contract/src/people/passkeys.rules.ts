export const passkeyLimits = {
  perAccount: 20,
  nameMax: 60,
  /** How long a question to an authenticator is valid. */
  questionMinutes: 5,
  /** Adding and removing a passkey need a sign-in, a password or a passkey within this time. */
  proofMinutes: 10,
  /** A credential id, in base64url characters (WebAuthn: at most 1,023 bytes). */
  idMax: 1_366,
  /** Any other part of an answer. */
  partMax: 12_000,
  transportsMax: 10,
  transportMax: 30,
} as const;

/** A name as stored: without spaces around it or in a row. */
export const passkeyName = (typed: string): string => typed.trim().replaceAll(/\s+/g, ' ');
