import { useLingui } from '@lingui/react/macro';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { categoryOfSkill } from '@nearhand/contract/people/taxonomy';
import { skillText } from '../../lib/words/taxonomy.labels.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { categoryIcon } from '../../ui/art/sign.tsx';
import { Badge } from '../../ui/badge.tsx';
import { useMySkills } from './jobs.api.ts';

export function JobNeeds({ job }: { job: Job }) {
  const { t } = useLingui();
  const mine = useMySkills();
  const papers = [
    ...(job.cvRequired ? [t`A CV`] : []),
    ...(job.questions.length > 0 ? [t`Answers to a few questions when you apply`] : []),
  ];
  if (job.skills.length + job.requirements.length + papers.length === 0) return null;
  return (
    <section className="mt6">
      <h2 className="h-m">{t`What you need`}</h2>
      <ul className="mt2">
        {job.skills.map((skill) => (
          <li className="li" key={skill}>
            <Icon name={categoryIcon(categoryOfSkill[skill])} />
            <span className="grow t">{skillText(skill)}</span>
            {mine?.has(skill) ? (
              <Badge tone="good" icon="check">
                {t`You have this`}
              </Badge>
            ) : mine && job.instantHire && !job.member ? (
              <Badge>{t`Not in your profile`}</Badge>
            ) : null}
          </li>
        ))}
        {job.requirements.map((need) => (
          <li className="li" key={need}>
            <Icon name="check" className="mute" />
            <span className="grow t" dir="auto">
              {need}
            </span>
          </li>
        ))}
        {papers.map((paper) => (
          <li className="li" key={paper}>
            <Icon name="article" className="mute" />
            <span className="grow t">{paper}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
