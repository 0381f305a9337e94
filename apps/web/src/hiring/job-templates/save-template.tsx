import { Trans, useLingui } from '@lingui/react/macro';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { nameError } from '../../lib/forms/too-long.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useSaveTemplate } from './job-templates.api.ts';

/** The server's rule: a shift with hourly pay. */
export const mayBeTemplate = ({ kind, pay }: { kind: string; pay: { unit: string } }): boolean =>
  kind === 'shift' && pay.unit === 'hour';

type SavedJob = { id: string; title: string };

/** Saves a shift as a template, under a new name. */
export function SaveTemplateSheet({
  job,
  open,
  onClose,
}: {
  job: SavedJob;
  open: boolean;
  onClose: () => void;
}) {
  const { t } = useLingui();
  return (
    <Sheet open={open} onClose={onClose} title={t`Save as template`}>
      {open ? <SaveForm job={job} onSaved={onClose} /> : null}
    </Sheet>
  );
}

function SaveForm({ job, onSaved }: { job: SavedJob; onSaved: () => void }) {
  const { t } = useLingui();
  const save = useSaveTemplate();
  const [takenName, setTakenName] = useState('');
  const form = useFormModel<{ name: string }>({
    focusProblems: true,
    start: () => ({ name: job.title.slice(0, hiringLimits.titleMax) }),
    check: ({ name }) => {
      const problem = name.trim() === '' ? t`Enter a name.` : nameError(name, 'label', hiringLimits.titleMax);
      return problem ? { name: problem } : {};
    },
  });
  const send = (replace: boolean) =>
    form.submit(async ({ name: typed }) => {
      const name = typed.trim();
      try {
        await save.mutateAsync({ jobId: job.id, name, replace });
        showToast(t`Template ${name} saved`);
        onSaved();
      } catch (error) {
        if (isApiError(error, 'job-template/name-taken')) setTakenName(name);
        form.refuse({ fields: { name: errorText(error) } });
      }
    });
  return (
    <Form onSubmit={() => void send(false)}>
      <p className="mute">
        <Trans>
          It keeps the role, text, place, hours, pay and questions. You choose the date and the people each
          time.
        </Trans>
      </p>
      <TextInput
        {...form.textField('name')}
        label={t`Template name`}
        placeholder={t`Weekday morning bar`}
        autoComplete="off"
      />
      <div className="row g2 wrap sheet-act">
        {takenName !== '' && form.values.name.trim() === takenName ? (
          <Button kind="out" needsNetwork busy={form.busy} onClick={() => void send(true)}>
            {t`Replace it`}
          </Button>
        ) : null}
        <Button kind="go" className="grow" type="submit" needsNetwork busy={form.busy}>
          {t`Save template`}
        </Button>
      </div>
    </Form>
  );
}
