import { useLingui } from '@lingui/react/macro';
import { type ButtonKind, ButtonLink } from '../../ui/button.tsx';

/** Where the conversation about a job is: with the business for its applicant, with a worker for the business. */
export const chatPath = (jobId: string, workerId?: string): string =>
  workerId ? `/chat?job=${jobId}&worker=${workerId}` : `/chat?job=${jobId}`;

/** Leads to the conversation about a job; opened there if it is not yet. */
export function MessageLink({
  jobId,
  workerId,
  name,
  kind = 'out',
  size = 's',
  full,
}: {
  jobId: string;
  /** For a business: with whom. */
  workerId?: string;
  /** Whom the message goes to, where the page does not say so. */
  name?: string;
  kind?: ButtonKind;
  size?: 'm' | 's' | 'xs';
  full?: boolean;
}) {
  const { t } = useLingui();
  return (
    <ButtonLink
      kind={kind}
      size={size}
      full={full ?? false}
      icon="chats-circle"
      to={chatPath(jobId, workerId)}
    >
      {name ? t`Message ${name}` : t`Message`}
    </ButtonLink>
  );
}
