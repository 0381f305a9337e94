import { useLingui } from '@lingui/react/macro';
import { ticketPath } from '@nearhand/contract/app-paths';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { useLinkFrom } from '../../lib/pages/use-link-query.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/pages/states.tsx';
import { ContactForm } from './contact-form.tsx';
import { confirmGuestTicket } from './tickets.api.ts';

const help = '/tabs/menu/help';

/** Writing to Nearhand, with or without an account. `?confirm=` is the link in a guest's mail. */
export default function ContactScreen() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { from } = useLinkFrom();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const token = new URLSearchParams(search).get('confirm');
  if (token !== null) return <Confirmation key={token} token={token} />;
  if (sentTo !== null)
    return (
      <Screen title={t`Check your inbox`} heading={null} back={help} width="narrow">
        <div className="center-page">
          <EmptyState level="h1" art="door" title={t`Check your inbox`} actions={<ToHelp />}>
            <p>{t`We sent a link to ${sentTo}. Your request reaches us once you open it.`}</p>
          </EmptyState>
        </div>
      </Screen>
    );
  return (
    <Screen
      title={t`Contact us`}
      lead={t`Tell us what happened. A person reads it and answers you.`}
      back={help}
      width="narrow"
    >
      <ContactForm
        from={from}
        onSent={(ticketId, email) => {
          if (ticketId === null) return setSentTo(email);
          showToast(t`Your request was sent`);
          navigate(ticketPath(ticketId), { replace: true });
        }}
      />
    </Screen>
  );
}

function ToHelp() {
  const { t } = useLingui();
  return (
    <ButtonLink kind="out" full to={help}>
      {t`Back to help`}
    </ButtonLink>
  );
}

/** Confirms by a POST when the page opens: mail scanners that follow links run no scripts. */
function Confirmation({ token }: { token: string }) {
  const { t } = useLingui();
  const [state, setState] = useState<'busy' | 'done' | { error: unknown }>('busy');
  const [tries, setTries] = useState(0);
  const running = useRef(-1);
  useEffect(() => {
    if (running.current === tries) return;
    running.current = tries;
    setState('busy');
    confirmGuestTicket(token).then(
      () => setState('done'),
      (error: unknown) => setState({ error }),
    );
  }, [token, tries]);
  const title = state === 'done' ? t`Your request is confirmed` : t`Confirm your request`;
  return (
    <Screen title={title} heading={state === 'busy' ? undefined : null} back={help} width="narrow">
      {state === 'busy' ? (
        <RowsSkeleton count={2} />
      ) : (
        <div className="center-page">
          {state === 'done' ? (
            <EmptyState level="h1" art="door" title={title} actions={<ToHelp />}>
              <p>{t`We have it, and answer by email.`}</p>
            </EmptyState>
          ) : (
            <ErrorState
              title={t`We couldn't confirm your request`}
              text={errorText(state.error)}
              onRetry={() => setTries((count) => count + 1)}
            />
          )}
        </div>
      )}
    </Screen>
  );
}
