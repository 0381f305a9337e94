/**
 * Limits of payments and their documents (product.md, Constants).
 * A name without a unit counts items or characters.
 */
export const moneyLimits = {
  /** Minor units. */
  topUpMinMinor: 500,
  /** Days for which the goodwill of one operator to someone adds up. */
  goodwillDays: 30,
  /** The most that one payment of goodwill can be, also with a second operator. Euro cents by the reference rates. */
  goodwillMaxMinor: 100_000,
  /** Earlier payments of goodwill that operators see. */
  goodwillShown: 10,
  /** Minor units. */
  tipMaxMinor: 100_000,
  payoutMethodsMax: 5,
  /** A balance lists its clearing pay by quarter of an hour. Pay clears within two days, which have fewer. */
  clearingQuartersMax: 200,
  /** Years; the minimum age for withdrawals. */
  identityAgeMin: 18,
  statementRowsMax: 20_000,
  statementPdfRowsMax: 5_000,
  /** People in a yearly report to the tax office, which is one file. */
  reportedSellersMax: 20_000,
  /** Invoices and receipts of one month in a ZIP. */
  monthDocumentsMax: 1_000,
  /** The largest bank statement, in bytes. */
  bankStatementBytes: 10 * 1024 * 1024,
} as const;
