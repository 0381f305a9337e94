import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { signOut } from '../../lib/sign-out.ts';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useDeletion } from './account-deletion.api.ts';
import { KeepAccount } from './keep-account.tsx';

/** The page of an account that is being deleted, with the deadline and the way to keep it. */
export function Leaving() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const deletion = useDeletion();
  const action = useAction(errorText);
  const leave = () => void action.run(() => signOut((path) => navigate(path, { replace: true })));
  return (
    <section className="card settings-part" aria-labelledby="settings-leaving">
      <QueryState
        query={deletion}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load this page`}
        offlineNote={t`You can keep your account when you're back online.`}
      >
        {({ deleteAt }) => (
          <div className="col g4">
            <h2 className="h-m" id="settings-leaving">
              {deleteAt === null
                ? t`Your account is being deleted`
                : t`Your account will be deleted on ${formatDay(deleteAt, ownTimeZone(), { style: 'long' })}`}
            </h2>
            <p>
              <Trans>
                Until then you can keep it. Your profile is visible again at once. If you had open
                applications, they stay withdrawn, so apply again if you're still interested.
              </Trans>
            </p>
            <KeepAccount kind="go" />
          </div>
        )}
      </QueryState>
      <Refused text={action.refusal} />
      <div>
        <Button kind="out" icon="sign-out" busy={action.busy} needsNetwork={false} onClick={leave}>
          {t`Sign out`}
        </Button>
      </div>
    </section>
  );
}
