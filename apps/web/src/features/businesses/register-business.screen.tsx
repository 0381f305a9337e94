import { useIonRouter } from '@ionic/react';
import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useRef, useState } from 'react';
import { isNetworkError } from '../../lib/api-error.ts';
import { ownCountry } from '../../lib/countries.ts';
import { useDeviceDraft } from '../../lib/device-draft.ts';
import { errorText } from '../../lib/error-text.ts';
import { session } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Timeline } from '../../ui/steps.tsx';
import { showToast } from '../../ui/toast.tsx';
import '../../ui/desk.css';
import { errorsOfServer, summaryOf } from './business-form.errors.ts';
import {
  type BusinessErrors,
  type BusinessField,
  type BusinessForm,
  businessErrors,
  emptyBusinessForm,
  inputOfBusiness,
  isBusinessForm,
} from './business-form.rules.ts';
import { BusinessFields } from './business-form.tsx';
import { useRegisterBusiness } from './businesses.api.ts';

const draftKey = 'business';
const emptyForm = () => emptyBusinessForm(session.user()?.email ?? '', ownCountry());

/** Registering a business; what is typed stays on the device until it is sent. */
export default function RegisterBusinessScreen() {
  const { t } = useLingui();
  const router = useIonRouter();
  const id = useId();
  const draft = useDeviceDraft(draftKey, emptyForm, isBusinessForm);
  const [errors, setErrors] = useState<BusinessErrors>({});
  const [tries, setTries] = useState(0);
  const [refusal, setRefusal] = useState<string | null>(null);
  const register = useRegisterBusiness();
  // One key for what is typed now: sent twice, or once more after a lost answer, it makes one business.
  const sendKey = useRef(crypto.randomUUID());
  const idOf = (field: BusinessField) => `${id}-${field}`;

  const change = (part: Partial<BusinessForm>) => {
    sendKey.current = crypto.randomUUID();
    draft.set((before) => ({ ...before, ...part }));
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))));
  };

  const send = async () => {
    const found = businessErrors(draft.value);
    setErrors(found);
    setTries((before) => before + 1);
    setRefusal(null);
    if (Object.keys(found).length > 0) return;
    try {
      const made = await register.mutateAsync({
        input: inputOfBusiness(draft.value),
        idempotencyKey: sendKey.current,
      });
      draft.drop();
      draft.set(emptyForm());
      showToast(t`${made.name} is registered`);
      router.push('/my-business', 'forward', 'replace');
    } catch (failure) {
      setErrors(errorsOfServer(failure));
      setRefusal(
        isNetworkError(failure)
          ? t`${errorText(failure)} What you typed is kept on this device.`
          : errorText(failure),
      );
    }
  };

  return (
    <Screen
      title={t`Register a business`}
      lead={t`It takes about three minutes. You can post a job right after.`}
      back={{ close: '/tabs/menu/business' }}
      width="wide"
      dock={
        <Button kind="go" icon="storefront" busy={register.isPending} onClick={() => void send()}>
          {t`Register business`}
        </Button>
      }
    >
      <div className="desk two-cols">
        <form
          className="desk-main"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          {draft.restored ? (
            <Banner
              tone="here"
              icon="note-pencil"
              action={
                <Button kind="text" size="s" onClick={() => draft.set(emptyForm())}>
                  {t`Start again`}
                </Button>
              }
            >
              <Trans>We kept what you typed on this device.</Trans>
            </Banner>
          ) : null}
          <ErrorSummary key={tries} errors={summaryOf(errors, idOf)} />
          {refusal ? (
            <Refusal key={tries}>
              <Banner tone="bad" icon="warning-circle" live>
                {refusal}
              </Banner>
            </Refusal>
          ) : null}
          <BusinessFields form={draft.value} onChange={change} errors={errors} idOf={idOf} />
          <button type="submit" className="vh" tabIndex={-1} aria-hidden="true" />
        </form>
        <aside className="desk-side stay">
          <NextSteps />
        </aside>
      </div>
    </Screen>
  );
}

function NextSteps() {
  const { t } = useLingui();
  const { openJobsWhileUnverified } = useSettings();
  return (
    <Card as="section" roomy label={t`What happens next`}>
      <h2 className="h-s">{t`What happens next`}</h2>
      <div className="mt4">
        <Timeline
          items={[
            { state: 'now', title: t`You register`, note: t`You become its owner.` },
            {
              state: 'next',
              title: t`You post jobs`,
              note: t`Up to ${openJobsWhileUnverified} open jobs, marked as not verified.`,
            },
            { state: 'next', title: t`You ask for verification`, note: t`Then there is no limit.` },
          ]}
        />
      </div>
    </Card>
  );
}
