import { plural, t } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import type { Applicant, BulkResult } from '@nearhand/contract/hiring/applicants';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { limits } from '@nearhand/contract/limits';
import { talkLimits } from '@nearhand/contract/talk/limits';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDistance, joined } from '../../lib/words/format.ts';
import { ratingText } from '../../lib/words/rating.labels.ts';
import { skillText } from '../../lib/words/taxonomy.labels.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { ReasonGroup, SharedReason } from '../../ui/controls/needs-network.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { matchText } from '../matching/match.labels.ts';
import { answerText, applicantName, applicantStatusText, jobAndTime } from './applicant.labels.ts';
import { type BulkMove, useBulkApplications } from './applicants.api.ts';
import { InterviewSheet, MessageSheet } from './bulk-sheets.tsx';
import { Face, Tags } from './card-facts.tsx';
import { peopleCount, RejectSheet } from './reject-sheet.tsx';
import { stageText } from './stage.labels.ts';
import { freeTimes, languageText } from './worker.labels.ts';

/** The server takes this many messages from one account in a minute. */
const messagesMax = talkLimits.chatPerMinute;

type BulkBarProps = {
  businessId: string | undefined;
  checked: readonly Applicant[];
  onClear: () => void;
};

/** Moves applicants in portions, and says how many were moved. */
function useBulkMoves(businessId: string | undefined, onDone: () => void) {
  const { t } = useLingui();
  const bulk = useBulkApplications(businessId);
  const shortlisting = useAction();
  const send = async (move: BulkMove, applicants: readonly Applicant[]) => {
    const results: BulkResult[] = [];
    for (let at = 0; at < applicants.length; at += limits.bulkMax) {
      const part = await bulk.mutateAsync({ move, applicants: applicants.slice(at, at + limits.bulkMax) });
      results.push(...part.results);
    }
    const isDone = new Set(results.flatMap(({ ok, applicationId }) => (ok ? [applicationId] : [])));
    const doneCount = peopleCount(applicants.filter(({ id }) => isDone.has(id)));
    const doneText =
      move.action === 'reject'
        ? t`${plural(doneCount, { one: '# applicant notified', other: '# applicants notified' })}`
        : t`${plural(doneCount, { one: '# applicant shortlisted', other: '# applicants shortlisted' })}`;
    const failedText = leftText(results, applicants);
    if (failedText) showToast(doneCount > 0 ? t`${doneText}. ${failedText}` : failedText);
    else showToast(doneText);
    onDone();
  };
  const shortlist = (applicants: readonly Applicant[]) =>
    shortlisting.run(() =>
      send({ action: 'shortlist' }, applicants).catch((error: unknown) => showToast(errorText(error))),
    );
  return { send, shortlist, isPending: bulk.isPending };
}

export function BulkApplicantBar({ businessId, checked, ...props }: BulkBarProps) {
  const { t } = useLingui();
  const onClear = () => {
    props.onClear();
    // The pressed button disappears with the bar.
    setTimeout(() => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('.lanes')?.focus({ preventScroll: true });
    }, 50);
  };
  const [comparing, setComparing] = useState(false);
  const [rejecting, setRejecting] = useState(false);
  const [messaging, setMessaging] = useState(false);
  /** A copy, because an applicant who gets times drops out of `invited` while the sheet is open. */
  const [invitees, setInvitees] = useState<readonly Applicant[]>([]);
  const { send, shortlist, isPending } = useBulkMoves(businessId, onClear);
  const can = (move: 'shortlist' | 'reject' | 'propose-interview') =>
    checked.filter((applicant) => applicant.actions.includes(move));
  if (checked.length === 0) return null;
  const invited = can('propose-interview');
  const isOneJob = new Set(invited.map(({ jobId }) => jobId)).size === 1;
  const closeSheet = () => {
    setMessaging(false);
    setInvitees([]);
  };
  const finishSheet = () => {
    closeSheet();
    onClear();
  };

  return (
    <ReasonGroup>
      <section className="bulk-bar" aria-label={t`Selected applicants`}>
        <div>
          <p className="mid nowrap">
            <Plural value={checked.length} one="# selected" other="# selected" />
          </p>
          <SharedReason />
        </div>
        {can('shortlist').length > 0 ? (
          <PlainButton
            className="bulk-do"
            needsNetwork
            aria-busy={isPending}
            onClick={() => void shortlist(can('shortlist'))}
          >
            {t`Shortlist`}
          </PlainButton>
        ) : null}
        {can('reject').length > 0 ? (
          <PlainButton className="bulk-do" needsNetwork onClick={() => setRejecting(true)}>
            {t`Reject`}
          </PlainButton>
        ) : null}
        <PlainButton
          className="bulk-do"
          needsNetwork
          disabled={peopleCount(checked) > messagesMax}
          onClick={() => setMessaging(true)}
        >
          {peopleCount(checked) > messagesMax ? t`Message up to ${messagesMax}` : t`Message`}
        </PlainButton>
        {invited.length > 0 ? (
          <PlainButton
            className="bulk-do"
            needsNetwork
            onClick={() =>
              isOneJob
                ? setInvitees(invited)
                : showToast(t`Interviews are for one job. Select applicants for the same job.`)
            }
          >
            {t`Interview`}
          </PlainButton>
        ) : null}
        {checked.length >= 2 ? (
          <PlainButton
            className="bulk-do"
            disabled={checked.length > hiringLimits.compareMax}
            onClick={() => setComparing(true)}
          >
            {checked.length > hiringLimits.compareMax
              ? t`Compare up to ${hiringLimits.compareMax}`
              : t`Compare`}
          </PlainButton>
        ) : null}
        <IconButton icon="x" label={t`Clear selection`} onClick={onClear} />
      </section>
      <CompareSheet applicants={comparing ? checked : []} onClose={() => setComparing(false)} />
      <MessageSheet applicants={messaging ? checked : []} onClose={closeSheet} onDone={finishSheet} />
      <InterviewSheet applicants={invitees} onClose={closeSheet} onDone={finishSheet} />
      <RejectSheet
        applicants={rejecting ? can('reject') : []}
        onClose={() => setRejecting(false)}
        send={(rejection) => send({ action: 'reject', ...rejection }, can('reject'))}
        onDone={() => setRejecting(false)}
        onRefused={(error) => {
          setRejecting(false);
          showToast(errorText(error));
        }}
      />
    </ReasonGroup>
  );
}

/** The number of applicants not moved and, for one of them, who moved it first. Null if all were moved. */
export function leftText(results: readonly BulkResult[], applicants: readonly Applicant[]): string | null {
  const failed = results.filter(({ ok }) => !ok);
  const [failure] = failed;
  if (!failure) return null;
  if (failed.length === 1 && failure.status) {
    const applicant = applicants.find(({ id }) => id === failure.applicationId);
    const name = applicant ? applicantName(applicant) : '';
    const now = applicantStatusText(failure.status)?.label;
    if (name && now)
      return failure.by ? t`${failure.by} already moved ${name} to “${now}”.` : t`${name} is now “${now}”.`;
  }
  const had = t`${plural(failed.length, { one: '# was already moved', other: '# were already moved' })}.`;
  const names = joined(...new Set(failed.flatMap(({ by }) => (by ? [by] : []))));
  return names ? t`${had} Changed by: ${names}.` : had;
}

type CompareRow = { head: string; cell: (applicant: Applicant) => ReactNode };

/** Compares applicants, one fact per row. */
function useCompareRows(applicants: readonly Applicant[]): CompareRow[] {
  const { t } = useLingui();
  const none = <span className="mute">{t`Not set`}</span>;
  const reason = (kind: string) => (applicant: Applicant) => {
    const matchReason = applicant.match.find((part) => part.kind === kind);
    return (
      (matchReason && matchText(matchReason, applicant.timeZone)) ?? (kind === 'history' ? t`Not yet` : none)
    );
  };
  const questions = [
    ...new Map(
      applicants.flatMap((applicant) => applicant.questions).map((question) => [question.id, question]),
    ).values(),
  ];
  return [
    { head: t`Job`, cell: jobAndTime },
    { head: t`Match`, cell: (applicant) => <b className="num">{t`${applicant.matchScore} of 100`}</b> },
    { head: t`Stage`, cell: (applicant) => stageText(applicant.stage) },
    {
      head: t`Distance`,
      cell: (applicant) =>
        applicant.distanceM === null
          ? none
          : t`about ${formatDistance(Math.max(500, applicant.distanceM), applicant.timeZone)}`,
    },
    {
      head: t`Reviews`,
      cell: (applicant) =>
        ratingText(applicant.worker.rating) ?? <span className="mute">{t`No reviews yet`}</span>,
    },
    { head: t`Reliability`, cell: reason('reliability') },
    { head: t`Worked for you before`, cell: reason('history') },
    { head: t`During the job`, cell: reason('availability') },
    {
      head: t`Skills`,
      cell: (applicant) =>
        applicant.worker.skills.length === 0 ? (
          none
        ) : (
          <ul>
            {applicant.worker.skills.map(({ skill, years }) => (
              <li key={skill}>
                {skillText(skill)}
                {years ? (
                  <span className="mute">
                    {' '}
                    <Plural value={years} one="# year" other="# years" />
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        ),
    },
    {
      head: t`Languages`,
      cell: (applicant) =>
        applicant.worker.languages.length === 0
          ? none
          : joined(...applicant.worker.languages.map(languageText)),
    },
    {
      head: t`Usually free`,
      cell: (applicant) => {
        const free = freeTimes(applicant.worker.availability);
        return free.length === 0 ? none : free.map(({ day, parts }) => `${day}: ${parts}`).join('; ');
      },
    },
    ...questions.map((question) => ({
      head: question.prompt,
      cell: (applicant: Applicant) => answerText(question, applicant.answers) ?? none,
    })),
    {
      head: t`Cover note`,
      cell: (applicant) =>
        applicant.coverNote ? <span className="pre-line">{applicant.coverNote}</span> : none,
    },
    {
      head: t`Tags`,
      cell: (applicant) => (applicant.tags.length === 0 ? none : <Tags tags={applicant.tags} />),
    },
  ];
}

function CompareSheet({ applicants, onClose }: { applicants: readonly Applicant[]; onClose: () => void }) {
  const { t } = useLingui();
  const rows = useCompareRows(applicants);
  return (
    <div className="wide-sheet">
      <Sheet open={applicants.length > 0} onClose={onClose} title={t`Compare`}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
        <section className="table-scroll" aria-label={t`Compare`} tabIndex={0}>
          <table className="compare">
            <thead>
              <tr>
                <td />
                {applicants.map((applicant) => (
                  <th key={applicant.id} scope="col">
                    <Face applicant={applicant} />
                    <span className="block mt1">{applicantName(applicant)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ head, cell }) => (
                <tr key={head}>
                  <th scope="row">{head}</th>
                  {applicants.map((applicant) => (
                    <td key={applicant.id}>{cell(applicant)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Sheet>
    </div>
  );
}
