import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { Avatar } from '../../ui/avatar.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Whom to call: the worker reads whom to ask for, the business the worker's number. Nothing before the hire and a day after the end. */
export function ContactRow({ work }: { work: Pick<Engagement, 'contact' | 'side'> }) {
  const { t } = useLingui();
  const { contact, side } = work;
  // The business knows the name already.
  if (contact === null || (side === 'business' && contact.phone === null)) return null;
  return (
    <ListRow
      lead={<Avatar name={contact.name} />}
      title={side === 'worker' ? t`Ask for ${contact.name}` : contact.name}
      note={
        side === 'business' && contact.phone ? t`${contact.phone}, until a day after the work` : undefined
      }
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
