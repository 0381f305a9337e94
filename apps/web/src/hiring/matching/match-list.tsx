import { useLingui } from '@lingui/react/macro';
import type { MatchReason } from '@nearhand/contract/hiring/matching';
import { Icon } from '../../ui/art/icon.tsx';
import { cardReasons, matchKindText, matchText } from './match.labels.ts';

const marks = { good: 'check', neutral: 'minus', warning: 'warning-circle' } as const;

export function MatchList({ match, max = 3 }: { match: readonly MatchReason[]; max?: number }) {
  const { t } = useLingui();
  const reasons = cardReasons(match, max);
  if (reasons.length === 0) return null;
  return (
    <ul className="reasons" aria-label={t`Why this rank`}>
      {reasons.map(({ reason, words }) => (
        <li key={reason.kind} className={reason.tone}>
          <Icon name={marks[reason.tone]} />
          <span>{words}</span>
        </li>
      ))}
    </ul>
  );
}

export function MatchPoints({
  match,
  score,
  timeZone,
}: {
  match: readonly MatchReason[];
  score: number;
  timeZone: string;
}) {
  const { t } = useLingui();
  return (
    <dl className="points">
      {match.map((reason) => (
        <div key={reason.kind}>
          <dt>
            <span className="mid block">{matchKindText(reason.kind).title}</span>
            <span className="sm mute block">
              {matchText(reason, timeZone) ??
                (reason.kind === 'history' ? t`Not yet` : t`Unknown, counts as half`)}
            </span>
          </dt>
          <dd className="num">{t`${reason.points} of ${reason.of}`}</dd>
        </div>
      ))}
      <div className="strong">
        <dt>{t`Match`}</dt>
        <dd className="num">{t`${score} of 100`}</dd>
      </div>
    </dl>
  );
}
