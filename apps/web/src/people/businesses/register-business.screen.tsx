import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useDeviceDraft } from '../../lib/device/device-draft.ts';
import { summaryOf, useFormModel } from '../../lib/forms/form-model.ts';
import { replaceForward } from '../../lib/pages/go-back.ts';
import { session } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, EnterSubmits } from '../../ui/controls/button.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { FormPart } from '../../ui/controls/form-part.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Refusal } from '../../ui/controls/refusal.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { Timeline } from '../../ui/steps.tsx';
import '../../ui/desk.css';
import { Form } from '../../ui/controls/form.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { useSaveProfile } from '../profiles/profiles.api.ts';
import { useCountryCheck } from './business-country.ts';
import { errorsOfServer } from './business-form.errors.ts';
import {
  businessErrors,
  businessFields,
  emptyBusinessForm,
  inputOfBusiness,
  isBusinessForm,
} from './business-form.rules.ts';
import { BusinessFields } from './business-form.tsx';
import { useRegisterBusiness } from './businesses.api.ts';

const draftKey = 'business';
const emptyName = () => '';
const isText = (value: unknown): value is string => typeof value === 'string';
// The country follows the pin, never the browser's language.
const emptyForm = () => emptyBusinessForm(session.user()?.email ?? '', '');

/** The form of a new business, stored on the device, and its sending. */
function useRegistration() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const draft = useDeviceDraft(draftKey, emptyForm, isBusinessForm);
  const ownName = useDeviceDraft(`${draftKey}-owner`, emptyName, isText);
  // People who hire skip the worker's profile, which asks for the name. Fixed, so that the field stays.
  const [hasName] = useState(() => (session.user()?.name ?? '') !== '');
  const saveProfile = useSaveProfile();
  const register = useRegisterBusiness();
  // One idempotency key per draft: sending twice registers one business.
  const sendKey = useRef(crypto.randomUUID());
  const form = useFormModel({
    check: businessErrors,
    draft: {
      value: draft.value,
      set: (values) => {
        sendKey.current = crypto.randomUUID();
        draft.set(values);
      },
    },
  });
  const checkCountry = useCountryCheck();
  const startAgain = () => form.reset(emptyForm());

  const send = async () => {
    const countryCode = await checkCountry(form.values);
    if (countryCode === null) return;
    if (countryCode !== form.values.countryCode) form.change({ countryCode });
    try {
      if (!hasName && ownName.value.trim() !== '')
        await saveProfile.mutateAsync({ name: ownName.value.trim() });
      const business = await register.mutateAsync({
        input: inputOfBusiness({ ...form.values, countryCode }),
        idempotencyKey: sendKey.current,
      });
      draft.drop();
      ownName.drop();
      startAgain();
      showToast(t`${business.name} is registered`);
      navigate('/my-business', replaceForward);
    } catch (failure) {
      form.refuse({
        fields: errorsOfServer(failure),
        text: isNetworkError(failure)
          ? t`${errorText(failure)} What you typed is saved on this device.`
          : errorText(failure),
      });
    }
  };
  return { form, send, startAgain, restored: draft.restored, hasName, ownName };
}

export default function RegisterBusinessScreen() {
  const { t } = useLingui();
  const { form, send, startAgain, restored, hasName, ownName } = useRegistration();
  return (
    <Screen
      title={t`Register a business`}
      lead={t`It takes about three minutes. You can post a job right away.`}
      back={{ close: '/tabs/menu/business' }}
      width="wide"
      dock={
        <Button kind="go" icon="storefront" busy={form.busy} onClick={() => void form.submit(send)}>
          {t`Register business`}
        </Button>
      }
    >
      <div className="desk two-cols">
        <Form className="desk-main" onSubmit={() => void form.submit(send)}>
          {restored ? (
            <Banner
              tone="here"
              icon="note-pencil"
              action={
                <Button kind="text" size="s" onClick={startAgain}>
                  {t`Start again`}
                </Button>
              }
            >
              <Trans>We saved what you typed on this device.</Trans>
            </Banner>
          ) : null}
          <ErrorSummary key={form.tries} errors={summaryOf(businessFields, form.problems, form.idOf)} />
          {form.refusal ? (
            <Refusal key={`refusal ${form.tries}`}>
              <Banner tone="bad" icon="warning-circle" live>
                {form.refusal}
              </Banner>
            </Refusal>
          ) : null}
          {hasName ? null : (
            <FormPart title={t`You`}>
              <TextInput
                label={t`Your name`}
                optional
                help={t`Applicants and your team see it next to your messages.`}
                autoComplete="name"
                maxLength={limits.nameMax}
                value={ownName.value}
                onChange={(event) => ownName.set(event.target.value)}
              />
            </FormPart>
          )}
          <BusinessFields
            fresh
            form={form.values}
            onChange={form.change}
            errors={form.problems}
            idOf={form.idOf}
          />
          <EnterSubmits />
        </Form>
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
              note: t`Up to ${openJobsWhileUnverified} open jobs, shown as not verified. The same shift on up to ${limits.datesWhileUnverified} days counts as one job.`,
            },
            { state: 'next', title: t`You request verification`, note: t`There's no limit after that.` },
          ]}
        />
      </div>
      <div className="mt4">
        <HelpLink article="business-verification">{t`How verification works`}</HelpLink>
      </div>
    </Card>
  );
}
