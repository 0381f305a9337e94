/** A row as it is signed. */
export type LogRow = {
  no: number;
  at: Date;
  account_id: string;
  operation: string;
  subject_ids: readonly string[];
  case_kind: string | null;
  case_subject: string | null;
  reason: string | null;
};

/** The text that a row's digest signs: its content and the digest before it. */
export const logText = (row: LogRow, previous: string): string =>
  JSON.stringify([
    ...[row.no, previous, row.at.toISOString(), row.account_id, row.operation, row.subject_ids],
    ...[row.case_kind, row.case_subject, row.reason],
  ]);

/** The text that the head signs: how many rows there are, and the digest of the last. */
export const headText = (no: number, digest: string): string => `${no} ${digest}`;
