import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { giveawayPath } from '@nearhand/contract/app-paths';
import { dayIn, minuteMs } from '@nearhand/contract/durations';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { workLimits } from '@nearhand/contract/work/limits';
import {
  canBeReplaced,
  canHideSpot,
  longestHidingMs,
  replacementStart,
  statusesWithoutWorker,
} from '@nearhand/contract/work/replacements.rules';
import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatMinutes, formatTime, withZone } from '../../lib/words/format.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { timeText } from '../engagements/engagement.labels.ts';

/** Derived from the client, since `work` comes before `hiring`, which owns the searches. */
export type Replacement = Awaited<ReturnType<typeof api.replacements.list>>['items'][number];

/** The searches for replacements of a business and the shifts given away. For its recruiters. */
export const useReplacements = (businessId: string, enabled = true) =>
  useQuery(apiQuery.replacements.list.queryOptions({ input: { businessId }, enabled, ...neverPersist }));

const searchMove = {
  // Pending until the list includes the new search; otherwise its button would be offered again.
  onSettled: () => {
    refetchChanged(['engagement', 'job']);
    return queryClient.invalidateQueries(
      { queryKey: apiQuery.replacements.list.key() },
      { cancelRefetch: false },
    );
  },
};

export const useFindReplacement = () => useMutation(apiQuery.replacements.find.mutationOptions(searchMove));

/** The search that hides a paused job from others while it asks people, and the time when everyone sees the job. */
export function useHiddenSearch(
  job: { id: string; status: string; business: { id: string } } | undefined,
): { search: Replacement; publicTime: string } | null {
  const now = useNow();
  const { data } = useReplacements(job?.business.id ?? '', job?.status === 'paused');
  const search = data?.items.find(({ jobId, state }) => jobId === job?.id && state === 'looking');
  if (job?.status !== 'paused' || !search?.publicAt) return null;
  return { search, publicTime: publicTimeText(search.publicAt, search.timeZone, now) };
}

function publicTimeText(publicAt: string, timeZone: string, now: Date): string {
  const isToday = dayIn(timeZone, publicAt) === dayIn(timeZone, now);
  return isToday
    ? withZone(formatTime(publicAt, timeZone), publicAt, timeZone)
    : timeText(publicAt, timeZone, now);
}

/** The state of a search, in the same words on every screen. */
export function replacementText(
  { state, giveawayId, publicAt, timeZone, invitedCount, answerCount }: Replacement,
  now = new Date(),
): { text: string; tone: Tone } {
  switch (state) {
    case 'found':
      return { text: t`Replacement found`, tone: 'good' };
    case 'in_review':
      return { text: t`In review before we ask anyone`, tone: 'wait' };
    case 'to_approve':
      return { text: t`Replacement to approve`, tone: 'wait' };
    case 'ended':
      return { text: t`No replacement found`, tone: 'bad' };
    case 'looking': {
      if (giveawayId !== null) return { text: t`Looking for a replacement`, tone: 'wait' };
      const invited = invitedCount ?? 0;
      const answers = answerCount ?? 0;
      const publicTime = publicAt && publicTimeText(publicAt, timeZone, now);
      const publicText = invited
        ? t`Looking: ${invited} asked, ${answers} answered, open to everyone`
        : t`Looking: open to everyone`;
      return {
        text: publicTime
          ? t`Looking: ${invited} asked, ${answers} answered, public from ${publicTime}`
          : publicText,
        tone: 'wait',
      };
    }
  }
}

/** The help of everything that begins a search for a shift that has started. */
export const restText = () =>
  t`We post the rest of the shift, and ask your pools first, then people who worked for you, then everyone.`;

const instantOf = (text: string | null) => (text === null ? null : new Date(text));

/** True while the server would begin a search for this shift. */
export const isReplaceable = ({ terms }: Pick<EngagementCard, 'terms'>, now: Date): boolean =>
  canBeReplaced(instantOf(terms.startsAt), instantOf(terms.endsAt), now);

/** The search for someone to work a shift instead, the button that begins it, or where else to find someone. */
export function ReplacementCard({ work }: { work: EngagementCard }) {
  const { t } = useLingui();
  const now = useNow();
  const query = useReplacements(work.business.id);
  // The report of a no-show may have begun the search, which the list doesn't have yet.
  const isBeginning = useIsMutating({ mutationKey: apiQuery.replacements.find.mutationKey() }) > 0;
  const search = query.data?.items.find(({ engagementId }) => engagementId === work.id);
  const isOver = work.terms.endsAt !== null && new Date(work.terms.endsAt) <= now;
  const needsWorker = statusesWithoutWorker.includes(work.status) && !isOver;
  if (!search && !needsWorker) return null;
  // A business that cancelled the work itself replaces nobody, but may want someone else.
  const title = work.status === 'cancelled_by_merchant' ? t`Someone else for this shift` : t`Replacement`;
  return (
    <Card as="section" label={title}>
      <h3 className="h-s">{title}</h3>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={1} />}
        errorTitle={t`We couldn't load the replacement`}
        ageShownAbove
      >
        {({ publicAfterMinutes }) =>
          isBeginning ? (
            <RowsSkeleton count={1} />
          ) : (
            <>
              {search ? <SearchState search={search} now={now} /> : null}
              {!needsWorker || (search && search.state !== 'ended') ? null : isReplaceable(work, now) ? (
                <BeginSearch work={work} publicAfterMinutes={publicAfterMinutes} now={now} />
              ) : (
                <div className="row wrap g2 mt2">
                  <ButtonLink kind="ink" size="s" to={`/job-applicants/${work.jobId}`}>
                    {t`See applicants`}
                  </ButtonLink>
                  <ButtonLink kind="out" size="s" to="/saved-workers">
                    {t`Saved workers`}
                  </ButtonLink>
                </div>
              )}
            </>
          )
        }
      </QueryState>
    </Card>
  );
}

function SearchState({ search, now }: { search: Replacement; now: Date }) {
  const { t } = useLingui();
  const action = useAction();
  const reopen = useMutation(apiQuery.jobs.reopen.mutationOptions(searchMove));
  const { text, tone } = replacementText(search, now);
  const { jobId } = search;
  const isLooking = search.state === 'looking';
  return (
    <div className="col g3 mt2">
      <p>
        <Badge tone={tone}>{text}</Badge>
      </p>
      <Refused text={action.refusal} />
      {search.giveawayId ? (
        <div className="row wrap g2">
          <ButtonLink kind="out" size="s" to={giveawayPath(search.giveawayId)}>
            {t`See the shift`}
          </ButtonLink>
        </div>
      ) : search.state === 'in_review' ? (
        <p className="mute">{t`We check the posted shift first, and then ask your pools.`}</p>
      ) : (
        <>
          {isLooking && search.invitedCount === 0 && search.publicAt === null ? (
            <p className="mute">{t`There’s nobody on your waitlist, in your pools or from earlier shifts to ask. The job is open to everyone.`}</p>
          ) : null}
          <div className="row wrap g2">
            <ButtonLink kind={search.answerCount ? 'ink' : 'out'} size="s" to={`/job-applicants/${jobId}`}>
              {t`See applicants`}
            </ButtonLink>
            {isLooking ? (
              <>
                <ButtonLink kind="out" size="s" to={`/find-workers?job=${jobId}`}>
                  {t`Find workers`}
                </ButtonLink>
                {search.publicAt ? (
                  <Button
                    kind="out"
                    size="s"
                    needsNetwork
                    busy={action.busy}
                    onClick={() => void action.run(() => reopen.mutateAsync({ jobId }))}
                  >
                    {t`Show it to everyone now`}
                  </Button>
                ) : null}
                <ButtonLink kind="out" size="s" to={`/edit-job/${jobId}`}>
                  {t`Raise pay or edit the job`}
                </ButtonLink>
              </>
            ) : null}
          </div>
        </>
      )}
    </div>
  );
}

const afterText = (time: string) => t`After ${time}`;

const publicAfterChoices = [0, 30, 60, 120, 240, 720, 1_440, 2_880, 4_320];

function BeginSearch({
  work,
  publicAfterMinutes,
  now,
}: {
  work: EngagementCard;
  publicAfterMinutes: number;
  now: Date;
}) {
  const { t } = useLingui();
  const find = useFindReplacement();
  const action = useAction();
  const [minutes, setMinutes] = useState(publicAfterMinutes);
  const startsAt = instantOf(work.terms.startsAt) ?? now;
  const hasStarted = startsAt <= now;
  const job = useQuery(
    apiQuery.jobs.get.queryOptions({ input: { jobId: work.jobId }, enabled: !hasStarted, ...neverPersist }),
  );
  // The rest of a started shift is a job of its own, with one spot.
  const mayHide = hasStarted || (job.data !== undefined && canHideSpot(job.data));
  const restAt = formatTime(replacementStart(startsAt, now), work.terms.timeZone);
  const longestMinutes = Math.floor(longestHidingMs(replacementStart(startsAt, now), now) / minuteMs);
  const choices = [
    ...publicAfterChoices,
    publicAfterMinutes,
    Math.min(longestMinutes, workLimits.publicAfterMinutesMax),
  ]
    .filter((choice, at, all) => choice <= longestMinutes && all.indexOf(choice) === at)
    .sort((a, b) => a - b);
  return (
    <div className="col g3 mt2">
      <p className="mute">
        {hasStarted
          ? restText()
          : t`We ask your waitlist and pools first, then people who worked for you, then everyone.`}
      </p>
      {mayHide ? (
        <Select
          label={t`Show it to everyone`}
          help={
            hasStarted
              ? t`At most half of the time until the posted rest starts, at ${restAt}.`
              : t`At most half of the time until the start.`
          }
          value={String(Math.min(minutes, longestMinutes))}
          options={choices.map((choice) => ({
            value: String(choice),
            label: choice === 0 ? t`At once` : afterText(formatMinutes(choice)),
          }))}
          onChange={(event) => setMinutes(Number(event.target.value))}
        />
      ) : null}
      <Refused text={action.refusal} />
      <Button
        kind="go"
        full
        needsNetwork
        busy={action.busy}
        onClick={() =>
          void action
            .run(() => find.mutateAsync({ engagementId: work.id, publicAfterMinutes: minutes }))
            .then((succeeded) => (succeeded ? showToast(t`We’re looking for a replacement`) : undefined))
        }
      >
        {work.status === 'cancelled_by_merchant' ? t`Find someone else` : t`Find a replacement`}
      </Button>
    </div>
  );
}
