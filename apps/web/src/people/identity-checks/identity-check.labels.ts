import { t } from '@lingui/core/macro';
import type { IdentityCheckView } from '@nearhand/contract/people/identity-checks';
import {
  type IdentityDocument,
  type IdentitySide,
  identityCheckLimits,
} from '@nearhand/contract/people/identity-checks.rules';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';

const { photosKeptDays } = identityCheckLimits;
const dayOf = (instant: string) => formatDay(instant, ownTimeZone());

export function notesOf({
  status,
  decidedAt,
  submittedAt,
  photosDeletedAt,
  name,
}: IdentityCheckView): string[] {
  const unlocks = t`Businesses see that your identity document was checked. They never see the document.`;
  const privacy = t`Only the people at Nearhand who check it, or your appeal, see your photos. We store them encrypted and delete them ${photosKeptDays} days after the decision, or after your appeal if that takes longer.`;
  const deleted =
    photosDeletedAt === null
      ? []
      : [
          Date.parse(photosDeletedAt) > Date.now()
            ? t`We delete your photos on ${dayOf(photosDeletedAt)}.`
            : t`Your photos have been deleted.`,
        ];
  switch (status) {
    case 'none':
      return [unlocks, t`You need your document and two minutes. We answer within two days.`, privacy];
    case 'submitted':
      return [
        ...(submittedAt ? [t`Sent on ${dayOf(submittedAt)}. We answer within two days.`] : []),
        privacy,
      ];
    case 'needs_info':
      return [t`Take the photos again and send them. We answer within two days.`, ...deleted];
    case 'verified':
      return [...(decidedAt ? [t`Checked on ${dayOf(decidedAt)}.`] : []), unlocks, ...deleted];
    case 'changed':
      return [
        t`We checked your document for the name ${name ?? ''}. Your profile has another name now, so businesses no longer see the check.`,
      ];
    case 'refused':
      return [
        t`You can keep using Nearhand, and send another document. If you think this is wrong, appeal: another person decides.`,
        ...(decidedAt && photosDeletedAt === null
          ? [t`We keep your photos until your appeal is decided.`]
          : deleted),
      ];
  }
}

export function documentText(document: IdentityDocument): string {
  switch (document) {
    case 'passport':
      return t`Passport`;
    case 'id_card':
      return t`Identity card`;
    case 'residence_permit':
      return t`Residence permit`;
    case 'driving_licence':
      return t`Driving licence`;
  }
}

export function sideText(side: IdentitySide, document: IdentityDocument): { label: string; help: string } {
  if (side === 'selfie')
    return { label: t`Your face`, help: t`A selfie taken now, without hat or sunglasses.` };
  if (side === 'back') return { label: t`Back of the document`, help: t`All four corners in the picture.` };
  return document === 'passport'
    ? { label: t`Page with your photo`, help: t`The whole page, with the two lines at the bottom.` }
    : { label: t`Front of the document`, help: t`All four corners in the picture, without reflections.` };
}

export function identityStatusText(status: IdentityCheckView['status']) {
  switch (status) {
    case 'none':
      return { label: t`Not checked` };
    case 'submitted':
      return { label: t`Being checked`, tone: 'wait' as const };
    case 'needs_info':
      return { label: t`New photos needed`, tone: 'wait' as const };
    case 'verified':
      return { label: t`Identity document checked`, tone: 'good' as const };
    case 'changed':
      return { label: t`New name not checked`, tone: 'wait' as const };
    case 'refused':
      return { label: t`Not accepted`, tone: 'bad' as const };
  }
}
