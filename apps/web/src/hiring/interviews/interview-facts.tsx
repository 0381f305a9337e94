import { Trans, useLingui } from '@lingui/react/macro';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { formatMinutes } from '../../lib/words/format.ts';
import { MessageLink } from '../../talk/conversations/message-link.part.tsx';
import { Avatar } from '../../ui/art/avatar.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Fact } from '../../ui/card.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { modeIcons, modeText } from './interview-words.ts';

/** Where and with whom: an address with directions, a number to call, or an external link. */
export function InterviewFacts({ interview }: { interview: Interview }) {
  const { t } = useLingui();
  const { mode, side } = interview;
  const jobPath =
    side === 'worker'
      ? `/job-desc/${interview.jobId}`
      : `/job-applicants/${interview.jobId}?applicant=${interview.applicationId}`;
  return (
    <div className="facts">
      <Fact icon={modeIcons[mode]} title={<Where interview={interview} />} note={modeText(mode)} />
      <Fact icon="timer" title={formatMinutes(interview.minutes)} note={t`Scheduled length`} />
      <Fact
        icon="briefcase"
        title={
          <Link className="link" to={jobPath}>
            {interview.jobTitle}
          </Link>
        }
        note={side === 'worker' ? t`Job` : t`View application`}
      />
      <div className="row">
        {side === 'worker' ? (
          <IconSign icon="storefront" />
        ) : (
          <Avatar name={interview.worker.name} src={fileUrl(interview.worker.photoPath)} />
        )}
        <p className="mid grow">{side === 'worker' ? interview.business.name : interview.worker.name}</p>
        {side === 'worker' ? (
          <MessageLink jobId={interview.jobId} />
        ) : (
          <MessageLink jobId={interview.jobId} workerId={interview.worker.id} />
        )}
      </div>
    </div>
  );
}

function Where({ interview: { mode, where } }: { interview: Interview }) {
  const { t } = useLingui();
  if (mode === 'phone')
    return (
      <a className="link num" href={`tel:${where}`}>
        {where}
      </a>
    );
  if (mode === 'video')
    return (
      <a className="link wrap-any" href={where} target="_blank" rel="noopener noreferrer">
        {hostOf(where)} <span className="vh">{t`(opens in a new tab)`}</span>
      </a>
    );
  return (
    <span className="row wrap g2 interview-where">
      <span className="wrap-any">{where}</span>
      <a
        className="link"
        href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(where)}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        <Trans>Directions</Trans>
      </a>
    </span>
  );
}

/** The host says where a link leads; the rest is the call's secret. */
const hostOf = (link: string): string => (URL.canParse(link) ? new URL(link).host : link);
