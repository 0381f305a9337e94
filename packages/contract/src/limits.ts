/**
 * Limits that several domains share (product.md, Constants; spec §9), and those of the app itself. A name without a
 * unit counts items or characters. Those of one domain are in its `limits.ts`, defaults of settings in
 * `setting-defaults.ts`.
 */
export const limits = {
  serviceWorkerDelayMs: 30_000,
  localNotificationDemoMs: 5_000,
  typingMs: 6_000,
  resyncSpreadMs: 2_000,
  emailMax: 254,
  timeZoneMax: 64,
  searchMax: 100,
  nameMax: 80,
  addressMax: 200,
  areaMax: 120,
  reasonMax: 500,
  messageMax: 1_000,
  /** Items of one bulk action. */
  bulkMax: 100,
  deliveryFilesMax: 10,
  /** Open dates of one series of an unverified business, which count as one open job (ADR 410). */
  datesWhileUnverified: 7,
  /** A link to a generated file, such as a statement, a roster or a poster. */
  fileLinkMinutes: 5,
  /** The longest shift; bounds how early ongoing work can have started. */
  shiftMinutesMax: 48 * 60,
} as const;
