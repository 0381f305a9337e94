import { useLingui } from '@lingui/react/macro';
import { interviewPath } from '@nearhand/contract/app-paths';
import { dayIn } from '@nearhand/contract/durations';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import { useState } from 'react';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { decideBy } from '../../lib/words/decide-by.ts';
import { dotted } from '../../lib/words/format.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { NoBusiness } from '../../people/businesses/no-business.tsx';
import { NotForRole } from '../../people/businesses/not-for-role.tsx';
import { mayOpen } from '../../people/businesses/role-screens.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { applicantsOf, reloadApplicants, useApplicants } from '../applicants/applicants.api.ts';
import { interviewPartnerName, isAsked, isLiveInterview } from './interview.labels.ts';
import { InterviewRow } from './interview-row.tsx';
import { flattenInterviews, useInterviews } from './interviews.api.ts';
import { OutcomeForm } from './outcome-form.tsx';
import { ProposeInterview } from './propose-interview.tsx';
import './interviews.css';

/** The interviews of the current business, and the people to propose one to. */
function useToInterview() {
  const now = useNow();
  const { business, query: businesses } = useCurrentBusiness();
  const isRefused = business != null && !mayOpen(business, '/to-interview');
  const owner = business && !isRefused ? { businessId: business.id } : null;
  const toAnswer = useInterviews(owner, 'to_answer');
  const upcoming = useInterviews(owner, 'upcoming');
  const shortlisted = useApplicants(owner, { stage: 'shortlisted', sort: 'match' });
  const interviewing = useApplicants(owner, { stage: 'interviewing', sort: 'match' });
  const waiting = flattenInterviews(toAnswer.data);
  const arranged = flattenInterviews(upcoming.data);
  const today = arranged.filter((interview) => isToday(interview, now));
  const later = arranged.filter((interview) => !isToday(interview, now));
  const peopleQueries = [shortlisted, interviewing];
  const people = [...applicantsOf(shortlisted.data), ...applicantsOf(interviewing.data)].filter(
    ({ interview }) => interview === null || !isLiveInterview(interview.status),
  );
  const isNothingAhead =
    waiting.length + arranged.length + people.length === 0 &&
    !peopleQueries.some(({ hasNextPage }) => hasNextPage);
  const queries = [toAnswer, upcoming, ...peopleQueries];
  const failed = queries.find(({ data, error }) => data === undefined && error !== null);
  const missing = queries.find(({ data }) => data === undefined);
  const query = business ? (failed ?? missing ?? toAnswer) : { ...businesses, data: undefined };
  const refetch = () => Promise.all(queries.map((query) => query.refetch()));
  return {
    now,
    business,
    isRefused,
    toAnswer,
    upcoming,
    peopleQueries,
    waiting,
    today,
    later,
    people,
    isNothingAhead,
    query,
    refetch,
  };
}

/** A business's interviews of today and later, and the shortlisted and interviewed people without a planned one. */
export default function ToInterviewScreen() {
  const { t } = useLingui();
  const lists = useToInterview();
  const { now, business, toAnswer, upcoming, waiting } = lists;
  const [proposing, setProposing] = useState<Applicant | null>(null);
  const [finished, setFinished] = useState<Interview | null>(null);
  if (business === null)
    return (
      <Screen title={t`Your interviews`}>
        <NoBusiness title={t`No business yet`}>
          <p>{t`Register a business to propose times to applicants.`}</p>
        </NoBusiness>
      </Screen>
    );
  if (business && lists.isRefused)
    return <NotForRole business={business} screen="/to-interview" title={t`Your interviews`} />;
  return (
    <Screen
      title={t`Your interviews`}
      back="/tabs/menu/business"
      inMenu
      width="wide"
      onRefresh={lists.refetch}
      actions={
        <ButtonLink kind="out" size="s" icon="calendar-blank" to="/interview">
          {t`All interviews`}
        </ButtonLink>
      }
    >
      <div className="interview-pick">
        <BusinessPick single={(name) => name} />
      </div>
      <QueryState
        query={lists.query as typeof toAnswer}
        loading={<RowsSkeleton count={5} />}
        errorTitle={t`We couldn't load your interviews`}
        offlineNote={t`You can make changes when you're back online.`}
        isEmpty={() => lists.isNothingAhead}
        empty={
          <EmptyState
            title={t`No one to interview yet`}
            actions={
              <ButtonLink kind="go" full to="/all-job-applicants">
                {t`See your applicants`}
              </ButtonLink>
            }
          >
            <p>{t`Shortlist someone first. Then you can propose times here.`}</p>
          </EmptyState>
        }
      >
        {() => (
          <div className="interview-lists">
            <InterviewList title={t`Today`} interviews={lists.today} />
            <InterviewsToAnswer query={toAnswer} now={now} onOutcome={setFinished} />
            <InterviewList title={t`Upcoming`} interviews={lists.later} withDay />
            <LoadMore query={upcoming} />
            <ReadyToInvite
              people={lists.people}
              queries={lists.peopleQueries}
              now={now}
              onPropose={setProposing}
            />
          </div>
        )}
      </QueryState>
      <ToInterviewSheets
        proposing={proposing}
        finished={finished && (waiting.find(({ id }) => id === finished.id) ?? finished)}
        onClose={() => {
          setProposing(null);
          setFinished(null);
        }}
      />
    </Screen>
  );
}

function ToInterviewSheets({
  proposing,
  finished,
  onClose,
}: {
  proposing: Applicant | null;
  finished: Interview | null;
  onClose: () => void;
}) {
  const { t } = useLingui();
  return (
    <>
      <Sheet
        open={proposing !== null}
        onClose={onClose}
        title={t`Propose an interview to ${proposing?.worker.name || t`this person`}`}
      >
        {proposing ? (
          <ProposeInterview
            applicationId={proposing.id}
            onClose={onClose}
            onDone={() => {
              onClose();
              reloadApplicants();
              showToast(t`Times sent`);
            }}
          />
        ) : null}
      </Sheet>
      <Sheet
        open={finished !== null}
        onClose={onClose}
        title={t`Interview with ${finished ? interviewPartnerName(finished) : ''}`}
      >
        {finished ? (
          <OutcomeForm
            interview={finished}
            onDone={() => {
              onClose();
              showToast(t`Saved`);
            }}
          />
        ) : null}
      </Sheet>
    </>
  );
}

type AttentionProps = {
  query: ReturnType<typeof useInterviews>;
  now: Date;
  onOutcome: (interview: Interview) => void;
};

/** Interviews that wait for this business: for a reply, or for their outcome. */
function InterviewsToAnswer({ query, now, onOutcome }: AttentionProps) {
  const { t } = useLingui();
  const waiting = flattenInterviews(query.data);
  if (waiting.length === 0) return null;
  return (
    <section>
      <h2 className="h-m">{t`Needs your attention`}</h2>
      {waiting.map((interview) => (
        <InterviewRow
          key={interview.id}
          interview={interview}
          now={now}
          withDay
          end={
            interview.actions.includes('complete') ? (
              <Button kind="ink" size="s" needsNetwork onClick={() => onOutcome(interview)}>
                {t`Outcome`}
              </Button>
            ) : isAsked(interview) ? (
              <ButtonLink kind="ink" size="s" to={interviewPath(interview.id)}>
                {t`Reply`}
                <span className="vh">: {interviewPartnerName(interview)}</span>
              </ButtonLink>
            ) : undefined
          }
        />
      ))}
      <LoadMore query={query} />
    </section>
  );
}

type ReadyProps = {
  people: readonly Applicant[];
  queries: readonly ReturnType<typeof useApplicants>[];
  now: Date;
  onPropose: (applicant: Applicant) => void;
};

function ReadyToInvite({ people, queries, now, onPropose }: ReadyProps) {
  const { t } = useLingui();
  const more = queries.find(({ hasNextPage }) => hasNextPage);
  if (people.length === 0 && !more) return null;
  return (
    <section>
      <h2 className="h-m">{t`Ready to invite`}</h2>
      <p className="sm mute">{t`No interview is planned with them.`}</p>
      {people.map((applicant) => (
        <ToAsk key={applicant.id} applicant={applicant} now={now} onPropose={() => onPropose(applicant)} />
      ))}
      {more ? <LoadMore query={more} /> : null}
    </section>
  );
}

const isToday = ({ startsAt, status, zones }: Interview, now: Date): boolean =>
  startsAt !== null &&
  status === 'scheduled' &&
  dayIn(zones.business, startsAt) === dayIn(zones.business, now);

type ArrangedProps = { title: string; interviews: readonly Interview[]; withDay?: boolean };

function InterviewList({ title, interviews, withDay = false }: ArrangedProps) {
  const now = useNow();
  if (interviews.length === 0) return null;
  return (
    <section>
      <h2 className="h-m">{title}</h2>
      {interviews.map((interview) => (
        <InterviewRow key={interview.id} interview={interview} now={now} withDay={withDay} />
      ))}
    </section>
  );
}

type ToAskProps = { applicant: Applicant; now: Date; onPropose: () => void };

function ToAsk({ applicant, now, onPropose }: ToAskProps) {
  const { t } = useLingui();
  const { worker } = applicant;
  const name = worker.name || t`Someone`;
  const clock = decideBy(applicant, applicant.timeZone, now);
  return (
    <article className="interview-row plain">
      <Avatar name={name} src={fileUrl(worker.photoPath)} />
      <div className="grow">
        <h3 className="mid">{name}</h3>
        <p className="sm mute">{dotted(applicant.jobTitle, clock && t`Decide by ${clock.by}`)}</p>
      </div>
      {applicant.actions.includes('propose-interview') ? (
        <Button kind="out" size="s" icon="calendar-check" needsNetwork onClick={onPropose}>
          {t`Propose times`}
        </Button>
      ) : null}
    </article>
  );
}
