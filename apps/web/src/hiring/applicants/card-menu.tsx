import { useLingui } from '@lingui/react/macro';
import { engagementPath } from '@nearhand/contract/app-paths';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { keepsApplicant } from '@nearhand/contract/hiring/applications.rules';
import { useState } from 'react';
import type { IconName } from '../../ui/art/icon-names.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { useBusinessActs } from '../../work/business-engagements/business-acts.tsx';
import { useEngagement } from '../../work/engagements/engagements.api.ts';
import { useOffer } from '../offers/offers.api.ts';
import { applicantName } from './applicant.labels.ts';
import { type OfferMove, OfferMoves } from './applicant-state.tsx';
import { type DropMove, moveText } from './stage.labels.ts';

const order: readonly DropMove[] = ['shortlist', 'unshortlist', 'propose-interview', 'offer', 'reject'];
const icons: Record<DropMove, IconName> = {
  shortlist: 'list-bullets',
  unshortlist: 'arrow-counter-clockwise',
  'propose-interview': 'calendar-check',
  offer: 'hand-coins',
  reject: 'x-circle',
};

export const workerPath = (applicant: Applicant): string =>
  `/worker-details/${applicant.worker.workerId}?application=${applicant.id}`;

type CardMenuProps = {
  applicant: Applicant | null;
  checked: boolean;
  onClose: () => void;
  onOpen?: (applicant: Applicant) => void;
  onToggle?: (applicant: Applicant) => void;
  onMove: (applicant: Applicant, move: DropMove) => void;
};

export function CardMenu({ applicant, checked, onClose, onOpen, onToggle, onMove }: CardMenuProps) {
  const { t } = useLingui();
  const [offerMove, setOfferMove] = useState<{ applicant: Applicant; move: OfferMove } | null>(null);
  const offer = useOffer(applicant?.offer?.id).data;
  const work = useEngagement(applicant?.engagementId ?? undefined, 'business').data;
  const acts = useBusinessActs();
  const run = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <>
      <Sheet open={applicant !== null} onClose={onClose} title={applicant ? applicantName(applicant) : ''}>
        {applicant ? (
          <>
            <p className="sm mute">{applicant.jobTitle}</p>
            {order
              .filter((move) => applicant.actions.includes(move))
              .map((move) => (
                <ListRow
                  key={move}
                  lead={<IconSign icon={icons[move]} />}
                  title={moveText(move)}
                  needsNetwork
                  onClick={run(() => onMove(applicant, move))}
                />
              ))}
            {offer?.actions.includes('withdraw') ? (
              <>
                {keepsApplicant(offer.source) ? (
                  <ListRow
                    lead={<IconSign icon="pencil-simple" />}
                    title={t`Change offer`}
                    needsNetwork
                    onClick={run(() => setOfferMove({ applicant, move: 'change' }))}
                  />
                ) : null}
                <ListRow
                  lead={<IconSign icon="x-circle" />}
                  title={t`Withdraw offer`}
                  needsNetwork
                  onClick={run(() => setOfferMove({ applicant, move: 'withdraw' }))}
                />
              </>
            ) : null}
            {applicant.engagementId ? (
              <ListRow
                lead={<IconSign icon="calendar-check" />}
                title={t`View booked job`}
                to={engagementPath(applicant.engagementId, 'business')}
              />
            ) : null}
            {work?.actions.includes('cancel') ? (
              <ListRow
                lead={<IconSign icon="x-circle" />}
                title={t`Cancel booking`}
                needsNetwork
                onClick={run(() => acts.ask('cancel', work))}
              />
            ) : null}
            {onOpen ? (
              <ListRow
                lead={<IconSign icon="eye" />}
                title={t`Open application`}
                note={applicant.viewedAt === null ? t`The worker will see that you've viewed it.` : undefined}
                onClick={run(() => onOpen(applicant))}
              />
            ) : null}
            {onToggle ? (
              <ListRow
                lead={<IconSign icon="check" />}
                title={checked ? t`Deselect` : t`Select`}
                onClick={run(() => onToggle(applicant))}
              />
            ) : null}
            <ListRow lead={<IconSign icon="user" />} title={t`Full profile`} to={workerPath(applicant)} />
          </>
        ) : null}
      </Sheet>
      {acts.sheets}
      {offerMove ? (
        <OfferMoves
          applicant={offerMove.applicant}
          move={offerMove.move}
          onClose={() => setOfferMove(null)}
        />
      ) : null}
    </>
  );
}
