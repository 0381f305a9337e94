import { Trans, useLingui } from '@lingui/react/macro';
import { useUser } from '../../lib/session.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { NoBusiness } from '../../people/businesses/no-business.tsx';
import { NotForRole } from '../../people/businesses/not-for-role.tsx';
import { mayOpen } from '../../people/businesses/role-screens.ts';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { SignedOutState, UnverifiedState } from '../../ui/pages/states.tsx';
import { PipelineScreen } from './pipeline-screen.tsx';

/** All applicants of the business. The path is public (spec §2): guests see what it is for. */
export default function AllJobApplicantsScreen() {
  const { t } = useLingui();
  const user = useUser();
  const { business, query } = useCurrentBusiness();
  if (!user?.emailVerified) {
    return (
      <Screen title={t`Applicants`} back="/tabs/menu/jobs">
        {user ? (
          <UnverifiedState>
            <p>{t`Then you can see who applied.`}</p>
          </UnverifiedState>
        ) : (
          <SignedOutState title={t`Log in to see your applicants`} next="/all-job-applicants">
            <Trans>Only a business's team can see its applicants.</Trans>
          </SignedOutState>
        )}
      </Screen>
    );
  }
  if (business && !mayOpen(business, '/all-job-applicants'))
    return <NotForRole business={business} screen="/all-job-applicants" title={t`Applicants`} />;
  if (business) {
    return (
      <PipelineScreen
        key={business.id}
        scope={{ businessId: business.id }}
        businessId={business.id}
        zone={business.timeZone}
        back="/tabs/menu/business"
        businessPick={<BusinessPick />}
      />
    );
  }
  return (
    <Screen title={t`Applicants`} back="/tabs/menu/business">
      <QueryState query={query} loading={<RowsSkeleton />} errorTitle={t`We couldn't load your business`}>
        {() => (
          <NoBusiness title={t`No business yet`}>
            <Trans>Register a business and post a job. Applicants will appear here.</Trans>
          </NoBusiness>
        )}
      </QueryState>
    </Screen>
  );
}
