import { useLingui } from '@lingui/react/macro';
import { readReferralCode, referralCodeMax } from '@nearhand/contract/work/referrals.rules';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { claimedText } from './referral.labels.ts';
import { useClaim } from './referrals.api.ts';

export function CodeForm() {
  const { t } = useLingui();
  const claim = useClaim();
  const form = useFormModel<{ code: string }>({
    focusProblems: true,
    start: () => ({ code: '' }),
    check: ({ code }): { code?: string } =>
      readReferralCode(code) === null ? { code: t`Enter the code as you got it, like AB12C-D34EF.` } : {},
  });
  const send = async ({ code }: { code: string }) => {
    try {
      showToast(claimedText((await claim.mutateAsync({ code })).inviterFirstName));
    } catch (error) {
      form.refuse({ fields: { code: errorText(error) } });
    }
  };
  return (
    <div className="mt4">
      <Card as="section" label={t`Did someone invite you?`}>
        <h2 className="h-s">{t`Did someone invite you?`}</h2>
        <p className="sm mute mt1">{t`Enter their code, and the reward counts for both of you.`}</p>
        <Form className="row g2 top mt3" onSubmit={() => void form.submit(send)}>
          <div className="grow">
            <TextInput
              id={form.idOf('code')}
              label={t`Invite code`}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={referralCodeMax}
              value={form.values.code}
              error={form.problems.code}
              onChange={(event) => form.change({ code: event.target.value })}
            />
          </div>
          <Button kind="quiet" type="submit" className="invite-code-send" busy={form.busy}>
            {t`Use code`}
          </Button>
        </Form>
      </Card>
    </div>
  );
}
