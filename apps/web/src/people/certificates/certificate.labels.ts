import { t } from '@lingui/core/macro';
import type { Certificate } from '@nearhand/contract/people/certificates';
import type { CertificateKind } from '@nearhand/contract/people/certificates.rules';
import { formatCalendarDay } from '../../lib/words/format.ts';

export function certificateText(kind: CertificateKind): string {
  switch (kind) {
    case 'food_hygiene':
      return t`Food hygiene certificate`;
    case 'driving_licence':
      return t`Driving licence`;
    case 'first_aid':
      return t`First aid certificate`;
  }
}

export function checkedUntil(kind: CertificateKind, until: string): string {
  const what = certificateText(kind);
  const day = formatCalendarDay(until);
  return t`${what}, checked until ${day}`;
}

export function certificateStatusText({ status, isForAnotherName }: Certificate) {
  switch (status) {
    case 'submitted':
      return { label: t`Being checked`, tone: 'wait' as const };
    case 'checked':
      return isForAnotherName
        ? { label: t`New name not checked`, tone: 'wait' as const }
        : { label: t`Checked`, tone: 'good' as const };
    case 'needs_copy':
      return { label: t`New copy needed`, tone: 'wait' as const };
    case 'refused':
      return { label: t`Not accepted`, tone: 'bad' as const };
    case 'expired':
    case 'replaced':
      return { label: t`Expired`, tone: 'bad' as const };
  }
}
