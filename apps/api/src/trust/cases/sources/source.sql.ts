import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { RawBuilder } from 'kysely';

/** One row per open case, as a source selects it. */
export type SourceColumns = {
  subject_id: string;
  opened_at: Date;
  /** An end that comes before the deadline of its kind, if any. */
  ends_at: Date | null;
  title: string;
  tag: string | null;
  /** 1 urgent to 4 low, where the case differs from its kind. */
  priority: number | null;
  business_id: string | null;
  /** Everyone it is about: they never see or decide it. Members of the business are excluded too. */
  account_ids: string[];
};

/**
 * Where the open cases of a kind come from: a select of `SourceColumns`, in this order, over the tables of their owner. It needs an index
 * that holds only open ones (docs/architecture.md, Cases).
 */
export type CaseSource = { kind: CaseKind; open: RawBuilder<SourceColumns> };
