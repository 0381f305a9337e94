import { useLingui } from '@lingui/react/macro';
import type { WorkerCard } from '@nearhand/contract/people/profiles';
import { formatMinutes, joined } from '../../lib/words/format.ts';
import { skillLevelText, skillText } from '../../lib/words/taxonomy.labels.ts';
import { WorkerChecks } from '../../people/verification/worker-checks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { freeTimes, languageText } from './worker.labels.ts';

export function WorkerFacts({ worker }: { worker: WorkerCard }) {
  const { t } = useLingui();
  const free = freeTimes(worker.availability);
  return (
    <div className="applicant-parts">
      <WorkerChecks checks={worker.checks} />
      {worker.bio ? (
        <section>
          <h3 className="h-s">{t`About`}</h3>
          <p className="pre-line mt2">{worker.bio}</p>
        </section>
      ) : null}
      <section>
        <h3 className="h-s">{t`Skills`}</h3>
        {worker.skills.length === 0 ? <p className="mute mt2">{t`No skills listed yet.`}</p> : null}
        <ul className="so-far mt2">
          {worker.skills.map(({ skill, level, years }) => (
            <li key={skill} className="row">
              <span className="grow mid">{skillText(skill)}</span>
              {years ? <span className="sm mute num">{t`${years} yr`}</span> : null}
              {level ? <Badge>{skillLevelText(level)}</Badge> : null}
            </li>
          ))}
        </ul>
      </section>
      {worker.languages.length > 0 ? (
        <section>
          <h3 className="h-s">{t`Languages`}</h3>
          <p className="mt2">{joined(...worker.languages.map(languageText))}</p>
        </section>
      ) : null}
      {free.length > 0 || worker.weekHoursMax !== null ? (
        <section>
          <h3 className="h-s">{t`Usually free`}</h3>
          <ul className="so-far mt2">
            {free.map(({ day, parts }) => (
              <li key={day} className="row">
                <span className="mid week-day">{day}</span>
                <span className="grow">{parts}</span>
              </li>
            ))}
          </ul>
          {worker.weekHoursMax === null ? null : (
            <p className="mt2">{t`At most ${formatMinutes(worker.weekHoursMax * 60)} a week`}</p>
          )}
        </section>
      ) : null}
    </div>
  );
}
