import { Trans, useLingui } from '@lingui/react/macro';
import type { AccountDeletionState } from '@nearhand/contract/people/account-deletion';
import { deletionCodeShape, deletionLimits } from '@nearhand/contract/people/account-deletion.rules';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { useNavigate } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useUser } from '../../lib/session.ts';
import { signOut } from '../../lib/sign-out.ts';
import { formatDay, formatMoney, joined, ownTimeZone } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { PasswordInput, TextInput } from '../../ui/controls/inputs.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { PasskeyProof } from '../passkeys/passkey-proof.tsx';
import { useRequestDeletion, useSendDeletionCode } from './account-deletion.api.ts';

type Proof = { proof: string };
const none = (): Proof => ({ proof: '' });

export function ConfirmDeletion({ state }: { state: AccountDeletionState }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const user = useUser();
  const request = useRequestDeletion();
  const isByPassword = state.confirmBy === 'password';
  const form = useFormModel<Proof>({
    id: 'delete-account',
    focusProblems: true,
    start: none,
    check: ({ proof }) => {
      if (isByPassword) return proof === '' ? { proof: t`Enter your password.` } : {};
      return deletionCodeShape.test(proof.trim()) ? {} : { proof: t`Enter the six digits from the email.` };
    },
  });

  const remove = async (proof: Parameters<typeof request.mutateAsync>[0]) => {
    try {
      let deleteAt: string | null = null;
      await signOut(
        (path) => navigate(path, { replace: true }),
        async () => ({ deleteAt } = await request.mutateAsync(proof)),
      );
      const day = formatDay(deleteAt ?? new Date(), ownTimeZone(), { style: 'long' });
      await showAlert({
        title: t`Your account will be deleted on ${day}`,
        message: t`You're signed out. To keep your account, log in before that day.`,
      });
    } catch (failure) {
      const ofField =
        isApiError(failure, 'account/wrong-password') || isApiError(failure, 'account/wrong-code');
      form.refuse(ofField ? { fields: { proof: errorText(failure) } } : { text: errorText(failure) });
    }
  };
  const removeTyped = ({ proof }: Proof) =>
    remove(isByPassword ? { password: proof } : { code: proof.trim() });

  return (
    <Form onSubmit={() => void form.submit(removeTyped)}>
      <WhatHappens state={state} />
      {isByPassword ? (
        <>
          {/* Password managers file the password under this name. */}
          <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <PasswordInput
            {...form.textField('proof')}
            label={t`Your password`}
            autoComplete="current-password"
          />
        </>
      ) : (
        <>
          <MailCode />
          <TextInput
            {...form.textField('proof')}
            label={t`Code from the email`}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={deletionLimits.codeDigits}
          />
        </>
      )}
      <Refused text={form.refusal} />
      <div className="sheet-act">
        <Button kind="bad" full type="submit" busy={form.busy}>
          {t`Delete my account`}
        </Button>
        <PasskeyProof onProved={() => remove({ byPasskey: true })} />
      </div>
    </Form>
  );
}

function WhatHappens({ state }: { state: AccountDeletionState }) {
  const days = state.graceDays;
  const returnedAmounts = joined(
    ...state.mayReturn.map(({ amountMinor, currency }) => formatMoney(amountMinor, currency)),
  );
  return (
    <ul className="col g2">
      <li>
        <Trans>
          <strong>Today:</strong> you're signed out everywhere, your applications are withdrawn, and
          businesses no longer see your profile.
        </Trans>
      </li>
      <li>
        <Trans>
          <strong>For {days} days:</strong> you can change your mind. Log in and choose Keep my account.
        </Trans>
      </li>
      <li>
        <Trans>
          <strong>Then:</strong> your name, email, phone, photo, CV, profile and bank accounts are deleted.
          This can't be undone.
        </Trans>
      </li>
      <li>
        <Trans>
          <strong>What stays:</strong> messages you sent, work you delivered, and payment records, under the
          name Former member. Jobs you posted stay with their business.
        </Trans>
      </li>
      <li>
        <Trans>
          <strong>Money on its way:</strong> if a bank returns a withdrawal after your account is gone, we
          keep the money for you. Write to our support, prove who you are, and we pay it to a bank account in
          your name.
        </Trans>{' '}
        {returnedAmounts ? (
          <Trans>
            In the last 30 days we paid you {returnedAmounts}. Check that it arrived before you continue.
          </Trans>
        ) : null}
      </li>
    </ul>
  );
}

function MailCode() {
  const { t } = useLingui();
  const send = useSendDeletionCode();
  const action = useAction(errorText);
  const sentTo = send.data?.sentTo;
  return (
    <div className="col g2">
      {sentTo ? (
        <p
          className="sm wrap-any"
          role="status"
        >{t`We sent a code to ${sentTo}. It works for ${peopleLimits.deletionCodeMinutes} minutes.`}</p>
      ) : (
        <p className="sm">{t`Confirm with a code that we email to you.`}</p>
      )}
      <Refused text={action.refusal} />
      <div>
        <Button
          kind="out"
          size="s"
          busy={action.busy}
          onClick={() => void action.run(() => send.mutateAsync({}))}
        >
          {sentTo ? t`Send a new code` : t`Send the code`}
        </Button>
      </div>
    </div>
  );
}
