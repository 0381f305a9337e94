import { useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/applications';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { useUser } from '../../lib/session.ts';
import { ButtonLink, IconLink } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { PullRefresh } from '../../ui/pull-refresh.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { JobListSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState, SignedOutState } from '../../ui/states.tsx';
import { useWide } from '../../ui/wide.ts';
import { useUnreadCount } from '../notifications/notifications.api.ts';
import { ApplicationCard, WaitingCard } from './application-card.tsx';
import { ApplicationActions, ApplicationBody, ApplicationHero } from './application-detail.tsx';
import { unqueueApplication, useWaiting } from './application-outbox.ts';
import { type Group, useMyApplication, useMyApplications } from './applications.api.ts';
import './applications.css';

const path = '/tabs/menu/my-work';

/** The worker's own applications and where each stands. Booked work joins them when there is some. */
export default function MyWorkScreen() {
  const { t } = useLingui();
  const user = useUser();
  const wide = useWide();
  const [group, setGroup] = useState<Group>('live');
  const query = useMyApplications(group);
  const [chosen, setChosen] = useState<string | null>(null);
  const items = (query.data?.pages.flatMap((page) => page.items) ?? []) as MyApplication[];
  const selected = wide ? (items.find(({ id }) => id === chosen)?.id ?? items[0]?.id ?? null) : null;
  const unread = useUnreadCount();
  const verified = user?.emailVerified === true;
  return (
    <Screen
      title={t`My work`}
      heading={user ? undefined : null}
      back="menu"
      actions={
        user ? (
          <IconLink
            icon="bell"
            label={unread > 0 ? t`Notifications, ${unread} unread` : t`Notifications`}
            to="/notifications"
            dot={unread > 0}
          />
        ) : undefined
      }
      aside={verified && selected ? <Detail applicationId={selected} /> : undefined}
      asideLabel={t`Application`}
    >
      {verified ? (
        <>
          <PullRefresh onRefresh={() => query.refetch()} />
          <Outbox />
          <Segmented
            label={t`Applications`}
            value={group}
            onChange={setGroup}
            options={[
              { value: 'live', label: t`Running` },
              { value: 'ended', label: t`Ended` },
            ]}
          />
          <div className="mt5">
            <QueryState
              key={group}
              query={query}
              loading={<JobListSkeleton count={3} />}
              errorTitle={t`We could not load your applications`}
              describe={errorText}
              asOf={formatAgo}
              offlineNote={t`Changes wait for a connection.`}
              isEmpty={(data) => data.pages[0]?.items.length === 0}
              empty={<Nothing group={group} />}
            >
              {() => (
                <>
                  <h2 className="vh">{group === 'live' ? t`Running applications` : t`Ended applications`}</h2>
                  <div className="col">
                    {items.map((application) => (
                      <ApplicationCard
                        key={application.id}
                        application={application}
                        selected={application.id === selected}
                        onSelect={wide ? () => setChosen(application.id) : null}
                      />
                    ))}
                  </div>
                  <LoadMore
                    more={query.hasNextPage}
                    loading={query.isFetchingNextPage}
                    failed={query.isFetchNextPageError}
                    onMore={() => void query.fetchNextPage()}
                  />
                </>
              )}
            </QueryState>
          </div>
        </>
      ) : user ? (
        <EmptyState
          art="door"
          title={t`Verify your email first`}
          actions={
            <ButtonLink kind="go" full to="/tabs/menu/account">
              {t`Go to your account`}
            </ButtonLink>
          }
        >
          <p>{t`Then you can apply, and find every application here with where it stands.`}</p>
        </EmptyState>
      ) : (
        <SignedOutState level="h1" title={t`Your work, in one place`} next={path}>
          <p>{t`Every application with where it stands and until when they answer.`}</p>
        </SignedOutState>
      )}
    </Screen>
  );
}

function Outbox() {
  const { t } = useLingui();
  const entries = useWaiting();
  if (entries.length === 0) return null;
  return (
    <section className="outbox">
      <h2 className="h-s">{t`Not sent yet`}</h2>
      <div className="col mt3">
        {entries.map((entry) => (
          <WaitingCard key={entry.jobId} entry={entry} onDrop={() => unqueueApplication(entry.jobId)} />
        ))}
      </div>
    </section>
  );
}

function Nothing({ group }: { group: Group }) {
  const { t } = useLingui();
  if (group === 'ended')
    return (
      <EmptyState title={t`Nothing has ended`}>
        <p>{t`Applications that were answered, taken back or closed are kept here.`}</p>
      </EmptyState>
    );
  return (
    <EmptyState
      title={t`No application is running`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/explore">
          {t`Find work nearby`}
        </ButtonLink>
      }
    >
      <p>{t`Apply for a job and follow it here. They have until a set day to answer, and you always hear how it ends.`}</p>
    </EmptyState>
  );
}

/** Beside the list on a desktop. */
function Detail({ applicationId }: { applicationId: string }) {
  const query = useMyApplication(applicationId);
  const application = query.data;
  if (!application) return null;
  return (
    <div className="aside-detail" key={application.id}>
      <div className="pinecard flat">
        <ApplicationHero application={application} level="h2" />
      </div>
      <ApplicationBody application={application} />
      <div className="row g3 wrap">
        <ApplicationActions application={application} />
      </div>
    </div>
  );
}
