import { Trans, useLingui } from '@lingui/react/macro';
import { ownerChangePath } from '@nearhand/contract/app-paths';
import type { OwnerChange } from '@nearhand/contract/people/team';
import { useNavigate, useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { homePath } from '../../lib/pages/next-path.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useUser } from '../../lib/session.ts';
import { signOut } from '../../lib/sign-out.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useOwnerChange, useUndoOwnerChange } from './team.api.ts';

/** A change of a business's owners, opened from the mail to a previous owner, who can undo it. */
export default function OwnerChangeScreen() {
  const { t } = useLingui();
  const { moveid = '' } = useParams();
  const query = useOwnerChange(moveid);
  const user = useUser();
  const navigate = useNavigate();
  const action = useAction();
  const leave = () =>
    action.run(() =>
      signOut(() =>
        navigate(`/login?next=${encodeURIComponent(ownerChangePath(moveid))}`, { replace: true }),
      ),
    );
  const unknown =
    isApiError(query.error, 'team/change-not-found') || isApiError(query.error, 'request/invalid');
  return (
    <Screen title={t`Change of owners`} back="/tabs/menu/business" width="narrow">
      {unknown ? (
        <EmptyState
          art="door"
          title={t`You can't undo this`}
          actions={
            <>
              <Button kind="ink" full busy={action.busy} needsNetwork={false} onClick={() => void leave()}>
                {t`Sign out and use the other account`}
              </Button>
              <ButtonLink kind="out" full to={homePath}>
                {t`Go home`}
              </ButtonLink>
            </>
          }
        >
          <p>
            <Trans>
              Only someone who owned the business before this change can undo it. You're signed in as{' '}
              {user?.email}.
            </Trans>
          </p>
        </EmptyState>
      ) : (
        <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load this change`}>
          {(change) => <Change change={change} />}
        </QueryState>
      )}
    </Screen>
  );
}

function Change({ change }: { change: OwnerChange }) {
  const { t } = useLingui();
  const undo = useUndoOwnerChange();
  const action = useAction();
  const { personName, businessName, actorName } = change;
  return (
    <div className="col g4">
      <p className="strong">
        {change.change === 'became-owner' ? (
          <Trans>
            {personName} became an owner of {businessName}.
          </Trans>
        ) : (
          <Trans>
            {personName} stopped being an owner of {businessName}.
          </Trans>
        )}
      </p>
      <p className="sm mute">
        {actorName !== personName ? (
          <Trans>
            Changed by {actorName} on {formatDate(change.at, ownTimeZone())}.
          </Trans>
        ) : change.change === 'became-owner' ? (
          <Trans>They accepted on {formatDate(change.at, ownTimeZone())}.</Trans>
        ) : (
          <Trans>They left on {formatDate(change.at, ownTimeZone())}.</Trans>
        )}
      </p>
      {change.status === 'undone' ? (
        <Banner tone="good" icon="check-circle" live>
          {t`This was undone. The owners from before own the business again. They can't change until we've verified the business; everything else goes on as before.`}
        </Banner>
      ) : change.status === 'over' ? (
        <>
          <Banner icon="info">{t`You can't undo this any more. Write to us if something is wrong.`}</Banner>
          <ButtonLink kind="ink" full to="/help-center">
            {t`Write to us`}
          </ButtonLink>
        </>
      ) : (
        <>
          <p>
            <Trans>
              If you undo it, everyone who owned {businessName} before is an owner again. Anyone who became an
              owner since gets their earlier role or leaves the team, with the people they brought in.
            </Trans>
          </p>
          <p>
            <Trans>
              We then verify the business again, and its owners can't change until we have. You can undo this
              until {formatDate(change.undoBy, ownTimeZone())}, and it's final.
            </Trans>
          </p>
          <Refused text={action.refusal} />
          <Button
            kind="bad"
            full
            busy={action.busy}
            onClick={() => void action.run(() => undo.mutateAsync({ teamMoveId: change.id }))}
          >
            {t`Undo this change`}
          </Button>
        </>
      )}
      <ButtonLink kind="out" full to="/tabs/menu/business">
        {t`Go to your business`}
      </ButtonLink>
    </div>
  );
}
