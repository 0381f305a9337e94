import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { isEmail } from '@nearhand/contract/people/contact.rules';
import type { OpenEmailChange } from '@nearhand/contract/people/email-change';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { auth } from '../../lib/api/auth-provider.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useUser } from '../../lib/session.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { confirmedEmail } from '../sign-in/email-typo.ts';
import { useCancelEmailChange, useEmailChange, useStartEmailChange } from './email-change.api.ts';

export function OwnEmail() {
  const { t } = useLingui();
  const user = useUser();
  const change = useEmailChange();
  const [open, setOpen] = useState(false);
  useNewestEmail();
  return (
    <section className="card settings-part" aria-labelledby="settings-email">
      <h2 className="h-s" id="settings-email">{t`Email`}</h2>
      <p className="break">{user?.email}</p>
      <QueryState
        query={change}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load your email settings`}
        offlineNote={t`You can change your email when you're back online.`}
      >
        {(waiting) =>
          waiting ? (
            <PendingChange change={waiting} />
          ) : (
            <Button kind="out" full needsNetwork onClick={() => setOpen(true)}>
              {t`Change email`}
            </Button>
          )
        }
      </QueryState>
      <StartChange open={open} onClose={() => setOpen(false)} />
    </section>
  );
}

/** Refreshes the address stored with the session: another device or a mailed link may have changed it. */
function useNewestEmail(): void {
  const user = useUser();
  const email = useQuery(apiQuery.accounts.me.queryOptions()).data?.email;
  const isOutdated = email !== undefined && user !== null && email !== user.email;
  useEffect(() => {
    // Without a connection, the next renewal of the session updates the address.
    if (isOutdated)
      void auth()
        .idToken({ fresh: true })
        .catch(() => null);
  }, [isOutdated]);
}

function PendingChange({ change }: { change: OpenEmailChange }) {
  const { t } = useLingui();
  const cancel = useCancelEmailChange();
  const user = useUser();
  const stop = async () => {
    try {
      await cancel.mutateAsync(undefined);
      showToast(t`Change cancelled`);
    } catch (failure) {
      showToast(errorText(failure));
    }
  };
  return (
    <div className="col g4">
      <div>
        <p className="break">{t`Changing to ${change.newEmail}. Follow the links we emailed to both addresses.`}</p>
        <ul className="settings-list mt2">
          <Step done={change.newConfirmed} email={change.newEmail} />
          <Step done={change.oldConfirmed} email={user?.email ?? ''} />
        </ul>
        <p className="sm mute mt2">{t`The links work until ${formatDate(change.expiresAt, ownTimeZone())}.`}</p>
      </div>
      <Button kind="out" full busy={cancel.isPending} onClick={() => void stop()}>
        {t`Cancel the change`}
      </Button>
    </div>
  );
}

function Step({ done, email }: { done: boolean; email: string }) {
  const { t } = useLingui();
  return (
    <li className="row g2">
      <Icon name={done ? 'check-circle' : 'hourglass'} className="mute" />
      <span className="break grow">
        {email}
        <span className="sm mute block">{done ? t`Confirmed` : t`Not confirmed yet`}</span>
      </span>
    </li>
  );
}

function StartChange({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const start = useStartEmailChange();
  const form = useFormModel<{ newEmail: string }>({
    focusProblems: true,
    start: () => ({ newEmail: '' }),
    check: ({ newEmail }): { newEmail?: string } =>
      isEmail(newEmail) ? {} : { newEmail: t`Enter an address such as name@example.com.` },
  });
  const send = async (typed: { newEmail: string }) => {
    const newEmail = await confirmedEmail(typed.newEmail.trim());
    if (newEmail === null) return;
    form.change({ newEmail });
    try {
      await start.mutateAsync({ newEmail });
      form.reset({ newEmail: '' });
      onClose();
    } catch (failure) {
      const text = errorText(failure);
      const ofField =
        isApiError(failure, 'email-change/taken') || isApiError(failure, 'email-change/same-address');
      form.refuse(ofField ? { fields: { newEmail: text } } : { text });
    }
  };
  return (
    <Sheet open={open} onClose={onClose} title={t`Change email`}>
      <Form className="settings-part" onSubmit={() => void form.submit(send)}>
        <p>{t`We'll email both addresses. Once both have confirmed, you log in with the new one. For ${peopleLimits.emailUndoDays} days the old address can undo it.`}</p>
        <Refused text={form.refusal} />
        <TextInput
          {...form.textField('newEmail')}
          label={t`New email`}
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.emailMax}
        />
        <Button kind="go" full type="submit" busy={form.busy}>
          {t`Send the links`}
        </Button>
      </Form>
    </Sheet>
  );
}
