import { useLingui } from '@lingui/react/macro';
import type { WorkerChecks as Checks } from '@nearhand/contract/people/profiles';
import { Badge } from '../../ui/badge.tsx';
import { checkedUntil } from '../certificates/certificate.labels.ts';
import './verification.css';

export function WorkerChecks({ checks }: { checks: Checks }) {
  const { t } = useLingui();
  const badges = [
    ...(checks.phone ? [t`Phone number checked`] : []),
    ...(checks.identity ? [t`Identity document checked`] : []),
    ...checks.certificates.map(({ kind, until }) => checkedUntil(kind, until)),
  ];
  if (badges.length === 0) return null;
  return (
    <section aria-label={t`What Nearhand checked`}>
      <ul className="row wrap g2 check-badges">
        {badges.map((words) => (
          <li key={words}>
            <Badge tone="good" icon="seal-check">
              {words}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
