import { useIonViewWillEnter } from '@ionic/react';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/businesses';
import type { EngagementCard } from '@nearhand/contract/engagements';
import { useState } from 'react';
import { isApiError } from '../../lib/api-error.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Chip, Chips } from '../../ui/chip.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useWide } from '../../ui/wide.ts';
import '../../ui/desk.css';
import { BusinessPick } from '../businesses/business-pick.part.tsx';
import { useCurrentBusiness } from '../businesses/businesses.api.ts';
import {
  type BusinessGroup,
  engagementsOf,
  useBusinessEngagements,
  useEngagement,
} from './engagements.api.ts';
import { useMerchantActs } from './merchant-acts.tsx';
import { MerchantDetail } from './merchant-detail.tsx';
import type { JobGroup } from './merchant-groups.rules.ts';
import { ShiftList } from './merchant-shift-list.tsx';
import { SiteCode } from './merchant-site-code.tsx';
import { businessGroups, groupWords } from './merchant-words.ts';
import { useFirstOpened } from './use-first-opened.ts';

function askedGroup(): BusinessGroup | null {
  const asked = new URLSearchParams(globalThis.location?.search).get('group');
  return businessGroups.find((group) => group === asked) ?? null;
}

/** Who is due, late and here, what waits for approval, what is not settled and what ended. */
export default function MerchantOngoingJobsScreen() {
  const { t } = useLingui();
  const wide = useWide();
  const { query, business } = useCurrentBusiness();
  const [open, setOpen] = useState<EngagementCard | null>(null);
  return (
    <Screen
      title={t`On shift`}
      heading={null}
      back="/tabs/menu/business"
      width="wide"
      aside={business ? <Beside open={open} /> : undefined}
      asideLabel={t`The work opened`}
    >
      <div className="desk-head">
        <h1 className="h-xl grow">{t`On shift`}</h1>
        <BusinessPick />
      </div>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We could not load your business`}
        describe={errorText}
        asOf={formatAgo}
      >
        {() =>
          business ? (
            <OnShift
              key={business.id}
              business={business}
              open={wide ? open : null}
              onOpen={wide ? setOpen : null}
            />
          ) : (
            <EmptyState
              title={t`No business yet`}
              actions={
                <ButtonLink kind="go" full to="/register-business">
                  {t`Register a business`}
                </ButtonLink>
              }
            >
              <Trans>Whom you hire shows here on the day of the work.</Trans>
            </EmptyState>
          )
        }
      </QueryState>
    </Screen>
  );
}

type OnShiftProps = {
  business: Business;
  open: EngagementCard | null;
  onOpen: ((work: EngagementCard) => void) | null;
};

function OnShift({ business, open, onOpen }: OnShiftProps) {
  const { t } = useLingui();
  const now = useNow();
  const [chosen, setChosen] = useState<BusinessGroup | null>(askedGroup);
  useIonViewWillEnter(() => {
    const asked = askedGroup();
    if (asked) setChosen(asked);
  });
  const [code, setCode] = useState<JobGroup | null>(null);
  const { ask, sheets } = useMerchantActs();
  // Counts come with every page; the first answer also tells which group to begin with.
  const first = useBusinessEngagements(business.id, { group: 'here' });
  const counts = first.data?.pages[0]?.counts;
  const group = chosen ?? (counts ? (businessGroups.find((one) => counts[one] > 0) ?? 'here') : 'here');
  const query = useBusinessEngagements(business.id, { group });
  const shownCounts = query.data?.pages[0]?.counts ?? counts;
  useFirstOpened(engagementsOf(query.data), open?.id ?? null, onOpen);
  const words = groupWords(group);
  const total = shownCounts ? Object.values(shownCounts).reduce((sum, count) => sum + count, 0) : null;
  if (isApiError(query.error, 'business/not-allowed')) {
    return (
      <EmptyState title={t`Not part of your role`} art="door">
        <Trans>Your role in this business does not include the people who work for it. Ask an owner.</Trans>
      </EmptyState>
    );
  }
  return (
    <>
      {total === 0 ? null : (
        <div className="shift-filters">
          <Chips label={t`Where it stands`} wrap={onOpen !== null}>
            {businessGroups.map((one) => (
              <Chip key={one} pressed={one === group} onClick={() => setChosen(one)}>
                {groupWords(one).label} {shownCounts?.[one] ?? ''}
              </Chip>
            ))}
          </Chips>
        </div>
      )}
      {total === 0 ? null : <p className="sm mute">{words.meaning}</p>}
      <div className="mt4">
        <QueryState
          query={query}
          loading={<RowsSkeleton />}
          errorTitle={t`We could not load who is on shift`}
          describe={errorText}
          asOf={formatAgo}
          isEmpty={(data) => engagementsOf(data).length === 0}
          empty={<Nothing text={words.nothing} ever={total !== 0} />}
        >
          {(data) => (
            <>
              <ShiftList
                work={engagementsOf(data)}
                now={now}
                openId={open?.id ?? null}
                onOpen={onOpen}
                onAct={ask}
                onCode={setCode}
              />
              <LoadMore query={query} />
            </>
          )}
        </QueryState>
      </div>
      <SiteCode
        businessId={business.id}
        jobId={code?.jobId ?? null}
        title={code?.title ?? ''}
        onClose={() => setCode(null)}
      />
      {sheets}
    </>
  );
}

function Nothing({ text, ever }: { text: string; ever: boolean }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={ever ? text : t`Nobody is hired yet`}
      actions={
        ever ? null : (
          <ButtonLink kind="out" full to="/all-job-applicants">
            {t`See your applicants`}
          </ButtonLink>
        )
      }
    >
      {ever ? (
        <Trans>Choose another state above to see the rest.</Trans>
      ) : (
        <Trans>
          When somebody accepts your offer, you see here when they are due, whether they came, and their
          hours.
        </Trans>
      )}
    </EmptyState>
  );
}

/** The one opened, beside the list. */
function Beside({ open }: { open: EngagementCard | null }) {
  const { t } = useLingui();
  const query = useEngagement(open?.id, 'business');
  if (!open) {
    return (
      <div className="merchant-aside">
        <EmptyState title={t`Nothing opened`}>
          <Trans>Choose somebody on the left to see their hours and what you can do.</Trans>
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="merchant-aside">
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We could not load this work`}
        describe={errorText}
        asOf={formatAgo}
      >
        {(work) => <MerchantDetail key={work.id} work={work} level="h2" />}
      </QueryState>
    </div>
  );
}
