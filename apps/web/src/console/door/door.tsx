import { type ReactNode, useEffect, useRef } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { forgetEverything } from '../../lib/api/query.ts';
import { useUser } from '../../lib/session.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Loading, PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { consoleAuth } from '../console-auth.ts';
import { ConfirmForm } from './code-form.tsx';
import { DoorPage } from './door-page.tsx';
import {
  OperatorProvider,
  useAwayWhenRefused,
  useOperatorSession,
  useUnseenTooLong,
} from './operator-session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Lets an operator in whose session proved a second factor (ADR 181). A page that was open stays as it is behind a closed door. */
export function Door({ children }: { children: ReactNode }) {
  const user = useUser();
  useForgetOnLeaving(user?.id ?? null);
  return user ? (
    <Inside key={user.id} id={user.id}>
      {children}
    </Inside>
  ) : (
    <SignInForm />
  );
}

function Inside({ id, children }: { id: string; children: ReactNode }) {
  const query = useOperatorSession(true);
  const unseen = useUnseenTooLong(query.dataUpdatedAt);
  useAwayWhenRefused();
  const entered = useRef(false);
  if (isApiError(query.error, 'operator/required', 'session/email-not-verified')) return <NoOperator />;
  const { data } = query;
  if (!data)
    return (
      <DoorPage title="Opening the console" heading={null}>
        <QueryState
          query={query}
          loading={
            <Loading>
              <PageSkeleton />
            </Loading>
          }
          errorTitle="We couldn't open the console"
          describe={errorText}
          asOf={formatAgo}
        >
          {() => null}
        </QueryState>
      </DoorPage>
    );
  if (data.secondFactors.length === 0 && !data.present) return <NoSecondFactor />;
  const open = data.present && !unseen;
  entered.current ||= open;
  return (
    <>
      {open ? null : <ConfirmForm again={entered.current} email={data.email} factors={data.secondFactors} />}
      {entered.current ? (
        <div className="c-inside" hidden={!open}>
          <OperatorProvider value={{ ...data, id }}>{children}</OperatorProvider>
        </div>
      ) : null}
    </>
  );
}

/** Nothing of an operator's reading stays once they leave. */
function useForgetOnLeaving(id: string | null): void {
  const before = useRef(id);
  useEffect(() => {
    if (before.current !== null && id === null) void forgetEverything();
    before.current = id;
  }, [id]);
}

const leave = () => void consoleAuth.signOut().catch(() => {});

function NoOperator() {
  const user = useUser();
  return (
    <DoorPage
      title="No access"
      heading="This account can't open the console"
      lead={`You're signed in as ${user?.email}, which isn't an operator's account. Operators are appointed on the server.`}
    >
      <Button kind="go" full onClick={leave}>
        Use another account
      </Button>
      <a className="btn quiet full" href="/">
        Go to Nearhand
      </a>
    </DoorPage>
  );
}

function NoSecondFactor() {
  return (
    <DoorPage
      title="Second step needed"
      heading="Set up a second step first"
      lead="Operators confirm who they are with a passkey or a code from an authenticator app. Set one up in your account settings, then come back."
    >
      <a className="btn go full" href="/account-settings">
        Open account settings
      </a>
      <Button kind="quiet" full onClick={leave}>
        Log out
      </Button>
    </DoorPage>
  );
}
