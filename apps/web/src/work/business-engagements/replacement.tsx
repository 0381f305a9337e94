import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { handOnPath } from '@nearhand/contract/app-paths';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { dayIn, formatMinutes, formatTime, withZone } from '../../lib/words/format.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { stamp } from '../engagements/engagement.labels.ts';

/** Derived from the client, since `work` comes before `hiring`, which owns the searches. */
export type Replacement = Awaited<ReturnType<typeof api.replacements.list>>['items'][number];

/** The searches for replacements of a business and the shifts handed on. For its recruiters. */
export const useReplacements = (businessId: string, enabled = true) =>
  useQuery({
    ...apiQuery.replacements.list.queryOptions({ input: { businessId }, enabled, ...neverPersist }),
  });

export const useFindReplacement = () =>
  useMutation(
    apiQuery.replacements.find.mutationOptions({
      onSettled: () => refetchChanged(['engagement', 'job']),
    }),
  );

/** The state of a search, in the same words on every screen. */
export function replacementText(
  { state, handOnId, publicAt, timeZone, ...people }: Replacement,
  now = new Date(),
): { text: string; tone: Tone } {
  switch (state) {
    case 'found':
      return { text: t`Replacement found`, tone: 'good' };
    case 'to_approve':
      return { text: t`Replacement to approve`, tone: 'wait' };
    case 'ended':
      return { text: t`No replacement found`, tone: 'bad' };
    case 'looking': {
      if (handOnId !== null) return { text: t`Looking for a replacement`, tone: 'wait' };
      const invited = people.asked ?? 0;
      const answers = people.answered ?? 0;
      const isToday = publicAt !== null && dayIn(publicAt, timeZone) === dayIn(now, timeZone);
      const by =
        publicAt &&
        (isToday
          ? withZone(formatTime(publicAt, timeZone), publicAt, timeZone)
          : stamp(publicAt, timeZone, now));
      const open = invited
        ? t`Looking: ${invited} asked, ${answers} answered, open to everyone`
        : t`Looking: open to everyone`;
      return {
        text: by ? t`Looking: ${invited} asked, ${answers} answered, public from ${by}` : open,
        tone: 'wait',
      };
    }
  }
}

/** The statuses of a booking that left its spot without a worker. */
const withoutWorker: readonly EngagementCard['status'][] = [
  'cancelled_by_worker',
  'cancelled_by_merchant',
  'no_show_reported',
  'contested',
];

/** True while someone else could still come to a shift: the server posts its rest from an hour on. */
export function canBeReplaced({ terms }: Pick<EngagementCard, 'terms'>, now: Date): boolean {
  const tooShortMs = 90 * 60_000;
  return (
    terms.startsAt !== null &&
    terms.endsAt !== null &&
    (Date.parse(terms.startsAt) > now.getTime() || Date.parse(terms.endsAt) - now.getTime() > tooShortMs)
  );
}

/** The search for someone to work a shift instead, or the button that begins it. */
export function ReplacementCard({ work }: { work: EngagementCard }) {
  const { t } = useLingui();
  const now = useNow();
  const query = useReplacements(work.business.id);
  const search = query.data?.items.find(({ engagementId }) => engagementId === work.id);
  const mayBegin = withoutWorker.includes(work.status) && canBeReplaced(work, now);
  const isOver = search === undefined || search.state === 'ended';
  if (!query.data || (search === undefined && !mayBegin)) return null;
  return (
    <Card as="section" label={t`Replacement`}>
      <h3 className="h-s">{t`Replacement`}</h3>
      {search ? <SearchState search={search} now={now} /> : null}
      {isOver && mayBegin ? (
        <BeginSearch work={work} publicAfterMinutes={query.data.publicAfterMinutes} now={now} />
      ) : null}
    </Card>
  );
}

function SearchState({ search, now }: { search: Replacement; now: Date }) {
  const { t } = useLingui();
  const move = useMove();
  const reopen = useMutation(
    apiQuery.jobs.reopen.mutationOptions({ onSettled: () => refetchChanged(['engagement', 'job']) }),
  );
  const { text, tone } = replacementText(search, now);
  const { jobId } = search;
  const isLooking = search.state === 'looking';
  return (
    <div className="col g3 mt2">
      <p>
        <Badge tone={tone}>{text}</Badge>
      </p>
      <Refused text={move.refusal} />
      {search.handOnId ? (
        <div className="row wrap g2">
          <ButtonLink kind="out" size="s" to={handOnPath(search.handOnId)}>
            {t`See the shift`}
          </ButtonLink>
        </div>
      ) : (
        <>
          {isLooking && search.asked === 0 ? (
            <p className="mute">{t`Nobody on your waitlist, in your pools or from earlier shifts can come.`}</p>
          ) : null}
          <div className="row wrap g2">
            <ButtonLink kind={search.answered ? 'ink' : 'out'} size="s" to={`/job-applicants/${jobId}`}>
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
                    busy={move.busy}
                    onClick={() => void move.run(() => reopen.mutateAsync({ jobId }))}
                  >
                    {t`Show it to everyone now`}
                  </Button>
                ) : null}
                <ButtonLink kind="out" size="s" to={`/edit-job/${jobId}`}>
                  {t`Raise pay or hire instantly`}
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
  const move = useMove();
  const [minutes, setMinutes] = useState(publicAfterMinutes);
  const choices = [...new Set([...publicAfterChoices, publicAfterMinutes])].sort((a, b) => a - b);
  const hasStarted = work.terms.startsAt !== null && Date.parse(work.terms.startsAt) <= now.getTime();
  const begin = () =>
    move.run(() => find.mutateAsync({ engagementId: work.id, publicAfterMinutes: minutes }));
  return (
    <div className="col g3 mt2">
      <p className="mute">
        {hasStarted
          ? t`We post the rest of the shift, and ask your pools first, then people who worked for you, then everyone.`
          : t`We ask your waitlist and pools first, then people who worked for you, then everyone.`}
      </p>
      <Select
        label={t`Show it to everyone`}
        help={t`At most half of the time until the start.`}
        value={String(minutes)}
        options={choices.map((choice) => ({
          value: String(choice),
          label: choice === 0 ? t`At once` : afterText(formatMinutes(choice)),
        }))}
        onChange={(event) => setMinutes(Number(event.target.value))}
      />
      <Refused text={move.refusal} />
      <Button
        kind="go"
        full
        needsNetwork
        busy={move.busy}
        onClick={() =>
          void begin().then((done) => (done ? showToast(t`We’re looking for a replacement`) : undefined))
        }
      >
        {t`Find a replacement`}
      </Button>
    </div>
  );
}
