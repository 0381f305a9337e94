import { useLingui } from '@lingui/react/macro';
import { sanctionPath } from '@nearhand/contract/app-paths';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import {
  hasBack,
  type IdentityDocument,
  type IdentitySide,
  identityCheckLimits,
  identityDocuments,
  identitySides,
} from '@nearhand/contract/people/identity-checks.rules';
import { useEffect, useId, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { pickerHasCamera } from '../../lib/device/platform.ts';
import { pictureProblem } from '../../lib/forms/picture.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { ownText } from '../../lib/words/notice-format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { CheckCard } from '../../ui/check-card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import './identity-checks.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { useUser } from '../../lib/session.ts';
import { FileInput, TakePhoto } from '../../ui/controls/file-input.tsx';
import { documentText, identityStatusText, notesOf, sideText } from './identity-check.labels.ts';

export function IdentityCheck() {
  const { t } = useLingui();
  const query = useIdentityCheck();
  const [open, setOpen] = useState(false);
  const view = query.data;
  if (!view)
    return query.isError ? (
      <Banner tone="bad" icon="warning-circle">
        {errorText(query.error)}
      </Banner>
    ) : null;
  const isFirst = view.status === 'none';
  return (
    <CheckCard
      icon="identification-card"
      title={t`Identity document`}
      status={identityStatusText(view.status)}
      subject={view.document && documentText(view.document)}
      notes={notesOf(view)}
    >
      {view.reason ? (
        <Banner tone={view.status === 'refused' ? 'bad' : 'wait'} icon="info">
          <span className="pre-line" dir="auto">
            {ownText(view.reason)}
          </span>
        </Banner>
      ) : null}
      {view.decisionId ? (
        <Link className="link hit" to={sanctionPath(view.decisionId)}>
          {t`View decision`}
        </Link>
      ) : null}
      {view.maySend ? (
        <Button kind={isFirst ? 'out' : 'ink'} full needsNetwork onClick={() => setOpen(true)}>
          {isFirst ? t`Check your identity document` : t`Send new photos`}
        </Button>
      ) : null}
      {open ? <IdentitySheet start={view.document ?? 'id_card'} onClose={() => setOpen(false)} /> : null}
    </CheckCard>
  );
}

/** Sends photos of a document and a selfie. Nothing leaves the device before the form is sent. */
function IdentitySheet({ start, onClose }: { start: IdentityDocument; onClose: () => void }) {
  const { t } = useLingui();
  const [document, setDocument] = useState(start);
  const [photos, setPhotos] = useState<Partial<Record<IdentitySide, ChosenPhoto>>>({});
  const [tried, setTried] = useState(false);
  const send = useSendIdentity();
  const action = useAction();
  const sides = identitySides.filter((side) => side !== 'back' || hasBack(document));
  const { photosKeptDays } = identityCheckLimits;
  const submit = async () => {
    setTried(true);
    if (sides.some((side) => !photos[side])) return;
    const requiredPhotos = Object.fromEntries(sides.map((side) => [side, photos[side]]));
    if (!(await action.run(() => send.mutateAsync({ document, photos: requiredPhotos })))) return;
    showToast(t`Photos sent`);
    onClose();
  };
  return (
    <Sheet open onClose={onClose} title={t`Check your identity document`}>
      <Form className="col g4" onSubmit={() => void submit()}>
        <p className="sm mute">
          {t`Only the people at Nearhand who check it, or your appeal, see your photos. We store them encrypted and delete them ${photosKeptDays} days after the decision, or after your appeal if that takes longer.`}
        </p>
        <Select
          label={t`Document`}
          options={identityDocuments.map((value) => ({ value, label: documentText(value) }))}
          value={document}
          onChange={(event) => setDocument(event.target.value as IdentityDocument)}
        />
        {sides.map((side) => (
          <PhotoSlot
            key={side}
            side={side}
            {...sideText(side, document)}
            file={photos[side]?.file ?? null}
            error={tried && !photos[side] ? t`Take or choose a photo.` : undefined}
            onChoose={(file) =>
              setPhotos((before) => ({ ...before, [side]: { file, idempotencyKey: crypto.randomUUID() } }))
            }
          />
        ))}
        <Refused text={action.refusal} />
        <div className="sheet-act">
          <Button kind="go" full type="submit" busy={action.busy}>
            {t`Send to Nearhand`}
          </Button>
        </div>
      </Form>
    </Sheet>
  );
}

type PhotoSlotProps = {
  side: IdentitySide;
  label: string;
  help: string;
  file: File | null;
  error?: string;
  onChoose: (file: File) => void;
};

/** A photo with a preview. Type and size are checked at once; the server checks again. */
function PhotoSlot({ side, label, help, file: photo, error, onChoose }: PhotoSlotProps) {
  const { t } = useLingui();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    const address = photo ? URL.createObjectURL(photo) : null;
    setPreview(address);
    return () => {
      if (address) URL.revokeObjectURL(address);
    };
  }, [photo]);
  const maxSize = formatBytes(bytesAllowed('identity'));
  const take = async (file: File | undefined) => {
    if (!file) return;
    if (!looksAccepted('identity', file))
      return setProblem(t`Choose a JPEG, PNG, WebP, AVIF or GIF picture.`);
    if (file.size > bytesAllowed('identity')) return setProblem(t`Choose a picture of ${maxSize} or less.`);
    const fileProblem = await pictureProblem(file);
    setProblem(fileProblem);
    if (!fileProblem) onChoose(file);
  };
  return (
    <div className="field">
      <p className="flabel" id={`${id}-label`}>
        {label}
      </p>
      <div className="photo-slot">
        <div className="photo-frame">
          {preview ? (
            <img src={preview} alt={t`Chosen photo: ${label}`} />
          ) : (
            <Icon name={side === 'selfie' ? 'user' : 'identification-card'} className="mute" />
          )}
        </div>
        <FileInput
          ref={input}
          {...(side === 'selfie'
            ? { accept: ['image/*'], capture: 'user' as const }
            : { accept: pickableTypes('identity') })}
          testId={`identity-${side}`}
          onFiles={([file]) => void take(file)}
        />
        <div className="col g2">
          <Button
            kind="out"
            size="s"
            icon={side === 'selfie' || pickerHasCamera() ? 'camera' : 'image'}
            aria-describedby={`${id}-label ${id}-note`}
            onClick={() => input.current?.click()}
          >
            {photo ? t`Change photo` : t`Add photo`}
          </Button>
          {side === 'selfie' ? null : (
            <TakePhoto
              size="s"
              aria-describedby={`${id}-label ${id}-note`}
              onFiles={([file]) => take(file)}
            />
          )}
        </div>
      </div>
      <FieldNote id={`${id}-note`} help={help} error={problem ?? error} />
    </div>
  );
}

function useIdentityCheck() {
  const user = useUser();
  return useQuery(
    apiQuery.identityChecks.mine.queryOptions({ enabled: user !== null, staleTime: 0, ...neverPersist }),
  );
}

/** A chosen photo; a retry with the same key stores it once. */
type ChosenPhoto = { file: File; idempotencyKey: string };

function useSendIdentity() {
  const key = apiQuery.identityChecks.mine.queryKey();
  return useMutation({
    mutationFn: async (photos: {
      document: IdentityDocument;
      photos: Partial<Record<IdentitySide, ChosenPhoto>>;
    }) => {
      const upload = async (side: IdentitySide) => {
        const photo = photos.photos[side];
        return photo ? (await uploadFile({ purpose: 'identity', name: photo.file.name, ...photo })).id : null;
      };
      const frontFileId = (await upload('front')) ?? '';
      const backFileId = await upload('back');
      const selfieFileId = (await upload('selfie')) ?? '';
      return api.identityChecks.submit({ document: photos.document, frontFileId, backFileId, selfieFileId });
    },
    onSuccess: (view) => {
      queryClient.setQueryData(key, view);
      refetchChanged(['account'], key);
    },
  });
}
