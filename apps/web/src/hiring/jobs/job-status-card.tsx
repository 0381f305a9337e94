import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Plural, useLingui } from '@lingui/react/macro';
import { decisionsPath } from '@nearhand/contract/app-paths';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { ScreeningRule } from '@nearhand/contract/hiring/screening.rules';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { replaceBack } from '../../lib/pages/go-back.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatDay } from '../../lib/words/format.ts';
import { jobStatusMeaning, jobStatusText } from '../../lib/words/job-status.labels.ts';
import { Dial } from '../../ui/art/ring-figures.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { useHiddenSearch } from '../../work/business-engagements/replacement.tsx';
import { mayBeTemplate, SaveTemplateSheet } from '../job-templates/save-template.tsx';
import { asksForDay, DuplicateSheet } from './duplicate-sheet.tsx';
import { jobActionIcons, movesOf, standingOf, useJobActions } from './job-actions.ts';
import { plannedShifts } from './jobs.api.ts';

const screeningText: Record<ScreeningRule, MessageDescriptor> = {
  'asks-fee': msg`It seems to ask workers for money. Workers never pay to get or do a job.`,
  'asks-details': msg`It seems to ask for bank details, passwords or documents.`,
  'off-platform': msg`It sends workers to a messenger, phone number, address or site outside Nearhand.`,
  'pay-too-good': msg`The pay is far above what this work is paid nearby. Check the amount.`,
  'copied-text': msg`Its text is very close to a job of another business.`,
};

export function JobStatusCard({ job, unsaved }: { job: Job; unsaved: boolean }) {
  const { t, i18n } = useLingui();
  const settings = useSettings();
  const { data: shifts = [] } = useQuery({ ...plannedShifts(job.id), enabled: job.seriesId !== null });
  const shiftNumber = shifts.findIndex(({ jobId }) => jobId === job.id) + 1;
  const applicants = job.member?.applicants ?? 0;
  const hired = job.member?.hired ?? 0;
  const offered = job.member?.offered ?? 0;
  const acted = { ...job, applicants };
  const standing = standingOf(acted);
  const spots = { headCount: job.headCount, hired, offered };
  const hidden = useHiddenSearch(job);
  const { label, tone } = jobStatusText(standing, spots);
  return (
    <Card as="section" roomy label={t`Status`}>
      <div className="row wrap">
        <h2 className="h-s grow">{t`Status`}</h2>
        <Badge tone={tone}>{hidden ? t`Looking for a replacement` : label}</Badge>
      </div>
      {shiftNumber > 0 && shifts.length > 1 ? (
        <p className="sm strong mt2">{t`Shift ${shiftNumber} of ${shifts.length} still to come`}</p>
      ) : null}
      <p className="sm mute mt2">
        {hidden
          ? t`We’re asking your pools first, then people who worked for you. Everyone sees it from ${hidden.publicTime}.`
          : jobStatusMeaning(standing, settings, spots)}
      </p>
      {job.member?.review ? (
        <ul className="col g2 mt3 sm">
          {job.member.review.rules.map((rule) => (
            <li key={rule}>{i18n._(screeningText[rule])}</li>
          ))}
        </ul>
      ) : null}
      {job.status === 'rejected' ? (
        <p className="mt3">
          <Link className="link sm" to={decisionsPath}>{t`Read the decision`}</Link>
        </p>
      ) : null}
      {(standing === 'open' || standing === 'paused') && job.expiresAt ? (
        <p className="sm mute mt1">{t`It expires on ${formatDay(job.expiresAt, job.timeZone)}.`}</p>
      ) : null}
      {job.member?.branch ? <p className="sm mute mt1">{t`Branch: ${job.member.branch.name}`}</p> : null}
      {job.status === 'draft' ? (
        <div className="col g2 mt4">
          <ButtonLink kind="ink" full to={`/create-job?job=${job.id}`}>
            {t`Continue step by step`}
          </ButtonLink>
        </div>
      ) : (
        <Hires job={job} />
      )}
      <Moves job={acted} unsaved={unsaved} isHidden={hidden !== null} />
    </Card>
  );
}

function Hires({ job }: { job: Job }) {
  const { t } = useLingui();
  const { applicants = 0, hired = 0, offered = 0 } = job.member ?? {};
  return (
    <div className="row wrap mt4">
      <span className="row g2 sm">
        <Dial filled={hired} total={job.headCount} tone="var(--good)" />
        {offered > 0
          ? t`${hired} of ${job.headCount} hired, ${offered} offered`
          : t`${hired} of ${job.headCount} hired`}
      </span>
      {job.actions.includes('see-applicants') ? (
        <ButtonLink kind="quiet" size="s" icon="users" className="end" to={`/job-applicants/${job.id}`}>
          <Plural value={applicants} one="# applicant" other="# applicants" />
        </ButtonLink>
      ) : null}
    </div>
  );
}

type JobWithApplicants = Job & { applicants: number };

type MovesProps = {
  job: JobWithApplicants;
  unsaved: boolean;
  /** True while a search for a replacement asks people before everyone sees the job. */
  isHidden: boolean;
};

function Moves({ job, unsaved, isHidden }: MovesProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { run, labels, busy } = useJobActions();
  const [sheet, setSheet] = useState<'duplicate' | 'template' | null>(null);
  const closeSheet = () => setSheet(null);
  const moves = movesOf(job);
  return (
    <>
      {moves.length > 0 ? (
        <div className="move-buttons mt4">
          {moves.map((action) => (
            <Button
              key={action}
              kind={action === 'close' || action === 'delete-draft' ? 'bad' : 'out'}
              size="s"
              icon={jobActionIcons[action]}
              disabled={unsaved && (action === 'publish' || action === 'reopen')}
              aria-disabled={busy || undefined}
              needsNetwork
              onClick={() => {
                if (busy) return;
                if (action === 'duplicate' && asksForDay(job)) return setSheet('duplicate');
                void run(action, job).then((succeeded) => {
                  if (succeeded && action === 'delete-draft') navigate('/listed-job', replaceBack);
                });
              }}
            >
              {action === 'reopen' && isHidden ? t`Show it to everyone` : labels[action].label}
            </Button>
          ))}
          {moves.includes('duplicate') && mayBeTemplate(job) ? (
            <Button
              kind="out"
              size="s"
              icon="clipboard-text"
              disabled={unsaved}
              needsNetwork
              onClick={() => setSheet('template')}
            >
              {t`Save as template`}
            </Button>
          ) : null}
        </div>
      ) : null}
      <DuplicateSheet
        job={{ ...job, businessId: job.business.id, branchId: job.member?.branch?.id ?? null }}
        open={sheet === 'duplicate'}
        onClose={closeSheet}
        run={run}
      />
      <SaveTemplateSheet job={job} open={sheet === 'template'} onClose={closeSheet} />
      {unsaved && moves.some((action) => action === 'publish' || action === 'reopen') ? (
        <p className="help">{t`Save your changes first.`}</p>
      ) : null}
    </>
  );
}
