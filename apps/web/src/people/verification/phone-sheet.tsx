import { useLingui } from '@lingui/react/macro';
import { plainPhone } from '@nearhand/contract/people/contact.rules';
import type { VerificationOverview } from '@nearhand/contract/people/verification';
import { phoneCodeLimits, phoneCodeShape, plainCode } from '@nearhand/contract/people/verification.rules';
import { useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { phoneProblem, usePhoneText } from '../../lib/forms/phone.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { PhoneInput } from '../profiles/phone-input.tsx';
import { useSignInOptions } from '../sign-in/sign-in.api.ts';
import { useConfirmPhone, useSendPhoneCode } from './verification.api.ts';

type Phone = VerificationOverview['phone'];
type Code = NonNullable<Phone['code']>;
type SheetProps = { phone: Phone; onClose: () => void };

export function PhoneSheet({ phone, onClose }: SheetProps) {
  const { t } = useLingui();
  const [another, setAnother] = useState(false);
  const isEntering = phone.code !== null && !phone.code.undelivered && !another;
  const isReplacing = phone.status === 'checked';
  return (
    <Sheet
      open
      onClose={onClose}
      title={isEntering ? t`Enter the code` : isReplacing ? t`Check another number` : t`Check your number`}
    >
      {phone.code && isEntering ? (
        <CodeForm code={phone.code} onAnother={() => setAnother(true)} onClose={onClose} />
      ) : (
        <NumberForm phone={phone} onSent={() => setAnother(false)} />
      )}
    </Sheet>
  );
}

function NumberForm({ phone, onSent }: { phone: Phone; onSent: () => void }) {
  const { t } = useLingui();
  const send = useSendPhoneCode();
  const undelivered = phone.code?.undelivered ? phone.code.phone : null;
  const replaced = phone.status === 'checked' ? phone.number : null;
  const phoneText = usePhoneText();
  const form = useFormModel({
    focusProblems: true,
    start: () => ({ number: undelivered ?? (replaced === null ? (phone.number ?? '') : '') }),
    check: ({ number }): { number?: string } => {
      const problem = phoneProblem(number);
      return problem ? { number: problem } : {};
    },
  });
  const ask = async ({ number }: { number: string }) => {
    try {
      await send.mutateAsync({ phone: plainPhone(number) });
      onSent();
    } catch (failure) {
      form.refuse({ text: errorText(failure) });
    }
  };
  return (
    <Form onSubmit={() => void form.submit(ask)}>
      {undelivered ? (
        <Banner tone="bad" icon="warning-circle">
          {t`Our text couldn't be delivered to ${phoneText(undelivered)}. Check the number, or use one that can receive texts.`}
        </Banner>
      ) : null}
      <Refused text={form.refusal} />
      <PhoneInput
        id={form.idOf('number')}
        label={t`Mobile number`}
        help={
          replaced === null
            ? t`We text you a code. We don't call, and no one sees your number before you're hired.`
            : t`We text you a code. Once you've entered it, this number replaces ${phoneText(replaced)}.`
        }
        value={form.values.number}
        error={form.problems.number}
        onChange={(number) => form.change({ number })}
      />
      <div className="sheet-act">
        <Button kind="go" full type="submit" busy={form.busy}>
          {t`Text me a code`}
        </Button>
      </div>
    </Form>
  );
}

function CodeForm({ code, onAnother, onClose }: { code: Code; onAnother: () => void; onClose: () => void }) {
  const { t } = useLingui();
  const confirm = useConfirmPhone();
  const mailbox = useSignInOptions().data?.mailboxPath;
  const until = formatTime(code.expiresAt, ownTimeZone());
  const phone = usePhoneText()(code.phone);
  const { digits } = phoneCodeLimits;
  const form = useFormModel({
    focusProblems: true,
    start: () => ({ code: '' }),
    check: (values): { code?: string } =>
      phoneCodeShape.test(plainCode(values.code)) ? {} : { code: t`Enter the ${digits} digits of the code.` },
  });
  const send = async (values: { code: string }) => {
    try {
      await confirm.mutateAsync({ code: plainCode(values.code) });
      showToast(t`Phone number checked`);
      onClose();
    } catch (failure) {
      if (isApiError(failure, 'phone-check/wrong-code')) {
        form.change({ code: '' });
        const triesLeft = failure.data?.left ?? 0;
        form.refuse({
          fields: {
            code:
              triesLeft === 0
                ? t`That's not the code, and there are no tries left. Ask for a new one.`
                : triesLeft === 1
                  ? t`That's not the code. You have 1 try left.`
                  : t`That's not the code. You have ${triesLeft} tries left.`,
          },
        });
      } else form.refuse({ text: errorText(failure) });
    }
  };
  return (
    <Form onSubmit={() => void form.submit(send)}>
      <p>{t`We texted a code to ${phone}. It works until ${until}.`}</p>
      <Refused text={form.refusal} />
      <div className="code-input">
        <TextInput
          {...form.textField('code')}
          label={t`Code`}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={digits + 2}
        />
      </div>
      <div className="row wrap g4">
        <SendAgain code={code} onRefused={(text) => form.refuse({ text })} onSent={form.clearRefusal} />
        <Button kind="text" size="s" onClick={onAnother}>
          {t`Use another number`}
        </Button>
        {mailbox ? (
          <a className="btn text s" href={mailbox} target="_blank" rel="noopener">
            {t`Open the development mailbox`}
          </a>
        ) : null}
      </div>
      <div className="sheet-act">
        <Button kind="go" full type="submit" busy={form.busy}>
          {t`Check number`}
        </Button>
      </div>
    </Form>
  );
}

const secondMs = 1_000;

function SendAgain(props: { code: Code; onRefused: (text: string) => void; onSent: () => void }) {
  const { t } = useLingui();
  const { code, onRefused, onSent } = props;
  const send = useSendPhoneCode();
  const now = useNow(secondMs);
  const seconds = Math.ceil((new Date(code.resendAt).getTime() - now.getTime()) / secondMs);
  const resend = async () => {
    onSent();
    try {
      await send.mutateAsync({ phone: code.phone });
      showToast(t`New code sent`);
    } catch (failure) {
      onRefused(errorText(failure));
    }
  };
  return (
    <Button kind="text" size="s" disabled={seconds > 0} busy={send.isPending} onClick={() => void resend()}>
      {seconds > 0 ? t`Send again in ${seconds} s` : t`Send a new code`}
    </Button>
  );
}
