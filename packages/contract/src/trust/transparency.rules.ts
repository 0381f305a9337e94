import { dayMs } from '../durations.ts';
import type { HouseRule, SuspensionScope } from '../house-rules.ts';
import type { SanctionMeasure, SanctionSource } from './sanctions.rules.ts';

const transparencyDaysMax = 366;

/** Returns whether two days, both included, are in order and span at most a leap year. */
export const isPeriod = ({ from, until }: { from: string; until: string }): boolean => {
  const days = (Date.parse(until) - Date.parse(from)) / dayMs;
  return days >= 0 && days < transparencyDaysMax;
};

/**
 * The kind of restriction as the DSA Transparency Database names it (transparency.dsa.ec.europa.eu, API
 * documentation, second version of July 2025). A warning restricts nothing, so it has no statement there.
 */
type Restriction = { field: 'visibility' | 'monetary' | 'provision' | 'account'; value: string } | null;

/**
 * The field and value of a statement of reasons in the EU's DSA transparency database; null where nothing is
 * restricted.
 */
export function restrictionOf(measure: SanctionMeasure, scope: SuspensionScope | null): Restriction {
  switch (measure) {
    case 'warning':
      return null;
    case 'hidden':
    case 'refused':
    case 'certificate_refused':
    case 'identity_refused':
      return { field: 'visibility', value: 'DECISION_VISIBILITY_CONTENT_DISABLED' };
    case 'removed':
    case 'redacted':
      return { field: 'visibility', value: 'DECISION_VISIBILITY_CONTENT_REMOVED' };
    case 'frozen':
      return { field: 'visibility', value: 'DECISION_VISIBILITY_CONTENT_INTERACTION_RESTRICTED' };
    case 'payout_refused':
      return { field: 'monetary', value: 'DECISION_MONETARY_SUSPENSION' };
    case 'verification_refused':
      return { field: 'provision', value: 'DECISION_PROVISION_PARTIAL_SUSPENSION' };
    case 'suspension':
      return scope === 'everything'
        ? { field: 'account', value: 'DECISION_ACCOUNT_SUSPENDED' }
        : { field: 'provision', value: 'DECISION_PROVISION_PARTIAL_SUSPENSION' };
  }
}

/** Categories of the same database, by the rule that was broken. */
export const statementCategories: Record<HouseRule, string> = {
  'no-fees': 'STATEMENT_CATEGORY_SCAMS_AND_FRAUD',
  'real-jobs': 'STATEMENT_CATEGORY_SCAMS_AND_FRAUD',
  'honest-details': 'STATEMENT_CATEGORY_SCAMS_AND_FRAUD',
  'pay-as-agreed': 'STATEMENT_CATEGORY_OTHER_VIOLATION_TC',
  'stay-on-nearhand': 'STATEMENT_CATEGORY_OTHER_VIOLATION_TC',
  respect: 'STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH',
  'no-discrimination': 'STATEMENT_CATEGORY_ILLEGAL_OR_HARMFUL_SPEECH',
  safety: 'STATEMENT_CATEGORY_RISK_FOR_PUBLIC_SECURITY',
  identity: 'STATEMENT_CATEGORY_SCAMS_AND_FRAUD',
  privacy: 'STATEMENT_CATEGORY_DATA_PROTECTION_AND_PRIVACY_VIOLATIONS',
  law: 'STATEMENT_CATEGORY_OTHER_VIOLATION_TC',
};

/** A report is a notice under article 16; screening and staff act on Nearhand's own initiative. */
export const statementSources: Record<SanctionSource, string> = {
  report: 'SOURCE_ARTICLE_16',
  screening: 'SOURCE_VOLUNTARY',
  staff: 'SOURCE_VOLUNTARY',
};
