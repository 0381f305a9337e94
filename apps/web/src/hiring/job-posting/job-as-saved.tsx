import { useLingui } from '@lingui/react/macro';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { categoryText } from '../../lib/words/category-text.ts';
import { formatMinutes, joined } from '../../lib/words/format.ts';
import { payWords, whenWords } from '../../lib/words/job-words.ts';
import { skillText } from '../../lib/words/taxonomy-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, Fact } from '../../ui/card.tsx';
import { PhotoGrid } from '../../ui/photo-grid.tsx';

/** A job that can no longer be changed, read-only. */
export function JobAsSaved({ job }: { job: Job }) {
  const { t } = useLingui();
  const { figure, notes } = payWords(job.pay);
  return (
    <Card as="section" roomy label={t`Job`}>
      <div className="facts">
        <Fact icon="coins" title={figure} note={joined(...notes)} />
        <Fact
          icon="calendar-blank"
          title={whenWords(job) ?? t`No time set`}
          note={job.pay.paidMinutes === null ? undefined : t`${formatMinutes(job.pay.paidMinutes)} paid`}
        />
        <Fact icon="map-pin" title={job.member?.address ?? job.place.label} note={job.member?.area} />
        <Fact icon="tag" title={categoryText(job.category)} />
      </div>
      <p className="pre-line mt5">{job.description}</p>
      {job.requirements.length > 0 ? (
        <ul className="plain-list mt4">
          {job.requirements.map((requirement) => (
            <li key={requirement}>{requirement}</li>
          ))}
        </ul>
      ) : null}
      {job.photoIds.length > 0 ? (
        <div className="mt4">
          <PhotoGrid urls={job.photoIds.map((fileId) => fileUrl(fileContentPath(fileId)))} />
        </div>
      ) : null}
      {job.skills.length > 0 ? (
        <div className="row wrap g2 mt4">
          {job.skills.map((skill) => (
            <Badge key={skill}>{skillText(skill)}</Badge>
          ))}
        </div>
      ) : null}
    </Card>
  );
}
