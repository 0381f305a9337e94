import { useLingui } from '@lingui/react/macro';
import { sanctionPath } from '@nearhand/contract/app-paths';
import type { Certificate } from '@nearhand/contract/people/certificates';
import {
  type CertificateKind,
  certificateExpiryProblem,
  certificateKinds,
  certificateLimits,
  latestExpiry,
} from '@nearhand/contract/people/certificates.rules';
import { useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { pictureProblem } from '../../lib/forms/picture.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatBytes, formatCalendarDay } from '../../lib/words/format.ts';
import { ownText } from '../../lib/words/notice-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { CheckCard } from '../../ui/check-card.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { certificateStatusText, certificateText } from './certificate.labels.ts';
import './certificates.css';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { useUser } from '../../lib/session.ts';
import { FieldNote } from '../../ui/controls/field.tsx';
import { FileInput, TakePhoto } from '../../ui/controls/file-input.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

export function Certificates() {
  const { t } = useLingui();
  const query = useCertificates();
  const { remove } = useCertificateChanges();
  const action = useAction();
  const [open, setOpen] = useState(false);
  const certificates = query.data;
  if (!certificates)
    return query.isError ? (
      <Banner tone="bad" icon="warning-circle">
        {errorText(query.error)}
      </Banner>
    ) : null;
  const removeCertificate = async ({ id, kind }: Certificate) => {
    const choice = await showAlert({
      tone: 'ask',
      title: t`Remove ${certificateText(kind)}?`,
      message: t`Businesses won't see it any more. To add it again, you have to send the document again.`,
      buttons: [
        { value: 'remove', label: t`Remove certificate`, kind: 'bad' },
        { value: 'keep', label: t`Cancel` },
      ],
    });
    if (choice === 'remove') await action.run(() => remove.mutateAsync({ certificateId: id }));
  };
  const checked = certificates.filter(({ status }) => status === 'checked').length;
  const [first, second] = certificateLimits.reminderDays;
  return (
    <CheckCard
      icon="graduation-cap"
      title={t`Certificates`}
      status={
        checked > 0
          ? { label: t`${checked} checked`, tone: 'good' }
          : {
              label: certificates.some(({ status }) => status === 'submitted')
                ? t`Being checked`
                : t`Not checked`,
            }
      }
      notes={[
        t`Food hygiene, driving licence, first aid: businesses see which you have and until when, never the document. We answer within two days.`,
        ...(checked > 0 ? [t`We remind you ${first} and ${second} days before one expires.`] : []),
      ]}
    >
      {certificates.length > 0 ? (
        <ul className="certificate-list">
          {certificates.map((certificate) => (
            <li key={certificate.id} className="row g2">
              <CertificateLine certificate={certificate} />
              <IconButton
                icon="x"
                label={t`Remove ${certificateText(certificate.kind)}`}
                needsNetwork
                onClick={() => void removeCertificate(certificate)}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <Refused text={action.refusal} />
      <Button kind="out" full needsNetwork onClick={() => setOpen(true)}>
        {t`Add a certificate`}
      </Button>
      {open ? <CertificateSheet mine={certificates} onClose={() => setOpen(false)} /> : null}
    </CheckCard>
  );
}

function CertificateLine({ certificate }: { certificate: Certificate }) {
  const { t } = useLingui();
  const { label, tone } = certificateStatusText(certificate);
  const day = formatCalendarDay(certificate.expiresOn);
  return (
    <div className="grow">
      <p className="row wrap g2">
        <span className="mid">{certificateText(certificate.kind)}</span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="sm mute">
        {certificate.status === 'expired' ? t`Expired on ${day}` : t`Valid until ${day}`}
      </p>
      {certificate.status === 'needs_copy' ? (
        <p className="sm">{t`We reversed our decision, but we've deleted the copy by now. Add the certificate again, and we'll check it.`}</p>
      ) : null}
      {certificate.reason ? (
        <p className="sm pre-line" dir="auto">
          {ownText(certificate.reason)}
        </p>
      ) : null}
      {certificate.decisionId ? (
        <Link className="link hit" to={sanctionPath(certificate.decisionId)}>
          {t`View decision`}
        </Link>
      ) : null}
    </div>
  );
}

type Values = { kind: CertificateKind; expiresOn: string; file: File | null; idempotencyKey: string };

type CertificateSheetProps = { mine: readonly Certificate[]; onClose: () => void };

/** The certificate to add, with its checks, and sending it. `take` is given the picked files. */
function useNewCertificate({ mine, onClose }: CertificateSheetProps) {
  const { t } = useLingui();
  const { add } = useCertificateChanges();
  const isOpen = (kind: CertificateKind) =>
    mine.some((certificate) => certificate.kind === kind && certificate.status === 'submitted');
  const maxSize = formatBytes(bytesAllowed('certificate'));
  const problemOf = ({ expiresOn }: Values) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(expiresOn)) return t`Enter the last day on which it is valid.`;
    const problem = certificateExpiryProblem(expiresOn, new Date());
    if (problem === 'expired') return t`It has expired. Add one that is still valid.`;
    return problem === 'too-far' ? t`That's too far ahead. Check the year.` : undefined;
  };
  const fileProblem = (file: File | null): string | undefined => {
    if (file === null) return t`Add a photo or PDF of it.`;
    if (!looksAccepted('certificate', file)) return t`Choose a photo or a PDF.`;
    return file.size > bytesAllowed('certificate') ? t`${file.name} is larger than ${maxSize}.` : undefined;
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
        kind: isOpen(kind) ? t`We're already checking one of this kind.` : undefined,
        expiresOn,
        file: fileProblem(file),
      };
    },
  });
  const take = async ([file]: File[]) => {
    if (!file) return;
    const problem = await pictureProblem(file);
    if (problem) form.refuse({ fields: { file: problem } });
    else form.change({ file, idempotencyKey: crypto.randomUUID() });
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
  return { form, take, send };
}

function CertificateSheet(props: CertificateSheetProps) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const { form, take, send } = useNewCertificate(props);
  const { fileKeptDays } = certificateLimits;
  return (
    <Sheet open onClose={props.onClose} title={t`Add a certificate`}>
      <Form className="col g4" onSubmit={() => void form.submit(send)}>
        <Select
          id={form.idOf('kind')}
          label={t`Certificate`}
          options={certificateKinds.map((value) => ({ value, label: certificateText(value) }))}
          value={form.values.kind}
          error={form.problems.kind}
          onChange={(event) => form.change({ kind: event.target.value as CertificateKind })}
        />
        <TextInput
          {...form.textField('expiresOn')}
          type="date"
          label={t`Valid until`}
          help={t`The last day, as the document says.`}
          min={new Date().toISOString().slice(0, 10)}
          max={latestExpiry(new Date())}
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
            help={t`Only the people at Nearhand who check it, or your appeal, see it. We store it encrypted and delete it ${fileKeptDays} days after the decision, or after your appeal if that takes longer.`}
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

function useCertificates() {
  const user = useUser();
  return useQuery(
    apiQuery.certificates.mine.queryOptions({ enabled: user !== null, staleTime: 0, ...neverPersist }),
  );
}

function useCertificateChanges() {
  const key = apiQuery.certificates.mine.queryKey();
  const keep = {
    onSuccess: (certificates: Certificate[]) => {
      queryClient.setQueryData(key, certificates);
      refetchChanged(['account'], key);
    },
  };
  return {
    /** The key belongs to the file, so that a retry stores it once. */
    add: useMutation({
      mutationFn: async (document: {
        kind: CertificateKind;
        expiresOn: string;
        file: File;
        idempotencyKey: string;
      }) => {
        const { kind, expiresOn, file, idempotencyKey } = document;
        const { id: fileId } = await uploadFile({
          purpose: 'certificate',
          file,
          name: file.name,
          idempotencyKey,
        });
        return api.certificates.add({ kind, expiresOn, fileId });
      },
      ...keep,
    }),
    remove: useMutation(apiQuery.certificates.remove.mutationOptions(keep)),
  };
}
