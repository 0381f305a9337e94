import { useLingui } from '@lingui/react/macro';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useTermsHistory } from './terms-of-use.api.ts';

export function AcceptedTerms() {
  const { t } = useLingui();
  const accepted = useTermsHistory();
  return (
    <section className="card settings-part" aria-labelledby="settings-terms">
      <h2 className="h-s" id="settings-terms">{t`Terms you accepted`}</h2>
      <QueryState
        query={accepted}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load the terms you accepted`}
        isEmpty={(versions) => versions.length === 0}
        empty={
          <p className="sm mute">{t`You haven't accepted any terms yet. They appear here with the date.`}</p>
        }
      >
        {(versions) => (
          <ul className="settings-list col g3">
            {versions.map(({ version, acceptedAt, inForce }) => (
              <li key={version} className="row g3">
                <span className="grow">
                  <span className="strong">{t`Version ${version}`}</span>
                  <br />
                  <span className="sm mute">
                    {t`Accepted on ${formatDay(acceptedAt, ownTimeZone(), { style: 'long' })}`}
                  </span>
                </span>
                {inForce ? <Badge tone="good" icon="check">{t`In force`}</Badge> : null}
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <div>
        <ButtonLink kind="out" size="s" to="/toc">{t`Read the terms`}</ButtonLink>
      </div>
    </section>
  );
}
