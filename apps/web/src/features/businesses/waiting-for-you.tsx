import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/applications';
import type { Business } from '@nearhand/contract/businesses';
import type { ReactNode } from 'react';
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
import { useBusinessApplicants } from '../applications/applications.api.ts';

const shownRows = 4;

type WaitingProps = { business: Business; drafts: number; expired: number };

/** What needs the merchant, soonest first: applicants with their clock, then what lies half done. */
export function WaitingForYou({ business, drafts, expired }: WaitingProps) {
  const { t } = useLingui();
  const query = useBusinessApplicants(business.id, 'live');
  const page = query.data?.pages[0];
  const waiting = ((page?.items ?? []) as Applicant[])
    .filter((applicant) => decideBy(applicant) !== null)
    .sort((a, b) => a.decideBy.localeCompare(b.decideBy));
  // Newest come first, so only a list that is whole can be put by its clocks and counted.
  const whole = page !== undefined && page.nextCursor === null;
  const rows = (whole ? waiting : waiting.toReversed()).slice(0, shownRows);
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
              t`Newest applicants first`
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
          <ApplicantLine key={applicant.id} applicant={applicant} first={applicant === firstFresh} />
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

function ApplicantLine({ applicant, first }: { applicant: Applicant; first: boolean }) {
  const { t } = useLingui();
  const clock = decideBy(applicant);
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
