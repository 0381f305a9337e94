import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { usePhoneText } from '../../lib/forms/phone.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { ListRow } from '../../ui/card.tsx';

/** The other side's contact, from the hire until a day after the end. */
export function ContactRow({ work }: { work: Pick<Engagement, 'contact' | 'side'> }) {
  const { t } = useLingui();
  const { contact, side } = work;
  const phoneText = usePhoneText();
  if (contact === null || (side === 'business' && contact.phone === null)) return null;
  const phone = contact.phone === null ? null : phoneText(contact.phone);
  return (
    <ListRow
      lead={<Avatar name={contact.name} />}
      title={side === 'worker' ? t`Ask for ${contact.name}` : contact.name}
      note={side === 'business' && phone ? t`${phone}, until a day after the job` : undefined}
      end={
        contact.phone ? (
          <a className="ib" href={`tel:${contact.phone}`} aria-label={t`Call ${contact.name}`}>
            <Icon name="phone" />
          </a>
        ) : undefined
      }
    />
  );
}
