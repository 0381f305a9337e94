/**
 * Limits of accounts, sign-in, profiles and files (product.md, Constants).
 * A name without a unit counts items or characters.
 */
export const peopleLimits = {
  passwordMin: 6,
  passwordMax: 128,
  redirectAfterPasswordChangeMs: 3_000,
  deletionCodeMinutes: 15,
  deletionCodeTries: 5,
  deletionCodesPerDay: 5,
  /** Hours a week with one business, above which its planners are warned. */
  weeklyHours: 40,
  placeLabelMax: 200,
  addressSearchMin: 4,
  /** Characters of the page to return to after signing in. */
  returnPathMax: 1_000,
  bioMax: 1_000,
  /** Largest uploads, in bytes. */
  cvBytes: 5 * 1024 * 1024,
  imageBytes: 10 * 1024 * 1024,
  chatFileBytes: 10 * 1024 * 1024,
  /**
   * The largest unpacked size of a document; from `unpackedRatioFrom` bytes on, as a multiple of its size
   * too.
   */
  unpackedBytes: 50 * 1024 * 1024,
  unpackedRatio: 20,
  unpackedRatioFrom: 1024 * 1024,
  /** Sessions of an account in its list. */
  sessionsShown: 100,
  signInHistoryDays: 90,
  /** Days for which the networks of a session are kept. */
  accountNetworkDays: 180,
  /** Sign-ins of an account in its history. */
  signInEventsMax: 500,
  emailChangeHours: 24,
  emailUndoDays: 7,
  emailChangesPerDay: 5,
  trustedDeviceDays: 30,
  /** Codes made at once. */
  recoveryCodes: 10,
  signInCodeMax: 20,
  secondStepMinutes: 10,
  secondStepTries: 10,
  secondStepLockMinutes: 15,
  /** Tries of one sign-in or confirmation. */
  secondStepTriesOfSession: 5,
  /** Minutes without a call after which operators confirm their second step again. */
  operatorIdleMinutes: 15,
  /** Hours for which an operator’s second step lasts. */
  operatorConfirmHours: 12,
  accessTokenMinutes: 10,
  sessionDays: 90,
  /** The days for which a known device has its own password attempts. */
  knownDeviceDays: 365,
  sessionRecheckMs: 3_000,
} as const;
