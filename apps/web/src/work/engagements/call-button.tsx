import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { joined } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { useEngagement } from './engagements.api.ts';

/** Calls the other side of an engagement; empty if their number is not visible to the caller. */
export function CallButton({ engagementId, side }: { engagementId: string; side: 'worker' | 'business' }) {
  const { t } = useLingui();
  const work = useEngagement(engagementId, side).data as Engagement | undefined;
  const contact = work?.contact;
  if (!contact?.phone) return null;
  return (
    <a
      className="ib"
      href={`tel:${contact.phone}`}
      aria-label={t`Call ${joined(contact.name, contact.phone)}`}
    >
      <Icon name="phone" />
    </a>
  );
}
