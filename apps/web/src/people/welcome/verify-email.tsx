import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { isEmail } from '@nearhand/contract/people/contact.rules';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { authText } from '../../lib/api/auth.labels.ts';
import { AuthError, auth } from '../../lib/api/auth-provider.ts';
import { withRecentProof } from '../../lib/api/confirmed.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { homePath, nextOf } from '../../lib/pages/next-path.ts';
import { registerBusinessPath } from '../../lib/pages/post-login-redirect.ts';
import type { SessionUser } from '../../lib/session.ts';
import { signOut } from '../../lib/sign-out.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { showAuthError } from '../sign-in/auth-alert.ts';
import { confirmedEmail } from '../sign-in/email-typo.ts';
import { storeReturnPath } from '../sign-in/sign-in.api.ts';
import { VerifyNotice } from '../sign-in/verify-notice.tsx';
import { WhySignIn } from '../sign-in/why-sign-in.tsx';

/**
 * The page for a signed-in person with an unverified email (spec §4). The guard redirects them once it is
 * verified.
 */
export default function VerifyEmail({ user }: { user: SessionUser }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const next = nextOf(useLocation().search);
  const [changing, setChanging] = useState(false);
  const [leaving, setLeaving] = useState(false);
  // The link may open on another device, which doesn't know this page's return path.
  useEffect(() => {
    if (next !== null) void storeReturnPath(next);
  }, [next]);

  const leave = async () => {
    setLeaving(true);
    try {
      await signOut((path) => navigate(path, { replace: true }));
    } catch (failure) {
      await showAuthError('signOut', failure);
    } finally {
      setLeaving(false);
    }
  };
  return (
    <Screen title={t`Verify your email`} back={homePath} width="narrow" rings>
      <div className="col g3">
        <WhySignIn />
        {/* Sign-up leads those who hire straight here, past the page with the notice of the specification. */}
        <VerifyNotice
          email={user.email}
          note={
            next === registerBusinessPath
              ? t`Verify your email, and then proceed to log in. Check your inbox for a verification email.`
              : undefined
          }
        />
        <div className="col g2">
          <Button kind="out" full needsNetwork onClick={() => setChanging(true)}>
            {t`Change address`}
          </Button>
          <ButtonLink kind="text" full to={homePath}>
            {t`Look around in the meantime`}
          </ButtonLink>
          <Button kind="text" full busy={leaving} needsNetwork={false} onClick={() => void leave()}>
            {t`Sign out`}
          </Button>
        </div>
      </div>
      <ChangeAddress open={changing} email={user.email} onClose={() => setChanging(false)} />
    </Screen>
  );
}

const correctEmail = withRecentProof((email: string) => auth().correctEmail(email));

/** Corrects an address that was never verified; the mail goes to the new one. */
function ChangeAddress({ open, email, onClose }: { open: boolean; email: string; onClose: () => void }) {
  const { t } = useLingui();
  const form = useFormModel<{ email: string }>({
    focusProblems: true,
    start: () => ({ email }),
    check: (typed): { email?: string } =>
      isEmail(typed.email.trim()) ? {} : { email: t`Enter an address such as name@example.com.` },
  });
  const send = async (typed: { email: string }) => {
    const address = await confirmedEmail(typed.email.trim());
    if (address === null) return;
    form.change({ email: address });
    try {
      await correctEmail(address);
      onClose();
      showToast(t`Email verification sent! Please check your inbox.`);
    } catch (failure) {
      const text = failure instanceof AuthError ? authText(failure) : errorText(failure);
      const isTaken = failure instanceof AuthError && failure.code === 'auth/email-already-in-use';
      form.refuse(isTaken ? { fields: { email: text } } : { text });
    }
  };
  return (
    <Sheet open={open} onClose={onClose} title={t`Change address`}>
      <Form className="col g3" onSubmit={() => void form.submit(send)}>
        <p>{t`We'll email a new link. The link to the old address stops working.`}</p>
        <Refused text={form.refusal} />
        <TextInput
          {...form.textField('email')}
          label={t`Email`}
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={limits.emailMax}
        />
        <Button kind="go" full type="submit" busy={form.busy}>
          {t`Send the link`}
        </Button>
      </Form>
    </Sheet>
  );
}
