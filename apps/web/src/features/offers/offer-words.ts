import { t } from '@lingui/core/macro';
import type { OfferStatus } from '@nearhand/contract/offers';

/** An offer's status as its worker reads it. */
export function offerStatusText(status: OfferStatus): string {
  switch (status) {
    case 'funding':
      return t`On its way`;
    case 'sent':
      return t`Open`;
    case 'accepted':
      return t`Accepted`;
    case 'declined':
      return t`Declined`;
    case 'expired':
      return t`Run out`;
    case 'withdrawn':
      return t`Taken back`;
  }
}
