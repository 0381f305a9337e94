import { useLingui } from '@lingui/react/macro';
import type { BusinessVerification } from '@nearhand/contract/people/business-verification';
import {
  type BusinessDocumentKind,
  businessDocumentKinds,
  businessProofLimits,
} from '@nearhand/contract/people/business-verification.rules';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import { useRef, useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { FileInput, TakePhoto } from '../../ui/controls/file-input.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useProofChanges } from './business-verification.api.ts';
import { documentKindWords } from './proof-words.ts';

/** The documents of a business: each can be read, and removed unless staff is looking at them. */
export function DocumentList({ proof }: { proof: BusinessVerification }) {
  const { t } = useLingui();
  const { businessId, documents, status } = proof;
  const { removeDocument } = useProofChanges(businessId);
  const move = useMove();
  const removable = proof.mayChange && status !== 'submitted';
  return (
    <>
      {documents.length > 0 ? (
        <ul className="proof-list">
          {documents.map(({ id, kind, file }) => (
            <li key={id} className="row g2">
              <Icon name={file.mediaType === 'application/pdf' ? 'file-pdf' : 'image'} className="mute" />
              <PlainButton
                className="link grow break"
                needsNetwork
                onClick={() =>
                  void saveStoredFile(file).catch((failure: unknown) => showToast(errorText(failure)))
                }
              >
                <span dir="auto">{file.name}</span>
                <span className="sm mute block">{documentKindWords(kind)}</span>
              </PlainButton>
              {removable ? (
                <IconButton
                  icon="x"
                  label={t`Remove ${file.name}`}
                  needsNetwork
                  onClick={() =>
                    void move.run(() => removeDocument.mutateAsync({ businessId, documentId: id }))
                  }
                />
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p className="sm mute">{t`No documents yet.`}</p>
      )}
      <Refused text={move.refusal} />
      {proof.mayChange && documents.length < businessProofLimits.documents ? (
        <AddDocument businessId={businessId} />
      ) : null}
    </>
  );
}

function AddDocument({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [kind, setKind] = useState<BusinessDocumentKind>('registration');
  const [problem, setProblem] = useState<string | null>(null);
  const { addDocument } = useProofChanges(businessId);
  const move = useMove();
  const most = formatBytes(bytesAllowed('business'));
  const add = async (file: File) => {
    if (!looksAccepted('business', file)) return setProblem(t`Choose a photo or a PDF.`);
    if (file.size > bytesAllowed('business')) return setProblem(t`${file.name} is larger than ${most}.`);
    setProblem(null);
    const added = { file, kind, idempotencyKey: crypto.randomUUID() };
    if (await move.run(() => addDocument.mutateAsync(added))) showToast(t`Document added`);
  };
  return (
    <div className="col g3 mt2">
      <Select
        label={t`Kind of document`}
        options={businessDocumentKinds.map((value) => ({ value, label: documentKindWords(value) }))}
        value={kind}
        onChange={(event) => setKind(event.target.value as BusinessDocumentKind)}
      />
      <FileInput
        ref={input}
        accept={pickableTypes('business')}
        testId="business-document"
        onFiles={([file]) => {
          if (file) void add(file);
        }}
      />
      <Button kind="out" full icon="paperclip" busy={move.busy} onClick={() => input.current?.click()}>
        {t`Add a photo or PDF`}
      </Button>
      <TakePhoto
        full
        busy={move.busy}
        onFiles={([file]) => {
          if (file) void add(file);
        }}
      />
      <p className="help">{t`Up to ${most}. Only Nearhand's staff and your owners and managers can read it.`}</p>
      <Refused text={problem ?? move.refusal} />
    </div>
  );
}
