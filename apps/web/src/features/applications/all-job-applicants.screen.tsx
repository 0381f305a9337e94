import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/businesses';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { useUser } from '../../lib/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PickButton } from '../../ui/pick-button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { RowsSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState, SignedOutState } from '../../ui/states.tsx';
import { useWide } from '../../ui/wide.ts';
import './applicants.css';
import { chooseBusiness, useCurrentBusiness } from '../businesses/businesses.api.ts';
import { ApplicantList, applicantsOf } from './applicant-list.tsx';
import { ApplicantPanel } from './applicant-panel.tsx';
import { type Group, useBusinessApplicants } from './applications.api.ts';
import { useOpenApplicant } from './open-applicant.ts';

/** Everybody who applied over all jobs of the business. The path is open to anyone (spec §2): a guest learns what it is for. */
export default function AllJobApplicantsScreen() {
  const { t } = useLingui();
  const user = useUser();
  const current = useCurrentBusiness();
  if (!user?.emailVerified) {
    return (
      <Screen title={t`Applicants`} back="/tabs/menu/jobs">
        <SignedOutState title={t`Log in to see your applicants`} next="/all-job-applicants">
          {user ? (
            <Trans>Verify your email address first. The link is in your inbox.</Trans>
          ) : (
            <Trans>Only the team of a business sees who applied there.</Trans>
          )}
        </SignedOutState>
      </Screen>
    );
  }
  if (current.business) {
    return <Applicants business={current.business} all={current.all} />;
  }
  return (
    <Screen title={t`Applicants`} back="/tabs/menu/business">
      <QueryState
        query={current.query}
        loading={<RowsSkeleton />}
        errorTitle={t`We could not load your business`}
        describe={errorText}
        asOf={formatAgo}
      >
        {() => (
          <EmptyState
            title={t`No business yet`}
            actions={
              <ButtonLink kind="go" full to="/register-business">
                {t`Register a business`}
              </ButtonLink>
            }
          >
            <Trans>Register a business and post a job; who applies shows here.</Trans>
          </EmptyState>
        )}
      </QueryState>
    </Screen>
  );
}

function Applicants({ business, all }: { business: Business; all: readonly Business[] }) {
  const { t } = useLingui();
  const wide = useWide();
  const [group, setGroup] = useState<Group>('live');
  const query = useBusinessApplicants(business.id, group);
  const { openId, applicant, open } = useOpenApplicant(applicantsOf(query.data));
  return (
    <Screen
      title={t`Applicants`}
      heading={null}
      back="/tabs/menu/business"
      aside={<ApplicantPanel applicant={applicant} />}
      asideLabel={t`The applicant opened`}
    >
      <div className="applicants-head">
        <div className="row wrap">
          <h1 className="h-xl grow">{t`Applicants`}</h1>
          {all.length > 1 ? (
            <PickButton
              label={t`Business`}
              icon="storefront"
              value={business.id}
              options={all.map(({ id, name, area }) => ({ value: id, label: name, note: area }))}
              onChange={chooseBusiness}
            />
          ) : null}
        </div>
        <p className="mute mt1">
          {business.newApplicants > 0 ? (
            <Plural value={business.newApplicants} one="# not opened yet" other="# not opened yet" />
          ) : (
            t`All jobs of ${business.name}, newest first`
          )}
        </p>
        <Segmented
          label={t`Which applicants`}
          value={group}
          onChange={setGroup}
          options={[
            { value: 'live', label: t`Waiting` },
            { value: 'ended', label: t`Ended` },
          ]}
        />
      </div>
      <ApplicantList
        query={query}
        withJob
        openId={openId}
        onOpen={wide ? open : undefined}
        empty={
          group === 'ended' ? (
            <EmptyState title={t`Nothing has ended`}>
              <Trans>Withdrawn and closed applications come here.</Trans>
            </EmptyState>
          ) : (
            <EmptyState
              title={t`Nobody has applied yet`}
              actions={
                <ButtonLink kind="out" full to="/listed-job">
                  {t`See your jobs`}
                </ButtonLink>
              }
            >
              <Trans>Applications for any of your jobs come in here, newest first.</Trans>
            </EmptyState>
          )
        }
      />
    </Screen>
  );
}
