/**
 * The constants of the product with their defaults (product.md, Constants; seed §9). Those an operator may change are overridden through the
 * configuration (`platform/config.ts`), never here.
 */
export const limits = {
  passwordMin: 6,
  passwordMax: 128,
  redirectAfterPasswordChangeMs: 3_000,
  serviceWorkerDelayMs: 30_000,
  localNotificationDemoMs: 5_000,
  transitionIosMs: 540,
  transitionMdForwardMs: 280,
  transitionMdBackMs: 200,

  merchantFeeBasisPoints: 1_000,
  workerFeeBasisPoints: 0,

  radiusChoicesKm: [5, 10, 25, 50, 100],
  radiusDefaultKm: 25,
  radiusMaxKm: 100,
  widenBelowResults: 10,

  jobLifeDays: 30,
  jobExpiryWarningDay: 25,
  decideByDays: 14,
  nudgeDays: [3, 7, 12],
  openJobsWhileUnverified: 3,
  applicationsPerDay: 30,
  checkoutMinutes: 15,
  headCountMax: 500,
  questionsMax: 10,

  nameMax: 80,
  titleMax: 120,
  bioMax: 1_000,
  descriptionMax: 5_000,
  coverNoteMax: 2_000,
  answerMax: 1_000,
  addressMax: 200,

  cvBytes: 5 * 1024 * 1024,
  imageBytes: 10 * 1024 * 1024,

  idempotencyKeyDays: 30,
  accessTokenMinutes: 10,
  sessionRecheckMs: 3_000,
} as const;
