import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import { useEffect, useState } from 'react';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatDayTime, ownTimeZone } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { readFile } from '../console-api.ts';
import { plainWords } from '../queue/case-words.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { Facts, FactsCard } from './facts-card.tsx';

type Check = Extract<CaseFacts, { kind: 'identity' }>['check'];

const documentNames: Record<Check['document'], string> = {
  passport: 'Passport',
  id_card: 'Identity card',
  residence_permit: 'Residence permit',
  driving_licence: 'Driving licence',
};

const when = (instant: string) => formatDayTime(instant, ownTimeZone());

/** An identity document with its selfie, the name it must show, and what was sent before. */
export function IdentityFacts({ check, one }: { check: Check; one: CaseRef }) {
  const { account } = check;
  return (
    <>
      <FactsCard title="Person">
        <Facts
          rows={[
            ['Name to compare', check.name],
            ['Name now', account.name === check.name ? null : account.name],
            ['Document', documentNames[check.document]],
            ['Email', account.email],
            ['Account since', when(account.createdAt)],
            ['Sent', when(check.submittedAt)],
          ]}
        />
      </FactsCard>
      <FactsCard title="Photos">
        <IdentityPhotos key={check.checkId} photos={check.photos} one={one} />
      </FactsCard>
      <FactsCard title="What to compare">
        <ul className="c-compare">
          <li>The face in the selfie is the face in the document.</li>
          <li>The name in the document is the name above.</li>
          <li>
            The document is valid today, and is the document itself: no copy, no screen, no edited text.
          </li>
          <li>Their age allows them to work.</li>
        </ul>
      </FactsCard>
      {check.earlier.length > 0 ? (
        <FactsCard title="Sent before">
          <Facts
            rows={check.earlier.map((one): [string, string] => [
              when(one.submittedAt),
              `${documentNames[one.document]}, ${plainWords(one.status).toLowerCase()}${one.reason ? `\n${one.reason}` : ''}`,
            ])}
          />
        </FactsCard>
      ) : null}
    </>
  );
}

/** The photos, fetched when the operator asks for them: each look is logged. They are gone with the page. */
function IdentityPhotos({ photos, one: { kind, subjectId } }: { photos: Check['photos']; one: CaseRef }) {
  const [shown, setShown] = useState<{ side: string; address: string }[]>([]);
  const move = useMove();
  useEffect(
    () => () => {
      for (const { address } of shown) URL.revokeObjectURL(address);
    },
    [shown],
  );
  const show = async () => {
    const blobs = await Promise.all(
      photos.map(async ({ side, file }) => ({
        side,
        blob: await readFile(file.path, { case: { kind, subjectId } }),
      })),
    );
    setShown(blobs.map(({ side, blob }) => ({ side, address: URL.createObjectURL(blob) })));
  };
  if (shown.length > 0)
    return (
      <div className="c-photos">
        {shown.map(({ side, address }) => (
          <figure key={side}>
            <img src={address} alt={plainWords(side)} />
            <figcaption className="sm mute">{plainWords(side)}</figcaption>
          </figure>
        ))}
      </div>
    );
  return (
    <div className="col g3">
      <p className="sm mute">
        {photos.length} photos. Only you can open them, while this case is yours. Each look is logged.
      </p>
      <Refused text={move.refusal} />
      <Button kind="out" icon="image" busy={move.busy} onClick={() => void move.run(show)}>
        Show the photos
      </Button>
    </div>
  );
}
