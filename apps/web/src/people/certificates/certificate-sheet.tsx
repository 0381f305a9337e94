import { useLingui } from '@lingui/react/macro';
import type { Certificate } from '@nearhand/contract/people/certificates';
import {
  type CertificateKind,
  certificateKinds,
  certificateLimits,
  expiryProblem,
  latestExpiry,
} from '@nearhand/contract/people/certificates.rules';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import { useRef } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { FileInput, TakePhoto } from '../../ui/controls/file-input.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { certificateWords } from './certificate.words.ts';
import { useCertificateChanges } from './certificates.api.ts';

type Values = { kind: CertificateKind; expiresOn: string; file: File | null; idempotencyKey: string };

/** Asks for a certificate: which, until when, and a photo or PDF of it. */
export function CertificateSheet({ mine, onClose }: { mine: readonly Certificate[]; onClose: () => void }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const { add } = useCertificateChanges();
  const isOpen = (kind: CertificateKind) =>
    mine.some((one) => one.kind === kind && one.status === 'submitted');
  const most = formatBytes(bytesAllowed('certificate'));
  const problemOf = ({ expiresOn }: Values) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(expiresOn)) return t`Enter the last day on which it is valid.`;
    const problem = expiryProblem(expiresOn, new Date());
    if (problem === 'expired') return t`It has expired. Add one that is still valid.`;
    return problem === 'too-far' ? t`That's too far ahead. Check the year.` : undefined;
  };
  const form = useFormModel<Values>({
    focusProblems: true,
    start: () => ({
      kind: certificateKinds.find((kind) => !isOpen(kind)) ?? 'food_hygiene',
      expiresOn: '',
      file: null,
      idempotencyKey: '',
    }),
    check: (values) => {
      const [expiresOn, { kind, file }] = [problemOf(values), values];
      return {
        ...(isOpen(kind) ? { kind: t`We're already checking one of this kind.` } : {}),
        ...(expiresOn ? { expiresOn } : {}),
        ...(file === null
          ? { file: t`Add a photo or PDF of it.` }
          : !looksAccepted('certificate', file)
            ? { file: t`Choose a photo or a PDF.` }
            : file.size > bytesAllowed('certificate')
              ? { file: t`${file.name} is larger than ${most}.` }
              : {}),
      };
    },
  });
  const take = ([file]: File[]) => {
    if (file) form.change({ file, idempotencyKey: crypto.randomUUID() });
  };
  const send = async ({ kind, expiresOn, file, idempotencyKey }: Values) => {
    if (!file) return;
    try {
      await add.mutateAsync({ kind, expiresOn, file, idempotencyKey });
      showToast(t`Certificate sent`);
      onClose();
    } catch (failure) {
      form.refuse({ text: errorText(failure) });
    }
  };
  const { fileKeptDays } = certificateLimits;
  return (
    <Sheet open onClose={onClose} title={t`Add a certificate`}>
      <Form className="col g4" onSubmit={() => void form.submit(send)}>
        <Select
          id={form.idOf('kind')}
          label={t`Certificate`}
          options={certificateKinds.map((value) => ({ value, label: certificateWords(value) }))}
          value={form.values.kind}
          error={form.problems.kind}
          onChange={(event) => form.change({ kind: event.target.value as CertificateKind })}
        />
        <TextInput
          id={form.idOf('expiresOn')}
          type="date"
          label={t`Valid until`}
          help={t`The last day, as the document says.`}
          min={new Date().toISOString().slice(0, 10)}
          max={latestExpiry(new Date())}
          value={form.values.expiresOn}
          error={form.problems.expiresOn}
          onChange={(event) => form.change({ expiresOn: event.target.value })}
        />
        <div className="field">
          <FileInput
            ref={input}
            accept={pickableTypes('certificate')}
            testId="certificate-file"
            onFiles={take}
          />
          <Button
            id={form.idOf('file')}
            kind="out"
            full
            icon="paperclip"
            aria-describedby={`${form.idOf('file')}-note`}
            onClick={() => input.current?.click()}
          >
            <span dir="auto">{form.values.file?.name ?? t`Add a photo or PDF`}</span>
          </Button>
          <TakePhoto full className="mt2" aria-describedby={`${form.idOf('file')}-note`} onFiles={take} />
          <FieldNote
            id={`${form.idOf('file')}-note`}
            help={t`Only the person at Nearhand who checks it sees it. We store it encrypted and delete it ${fileKeptDays} days after the decision.`}
            error={form.problems.file}
          />
        </div>
        <Refused text={form.refusal} />
        <div className="sheet-act">
          <Button kind="go" full type="submit" busy={form.busy}>
            {t`Send to Nearhand`}
          </Button>
        </div>
      </Form>
    </Sheet>
  );
}
