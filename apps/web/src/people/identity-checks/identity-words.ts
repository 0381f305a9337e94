import { t } from '@lingui/core/macro';
import type { IdentityCheckView } from '@nearhand/contract/people/identity-checks';
import type { IdentityDocument, IdentitySide } from '@nearhand/contract/people/identity-checks.rules';

export function documentWords(document: IdentityDocument): string {
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

/** What to photograph. */
export function sideWords(side: IdentitySide, document: IdentityDocument): { label: string; help: string } {
  if (side === 'selfie')
    return { label: t`Your face`, help: t`A selfie taken now, without hat or sunglasses.` };
  if (side === 'back') return { label: t`Back of the document`, help: t`All four corners in the picture.` };
  return document === 'passport'
    ? { label: t`Page with your photo`, help: t`The whole page, with the two lines at the bottom.` }
    : { label: t`Front of the document`, help: t`All four corners in the picture, without reflections.` };
}

export function identityStatusWords(status: IdentityCheckView['status']) {
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
