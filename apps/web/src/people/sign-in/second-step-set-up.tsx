import { useLingui } from '@lingui/react/macro';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { Suspense, useState } from 'react';
import { authText } from '../../lib/api/auth.labels.ts';
import { AuthError, auth } from '../../lib/api/auth-provider.ts';
import { savesFiles } from '../../lib/device/platform.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { copyText } from '../../ui/overlays/share-link.ts';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { PasswordForm } from './password-form.tsx';

const Qr = lazyPart(() => import('../../ui/art/qr.tsx'));

type SetUp = { uri: string; recoveryCodes: readonly string[] };

export function SecondStepSetUp({
  open,
  onClose,
  onDone,
}: {
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const [confirmed, setConfirmed] = useState(false);
  const close = () => {
    setSetUp(null);
    setConfirmed(false);
    // Called only now, because this sheet's button disappears once the step is on.
    if (confirmed) onDone();
    onClose();
  };
  return (
    <Sheet open={open} onClose={close} title={t`Turn on the second step`}>
      {setUp === null ? (
        <PasswordForm
          lead={t`You need an authenticator app, such as Google Authenticator, 1Password or Aegis. First confirm that it's you.`}
          action={t`Continue`}
          send={async (password) => setSetUp(await auth().secondStep.start(password))}
        />
      ) : confirmed ? (
        <RecoveryCodes codes={setUp.recoveryCodes} onDone={close} />
      ) : (
        <FirstCode
          uri={setUp.uri}
          onConfirmed={() => {
            setConfirmed(true);
            showToast(t`Second step turned on`);
          }}
        />
      )}
    </Sheet>
  );
}

const keyOf = (uri: string): string =>
  (new URL(uri).searchParams.get('secret') ?? '').replaceAll(/(.{4})(?=.)/g, '$1 ');

function FirstCode({ uri, onConfirmed }: { uri: string; onConfirmed: () => void }) {
  const { t } = useLingui();
  const form = useFormModel({
    focusProblems: true,
    start: () => ({ code: '' }),
    check: ({ code }): { code?: string } =>
      code.trim() === '' ? { code: t`Enter the code from your app.` } : {},
  });
  const send = async ({ code }: { code: string }) => {
    try {
      await auth().secondStep.confirm(code);
      onConfirmed();
    } catch (failure) {
      const isWrong = failure instanceof AuthError && failure.code === 'auth/invalid-verification-code';
      form.refuse(isWrong ? { fields: { code: authText(failure) } } : { text: authText(failure) });
    }
  };
  return (
    <Form className="settings-part" onSubmit={() => void form.submit(send)}>
      <p>{t`Scan this with your authenticator app, or type the key into it. Then enter the code it shows.`}</p>
      <div className="settings-qr">
        <Suspense fallback={null}>
          <Qr text={uri} />
        </Suspense>
      </div>
      <p className="sm">
        <span className="mute">{t`Key`}</span>
        <span className="block num break settings-key" data-testid="totp-key">
          {keyOf(uri)}
        </span>
      </p>
      <p>
        <a className="link" href={uri}>{t`Open in an authenticator app on this device`}</a>
      </p>
      <Refused text={form.refusal} />
      <TextInput
        {...form.textField('code')}
        label={t`Code`}
        help={t`6 digits. It changes every 30 seconds.`}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={peopleLimits.signInCodeMax}
      />
      <Button kind="go" full type="submit" busy={form.busy}>
        {t`Turn on`}
      </Button>
    </Form>
  );
}

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useLingui();
  const download = () => {
    const address = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = 'nearhand-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <div className="settings-part">
      <Banner tone="wait" icon="warning">
        {t`Save these codes now. They're shown only once. Each lets you log in once without your authenticator app.`}
      </Banner>
      <ul className="settings-codes num" aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button kind="out" full icon="copy" onClick={() => void copyText(codes.join('\n'), t`Copied`)}>
        {t`Copy the codes`}
      </Button>
      {savesFiles() ? (
        <Button kind="out" full icon="download-simple" onClick={download}>
          {t`Download the codes`}
        </Button>
      ) : null}
      <Button kind="go" full onClick={onDone}>
        {t`I saved them`}
      </Button>
    </div>
  );
}
