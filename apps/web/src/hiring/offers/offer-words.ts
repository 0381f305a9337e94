import { t } from '@lingui/core/macro';
import type { OfferStatus } from '@nearhand/contract/hiring/offers';

/** An offer's status as its worker sees it. */
export function offerStatusText(status: OfferStatus): string {
  switch (status) {
    case 'funding':
      return t`Payment pending`;
    case 'sent':
      return t({ message: 'Open', context: 'state' });
    case 'accepted':
      return t`Accepted`;
    case 'declined':
      return t`Declined`;
    case 'expired':
      return t`Expired`;
    case 'withdrawn':
      return t`Withdrawn`;
  }
}
