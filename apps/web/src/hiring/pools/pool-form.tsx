import { useLingui } from '@lingui/react/macro';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { nameError } from '../../lib/forms/too-long.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';

export function PoolForm({
  name = '',
  button,
  kind = 'quiet',
  send,
}: {
  name?: string;
  button: string;
  kind?: 'go' | 'quiet';
  send: (name: string) => Promise<unknown>;
}) {
  const { t } = useLingui();
  const form = useFormModel<{ name: string }>({
    focusProblems: true,
    start: () => ({ name }),
    check: ({ name: typed }) => {
      const problem =
        typed.trim() === '' ? t`Enter a name.` : nameError(typed, 'label', hiringLimits.poolNameMax);
      return problem ? { name: problem } : {};
    },
  });
  return (
    <Form
      className="row g2 top pool-form"
      onSubmit={() => {
        void form.submit(async (values) => {
          try {
            await send(values.name.trim());
            form.reset({ name: '' });
          } catch (error) {
            form.refuse({ fields: { name: errorText(error) } });
          }
        });
      }}
    >
      <div className="grow">
        <TextInput
          {...form.textField('name')}
          label={t`Pool name`}
          placeholder={t`Baristas I trust`}
          autoComplete="off"
        />
      </div>
      <Button kind={kind} type="submit" className="pool-add" busy={form.busy}>
        {button}
      </Button>
    </Form>
  );
}
