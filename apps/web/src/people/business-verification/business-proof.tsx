import { useLingui } from '@lingui/react/macro';
import { sanctionPath } from '@nearhand/contract/app-paths';
import type { BusinessVerification } from '@nearhand/contract/people/business-verification';
import type { Business } from '@nearhand/contract/people/businesses';
import { type ReactNode, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { pictureProblem } from '../../lib/forms/picture.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatBytes, formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { ownText } from '../../lib/words/notice-format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useHireRestriction } from '../accounts/restrictions.tsx';
import { businessStatusMeaning } from '../businesses/business.labels.ts';
import { BusinessStatusBadge } from '../businesses/business-status-card.tsx';
import { useSubmitBusiness } from '../businesses/businesses.api.ts';
import { useBusinessVerification, useProofChanges } from './business-verification.api.ts';
import { DomainProof } from './domain-proof.tsx';
import './business-verification.css';
import {
  type BusinessDocumentKind,
  businessDocumentKinds,
  businessProofLimits,
} from '@nearhand/contract/people/business-verification.rules';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { FileInput, TakePhoto } from '../../ui/controls/file-input.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { documentKindText } from './proof.labels.ts';

export function BusinessProof({ business }: { business: Business }) {
  const { t } = useLingui();
  const query = useBusinessVerification(business.id);
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={4} />}
      errorTitle={t`We couldn't load the verification`}
      offlineNote={t`You can add something when you're back online.`}
    >
      {(proof) => <Proof proof={proof} business={business} />}
    </QueryState>
  );
}

function Proof({ proof, business }: { proof: BusinessVerification; business: Business }) {
  const { t } = useLingui();
  const settings = useSettings();
  const restriction = useHireRestriction(proof.businessId);
  const isPending = ['submitted', 'resubmitted'].includes(proof.status);
  const submittedOn = proof.submittedAt && formatDay(proof.submittedAt, ownTimeZone());
  return (
    <div className="proof">
      <Part title={t`Status`} end={<BusinessStatusBadge status={proof.status} />}>
        {proof.reason !== null && proof.status !== 'verified' ? (
          <Banner tone={proof.status === 'rejected' ? 'bad' : 'wait'} icon="info">
            <p className="strong">{proof.status === 'rejected' ? t`Why` : t`What we still need`}</p>
            <p className="pre-line break" dir="auto">
              {ownText(proof.reason)}
            </p>
          </Banner>
        ) : null}
        <p className="sm mute">{businessStatusMeaning(proof.status, settings)}</p>
        {isPending && submittedOn ? <p className="sm mute">{t`Sent on ${submittedOn}.`}</p> : null}
        {restriction ? (
          <p className="sm">
            <Link
              className="link"
              to={sanctionPath(restriction.sanctionId)}
            >{t`Read the decision or appeal`}</Link>
          </p>
        ) : null}
        <Submit proof={proof} />
      </Part>
      <Part title={t`Legal details`}>
        <dl className="proof-facts">
          <dt className="sm mute">{t`Legal name`}</dt>
          <dd className="break">{proof.legalName}</dd>
          <dt className="sm mute">{t`Registration number`}</dt>
          <dd className="break">{proof.registrationNumber || t`Not given`}</dd>
          <dt className="sm mute">{t`VAT ID`}</dt>
          <dd className="break">{proof.vatId || t`Not given`}</dd>
        </dl>
        {proof.mayChange ? (
          <p className="sm">
            <Link
              className="link"
              to={`/edit-business?business=${proof.businessId}`}
            >{t`Edit legal details`}</Link>
          </p>
        ) : null}
      </Part>
      <Part title={t`Documents`}>
        <p className="sm mute">{t`An extract of the company register, for example. It shows us that the business exists and is yours.`}</p>
        <DocumentList proof={proof} />
      </Part>
      <Part title={t`Website`}>
        <DomainProof proof={proof} website={business.website} />
      </Part>
    </div>
  );
}

function Part({ title, end, children }: { title: string; end?: ReactNode; children: ReactNode }) {
  return (
    <section className="card proof-part" aria-label={title}>
      <div className="row wrap g2">
        <h2 className="h-s grow">{title}</h2>
        {end}
      </div>
      {children}
    </section>
  );
}

function Submit({ proof }: { proof: BusinessVerification }) {
  const { t } = useLingui();
  const submit = useSubmitBusiness();
  const action = useAction();
  if (!['draft', 'needs_info', 'rejected'].includes(proof.status)) return null;
  if (!proof.maySubmit) return <p className="sm">{t`Only an owner can send the business to us.`}</p>;
  const send = async () => {
    if (await action.run(() => submit.mutateAsync({ businessId: proof.businessId })))
      showToast(t`We'll check it and let you know`);
  };
  const hasNumber = proof.registrationNumber !== '';
  const hasDocument = proof.documents.length > 0;
  return (
    <>
      {hasNumber && hasDocument ? null : (
        <p className="sm">
          {hasNumber
            ? t`Add a document first: without one we usually have to ask.`
            : hasDocument
              ? t`Add the registration number first: without it we usually have to ask.`
              : t`Add the registration number and a document first: without them we usually have to ask.`}
        </p>
      )}
      <Refused text={action.refusal} />
      <Button kind="go" full busy={action.busy} onClick={() => void send()}>
        {proof.status === 'draft'
          ? t`Request verification`
          : proof.status === 'rejected'
            ? t`Ask to be checked again`
            : t`Send again`}
      </Button>
    </>
  );
}

/** The documents of a business. Each can be removed unless staff is reviewing it. */
function DocumentList({ proof }: { proof: BusinessVerification }) {
  const { t } = useLingui();
  const { businessId, documents, status } = proof;
  const { removeDocument } = useProofChanges(businessId);
  const action = useAction();
  const canRemove = proof.mayChange && !['submitted', 'resubmitted'].includes(status);
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
                <span className="sm mute block">{documentKindText(kind)}</span>
              </PlainButton>
              {canRemove ? (
                <IconButton
                  icon="x"
                  label={t`Remove ${file.name}`}
                  needsNetwork
                  onClick={() =>
                    void action.run(() => removeDocument.mutateAsync({ businessId, documentId: id }))
                  }
                />
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p className="sm mute">{t`No documents yet.`}</p>
      )}
      <Refused text={action.refusal} />
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
  const action = useAction();
  const maxSize = formatBytes(bytesAllowed('business'));
  const add = async (file: File) => {
    if (!looksAccepted('business', file)) return setProblem(t`Choose a photo or a PDF.`);
    if (file.size > bytesAllowed('business')) return setProblem(t`${file.name} is larger than ${maxSize}.`);
    const fileProblem = await pictureProblem(file);
    setProblem(fileProblem ?? null);
    if (fileProblem) return;
    const document = { file, kind, idempotencyKey: crypto.randomUUID() };
    if (await action.run(() => addDocument.mutateAsync(document))) showToast(t`Document added`);
  };
  return (
    <div className="col g3 mt2">
      <Select
        label={t`Kind of document`}
        options={businessDocumentKinds.map((value) => ({ value, label: documentKindText(value) }))}
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
      <Button kind="out" full icon="paperclip" busy={action.busy} onClick={() => input.current?.click()}>
        {t`Add a photo or PDF`}
      </Button>
      <TakePhoto
        full
        busy={action.busy}
        onFiles={([file]) => {
          if (file) void add(file);
        }}
      />
      <p className="help">{t`Up to ${maxSize}. Only Nearhand's staff and your owners and managers can read it.`}</p>
      <Refused text={problem ?? action.refusal} />
    </div>
  );
}
