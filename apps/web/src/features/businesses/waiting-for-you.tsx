import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/applications';
import type { Business } from '@nearhand/contract/businesses';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router-dom';
import { decideBy } from '../../lib/decide-by.ts';
import { joined } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ClockRing } from '../../ui/rings.tsx';
import { IconSign } from '../../ui/sign.tsx';
import { RowsSkeleton } from '../../ui/skeleton.tsx';
import { useWide } from '../../ui/wide.ts';
import { useBusinessApplicants } from '../applications/applicants.api.ts';

const shownRows = 4;
/** A dashboard does not read on for ever: beyond 200 applicants the list of applicants is the place. */
const mostPages = 10;

type WaitingProps = { business: Business; drafts: number; expired: number };

/** What needs the merchant, soonest first: applicants with their clock, then what lies half done. */
export function WaitingForYou({ business, drafts, expired }: WaitingProps) {
  const { t } = useLingui();
  const query = useBusinessApplicants(business.id, 'live');
  const { timeZone } = business;
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const loaded = query.data?.pages.length ?? 0;
  // The server does not order by this clock, so the whole list is read before it is put by it.
  const more = hasNextPage && loaded < mostPages;
  useEffect(() => {
    if (more && !isFetching && !isError) void fetchNextPage();
  }, [more, isFetching, isError, fetchNextPage]);
  const waiting = ((query.data?.pages ?? []).flatMap(({ items }) => items) as Applicant[])
    .filter((applicant) => decideBy(applicant, timeZone) !== null)
    .sort((a, b) => Date.parse(a.decideBy) - Date.parse(b.decideBy));
  const whole = query.data !== undefined && !hasNextPage;
  const rows = waiting.slice(0, shownRows);
  const firstFresh = rows.find(({ status }) => status === 'submitted');
  const nothing = query.data !== undefined && rows.length === 0 && drafts === 0 && expired === 0;

  return (
    <Card as="section" flush label={t`Waiting for you`}>
      <div className="card-head">
        <h2 className="h-m grow">{t`Waiting for you`}</h2>
        {rows.length > 0 ? (
          <span className="sm mute">
            {whole ? (
              <Plural
                value={waiting.length}
                one="# applicant, soonest first"
                other="# applicants, soonest first"
              />
            ) : (
              t`Soonest first`
            )}
          </span>
        ) : null}
      </div>
      {query.isPending && !query.error ? (
        <div className="waiting-rows">
          <RowsSkeleton count={3} />
        </div>
      ) : null}
      <ul className="waiting-rows">
        {rows.map((applicant) => (
          <ApplicantLine
            key={applicant.id}
            applicant={applicant}
            timeZone={timeZone}
            first={applicant === firstFresh}
          />
        ))}
        {drafts > 0 ? (
          <Row
            lead={<IconSign icon="note-pencil" round />}
            title={<Plural value={drafts} one="# draft to finish" other="# drafts to finish" />}
            note={t`Workers do not see it yet.`}
            to="/listed-job?status=draft"
            action={t`Open drafts`}
          />
        ) : null}
        {expired > 0 ? (
          <Row
            lead={<IconSign icon="hourglass" round />}
            title={<Plural value={expired} one="# job has expired" other="# jobs have expired" />}
            note={t`Reopen it to be found again, or close it.`}
            to="/listed-job?status=expired"
            action={t`See them`}
          />
        ) : null}
      </ul>
      {query.error && !query.data ? (
        <p className="waiting-note mute">{t`Applicants could not be loaded. The rest of the page is up to date.`}</p>
      ) : null}
      {nothing ? (
        <p className="waiting-note mute">
          <Trans>
            Nothing waits for you. When somebody applies, they show here with the time you have to answer.
          </Trans>
        </p>
      ) : null}
    </Card>
  );
}

function ApplicantLine({
  applicant,
  timeZone,
  first,
}: {
  applicant: Applicant;
  timeZone: string;
  first: boolean;
}) {
  const { t } = useLingui();
  const clock = decideBy(applicant, timeZone);
  const name = applicant.worker.name || t`Somebody without a name`;
  const fresh = applicant.status === 'submitted';
  return (
    <Row
      lead={clock ? <ClockRing left={clock.share}>{clock.short}</ClockRing> : null}
      title={name}
      note={joined(applicant.jobTitle, clock && t`decide by ${clock.until}`)}
      to={`/worker-details/${applicant.worker.workerId}?application=${applicant.id}`}
      action={fresh ? t`Open` : t`Look again`}
      main={first}
    />
  );
}

type RowProps = {
  lead: ReactNode;
  title: ReactNode;
  note: ReactNode;
  to: string;
  action: string;
  main?: boolean;
};

/** On a phone the whole line is pressed; on a desktop a button stands at its end. */
function Row({ lead, title, note, to, action, main }: RowProps) {
  const wide = useWide();
  const inner = (
    <>
      <span className="waiting-lead">{lead}</span>
      <span className="grow">
        <span className="t strong block">{title}</span>
        <span className="sm mute block">{note}</span>
      </span>
    </>
  );
  if (!wide) {
    return (
      <li>
        <Link className="li press" to={to}>
          {inner}
          <Icon name="caret-right" flip className="mute caret" />
        </Link>
      </li>
    );
  }
  return (
    <li className="li">
      {inner}
      <ButtonLink kind={main ? 'ink' : 'quiet'} size="s" to={to}>
        {action}
        <span className="vh">: {title}</span>
      </ButtonLink>
    </li>
  );
}
