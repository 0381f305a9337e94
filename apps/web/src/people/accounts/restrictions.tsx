import { useLingui } from '@lingui/react/macro';
import { sanctionPath } from '@nearhand/contract/app-paths';
import type { Restriction } from '@nearhand/contract/people/accounts';
import type { Business } from '@nearhand/contract/people/businesses';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { useUser } from '../../lib/session.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { ruleText, scopeNotes } from '../../lib/words/house-rule.labels.ts';
import { Banner } from '../../ui/banner.tsx';
import { Link } from '../../ui/controls/link.tsx';

const keepsFromApplying = ({ business, scope }: Restriction): boolean =>
  business === null && (scope === 'applying' || scope === 'everything');

const keepsFromHiring = ({ business, scope }: Restriction): boolean =>
  business !== null || scope === 'hiring' || scope === 'everything';

function useRestrictions(): readonly Restriction[] {
  const user = useUser();
  return useQuery(apiQuery.accounts.me.queryOptions({ enabled: user !== null })).data?.restrictions ?? [];
}

/** The decision that keeps the reader from applying, if any. */
export const useApplyRestriction = (): Restriction | undefined => useRestrictions().find(keepsFromApplying);

/** The decision that keeps the reader from hiring for this business, if any. */
export const useHireRestriction = (businessId: string | undefined): Restriction | undefined =>
  useRestrictions().find(
    (restriction) =>
      keepsFromHiring(restriction) &&
      (restriction.business === null || restriction.business.id === businessId),
  );

/**
 * Returns whether to offer posting a job: the business and the reader's role allow it, and no decision
 * forbids it.
 */
export function useMayCreateJob(business: Business | null | undefined): boolean {
  const restriction = useHireRestriction(business?.id);
  return restriction === undefined && business?.actions.includes('create-job') === true;
}

/** The decisions that matter on one side of the app. */
export const useRestrictionsOf = (side: 'work' | 'hire'): Restriction[] =>
  useRestrictions().filter(
    (restriction) =>
      restriction.scope === 'chat' ||
      (side === 'hire' ? keepsFromHiring(restriction) : keepsFromApplying(restriction)),
  );

export function useRestrictionTitle(): (restriction: Restriction) => string {
  const { t } = useLingui();
  return ({ business, scope, endsAt }) => {
    const until = endsAt && formatDate(endsAt, ownTimeZone());
    if (business && scope === null) return t`We couldn't verify ${business.name}, so it can't hire.`;
    if (business)
      return until
        ? t`${business.name} can't hire until ${until}.`
        : t`${business.name} can't hire until we lift the suspension.`;
    if (scope === 'applying')
      return until
        ? t`You can't apply for jobs until ${until}.`
        : t`You can't apply for jobs until we lift the suspension.`;
    if (scope === 'hiring')
      return until ? t`You can't hire until ${until}.` : t`You can't hire until we lift the suspension.`;
    if (scope === 'chat')
      return until
        ? t`You can't send messages until ${until}.`
        : t`You can't send messages until we lift the suspension.`;
    return until
      ? t`Your account is suspended until ${until}.`
      : t`Your account is suspended until we lift the suspension.`;
  };
}

/** Explains a restriction: its effect, end and reason, and what still works. */
export function RestrictionBanner({ restriction }: { restriction: Restriction }) {
  const { t, i18n } = useLingui();
  const title = useRestrictionTitle();
  const { scope, rule, sanctionId } = restriction;
  return (
    <Banner tone="bad" icon="shield-check">
      <p className="strong break">{title(restriction)}</p>
      <p className="mt1">{t`The rule: ${i18n._(ruleText[rule])}`}</p>
      <p className="mt1">
        {scope === null
          ? t`Booked work goes on and must be paid. You can correct the details and ask us to check again.`
          : i18n._(scopeNotes[scope])}
      </p>
      <p className="mt2">
        <Link className="link" to={sanctionPath(sanctionId)}>{t`Read the reasons or appeal`}</Link>
      </p>
    </Banner>
  );
}
