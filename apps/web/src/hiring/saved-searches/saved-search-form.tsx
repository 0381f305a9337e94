import { useLingui } from '@lingui/react/macro';
import { type SearchAlert, searchNameMax } from '@nearhand/contract/hiring/saved-searches.rules';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { nameError } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useUser } from '../../lib/session.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';

type Values = { name: string; alert: SearchAlert };

export function SavedSearchForm({
  start,
  what,
  action,
  onSend,
}: {
  start: Values;
  what: string;
  action: string;
  onSend: (values: Values) => Promise<unknown>;
}) {
  const { t } = useLingui();
  const user = useUser();
  const request = useAction();
  const form = useFormModel<Values>({
    focusProblems: true,
    start: () => start,
    check: ({ name }) => {
      const problem = name.trim() === '' ? t`Enter a name.` : nameError(name, 'label', searchNameMax);
      return problem ? { name: problem } : {};
    },
  });
  const { values, change } = form;
  return (
    <Form
      onSubmit={() =>
        void form.submit(({ name, alert }) => request.run(() => onSend({ name: name.trim(), alert })))
      }
    >
      <p className="mute">{what}</p>
      <TextInput label={t`Name`} {...form.textField('name')} autoComplete="off" />
      <RadioGroup
        legend={t`Tell me about new jobs`}
        value={values.alert}
        onChange={(alert) => change({ alert })}
        options={[
          { value: 'at_once', label: t`Right away`, help: t`Within minutes, outside your quiet hours` },
          { value: 'daily', label: t`Once a day`, help: t`One summary in the morning` },
          { value: 'weekly', label: t`Once a week`, help: t`One summary on Monday morning` },
          { value: 'off', label: t`Don't tell me`, help: t`Just keep the search` },
        ]}
      />
      {user?.emailVerified === false && values.alert !== 'off' ? (
        <Banner tone="wait" icon="envelope-simple">
          {t`Alerts show up in the app. Verify your email to get them by email too.`}
        </Banner>
      ) : null}
      <Refused text={request.refusal} />
      <div className="sheet-act">
        <Button type="submit" kind="go" full busy={request.busy}>
          {action}
        </Button>
      </div>
    </Form>
  );
}
