import { useLingui } from '@lingui/react/macro';
import { reportPath, reportsPath } from '@nearhand/contract/app-paths';
import { type ReportKind, reportKinds } from '@nearhand/contract/trust/reports.rules';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useBusinessProfile, useJob } from '../../hiring/jobs/jobs.api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { useUser } from '../../lib/session.ts';
import { formatDay, joined, ownTimeZone } from '../../lib/words/format.ts';
import { useStartPlace } from '../../people/places/places.api.ts';
import { useWorker } from '../../people/profiles/profiles.api.ts';
import { Card } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import type { ScreenQuery } from '../../ui/pages/bare-query-state.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, SignedOutState } from '../../ui/pages/states.tsx';
import { ReviewText } from '../reviews/review-text.tsx';
import { useKnownReview } from '../reviews/reviews.api.ts';
import { kindTitles } from './report.labels.ts';
import { ReportForm } from './report-form.tsx';

const isKind = (kind: string): kind is ReportKind => reportKinds.some((reportKind) => reportKind === kind);

export default function ReportScreen() {
  const { t, i18n } = useLingui();
  const user = useUser();
  const { kind = '', subjectid = '' } = useParams();
  if (!isKind(kind))
    return (
      <Screen title={t`Report`} heading={null}>
        <Gone />
      </Screen>
    );
  const title = i18n._(kindTitles[kind]);
  if (!user)
    return (
      <Screen title={title} heading={null}>
        <SignedOutState level="h1" title={title} next={reportPath(kind, subjectid)}>
          <p>{t`Log in to report it. We'll tell you what we decided.`}</p>
        </SignedOutState>
      </Screen>
    );
  const Subject = {
    job: JobSubject,
    business: BusinessSubject,
    worker: WorkerSubject,
    review: ReviewSubject,
  }[kind];
  return <Subject key={subjectid} subjectId={subjectid} title={title} />;
}

type SubjectProps = { subjectId: string; title: string };

function JobSubject({ subjectId, title }: SubjectProps) {
  const query = useJob(subjectId, useStartPlace());
  return <Report kind="job" {...{ subjectId, title }} query={query} name={query.data?.title} />;
}

function BusinessSubject({ subjectId, title }: SubjectProps) {
  const query = useBusinessProfile(subjectId);
  return <Report kind="business" {...{ subjectId, title }} query={query} name={query.data?.name} />;
}

function WorkerSubject({ subjectId, title }: SubjectProps) {
  const query = useWorker(subjectId);
  return <Report kind="worker" {...{ subjectId, title }} query={query} name={query.data?.name} />;
}

/** A review has no page: its text comes from the list that linked here. */
function ReviewSubject({ subjectId, title }: SubjectProps) {
  const [isSent, setSent] = useState(false);
  if (isSent) return <ReportSent />;
  return (
    <Screen title={title} width="narrow">
      <div className="col g4">
        <KnownReview reviewId={subjectId} />
        <ReportForm kind="review" subjectId={subjectId} onSent={() => setSent(true)} />
      </div>
    </Screen>
  );
}

function Report({
  kind,
  subjectId,
  title,
  query,
  name,
}: SubjectProps & {
  kind: ReportKind;
  query: ScreenQuery<object>;
  name: string | undefined;
}) {
  const { t } = useLingui();
  const [isSent, setSent] = useState(false);
  if (isSent) return <ReportSent />;
  if (isApiError(query.error, 'job/not-found', 'business/not-found', 'profile/not-found', 'request/invalid'))
    return (
      <Screen title={title} heading={null}>
        <Gone />
      </Screen>
    );
  return (
    <Screen title={title} width="narrow" lead={name ? <span dir="auto">{name}</span> : undefined}>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={4} />}
        errorTitle={t`We couldn't load what you want to report`}
        offlineNote={t`You can send it when you're back online.`}
      >
        {() => <ReportForm kind={kind} subjectId={subjectId} onSent={() => setSent(true)} />}
      </QueryState>
    </Screen>
  );
}

function ReportSent() {
  const { t } = useLingui();
  return (
    <Screen title={t`Thank you`} heading={null} width="narrow">
      <div className="center-page">
        <EmptyState
          level="h1"
          art="door"
          title={t`Thank you for reporting it`}
          actions={
            <ButtonLink kind="out" full to={reportsPath}>
              {t`View your reports`}
            </ButtonLink>
          }
        >
          <p>{t`A person reviews it, usually within three days. We'll tell you what we decided.`}</p>
        </EmptyState>
      </div>
    </Screen>
  );
}

function Gone() {
  const { t } = useLingui();
  return (
    <EmptyState
      level="h1"
      art="door"
      title={t`There's nothing to report here`}
      actions={
        <ButtonLink kind="out" full to="/tabs/menu/contact">
          {t`Contact us`}
        </ButtonLink>
      }
    >
      <p>{t`It was removed, or the link is incomplete. You can write to us instead.`}</p>
    </EmptyState>
  );
}

/** A published review from a list on this device; reviews have no page to load. */
function KnownReview({ reviewId }: { reviewId: string }) {
  const review = useKnownReview(reviewId);
  if (!review) return null;
  const { author, jobTitle, publishedAt, stars, body } = review;
  return (
    <Card roomy>
      <ReviewText
        level="h2"
        name={author}
        about={joined(jobTitle, formatDay(publishedAt, ownTimeZone()))}
        stars={stars}
        body={body}
      />
    </Card>
  );
}
