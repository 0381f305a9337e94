import { useLingui } from '@lingui/react/macro';
import {
  hasBack,
  type IdentityDocument,
  type IdentitySide,
  identityCheckLimits,
  identityDocuments,
  identitySides,
} from '@nearhand/contract/people/identity-checks.rules';
import { useState } from 'react';
import { useMove } from '../../lib/pages/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { type ChosenPhoto, useSendIdentity } from './identity-checks.api.ts';
import { documentWords, sideWords } from './identity-words.ts';
import { PhotoSlot } from './photo-slot.tsx';

/** Asks for the photos of a document and a selfie, and sends them. Nothing leaves the device before. */
export function IdentitySheet({ start, onClose }: { start: IdentityDocument; onClose: () => void }) {
  const { t } = useLingui();
  const [document, setDocument] = useState(start);
  const [photos, setPhotos] = useState<Partial<Record<IdentitySide, ChosenPhoto>>>({});
  const [tried, setTried] = useState(false);
  const send = useSendIdentity();
  const move = useMove();
  const sides = identitySides.filter((side) => side !== 'back' || hasBack(document));
  const { photosKeptDays } = identityCheckLimits;
  const submit = async () => {
    setTried(true);
    if (sides.some((side) => !photos[side])) return;
    const wanted = Object.fromEntries(sides.map((side) => [side, photos[side]]));
    if (!(await move.run(() => send.mutateAsync({ document, photos: wanted })))) return;
    showToast(t`Photos sent`);
    onClose();
  };
  return (
    <Sheet open onClose={onClose} title={t`Check your identity document`}>
      <Form className="col g4" onSubmit={() => void submit()}>
        <p className="sm mute">
          {t`Only the person at Nearhand who checks it sees your photos. We store them encrypted and delete them ${photosKeptDays} days after the decision.`}
        </p>
        <Select
          label={t`Document`}
          options={identityDocuments.map((value) => ({ value, label: documentWords(value) }))}
          value={document}
          onChange={(event) => setDocument(event.target.value as IdentityDocument)}
        />
        {sides.map((side) => (
          <PhotoSlot
            key={side}
            side={side}
            {...sideWords(side, document)}
            chosen={photos[side]?.file ?? null}
            error={tried && !photos[side] ? t`Take or choose a photo.` : undefined}
            onChoose={(file) =>
              setPhotos((before) => ({ ...before, [side]: { file, idempotencyKey: crypto.randomUUID() } }))
            }
          />
        ))}
        <Refused text={move.refusal} />
        <div className="sheet-act">
          <Button kind="go" full type="submit" busy={move.busy}>
            {t`Send to Nearhand`}
          </Button>
        </div>
      </Form>
    </Sheet>
  );
}
